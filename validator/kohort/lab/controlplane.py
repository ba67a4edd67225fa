"""A control plane on loopback that lives as long as a `with` block."""

from __future__ import annotations

import os
import time
import urllib.request
from base64 import b64encode
from typing import TYPE_CHECKING, Any, Self

import yaml

from kohort.lab import apiserver, identities, kueue
from kohort.lab.apply import Applier
from kohort.lab.build import build, module_folder
from kohort.lab.certificates import Authority
from kohort.lab.client import Answer, Client
from kohort.lab.failure import LabError
from kohort.lab.process import Process, free_ports
from kohort.lab.workspace import Workspace

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path
    from types import TracebackType

COMPONENTS = ("etcd", "apiserver", "kueue")
_FAMILY = {"etcd": "etcd", "apiserver": "kubernetes", "kueue": "kueue"}
_SECONDS = 120.0  # patience with each component; a busy machine needs most of a minute


class ControlPlane:
    """etcd, an API server and Kueue as ordinary processes.

    Everything listens on 127.0.0.1 at free ports. Each program has its own
    token, so that roles are in force for it. All of them end with the block,
    or with the process that started them.

    Attributes:
        client: speaks to the API server as an administrator.
        folder: scratch folder with the logs, `NAME.log`.
        seconds: how long after the start each component was ready.
    """

    def __init__(
        self,
        components: Sequence[str] = COMPONENTS,
        *,
        kueue_configuration: Mapping[str, Any] | None = None,
        cache: Path | None = None,
    ) -> None:
        """Prepare; nothing starts before the block is entered.

        Args:
            components: out of `COMPONENTS`; each needs those before it.
            kueue_configuration: top-level fields of Kueue's Configuration to replace.
            cache: folder of built programs.
        """
        unknown = [name for name in components if name not in COMPONENTS]
        if unknown:
            raise LabError(f"unknown component {unknown[0]!r}; there are {', '.join(COMPONENTS)}")
        last = max((COMPONENTS.index(name) for name in components), default=0)
        self._components = COMPONENTS[: last + 1]
        self._kueue_configuration = kueue_configuration
        self._cache = cache
        self._processes: list[Process] = []
        self.seconds: dict[str, float] = {}

    def __enter__(self) -> Self:
        self._programs = build([_FAMILY[name] for name in self._components], cache=self._cache)
        self._began = time.monotonic()
        self._workspace = Workspace()
        self.folder = self._workspace.folder
        try:
            self._start()
        except BaseException as error:
            self._end(failed=True)
            error.add_note(f"logs of the lab: {self.folder}")
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._end(failed=error is not None)
        if error is not None:
            error.add_note(f"logs of the lab: {self.folder}")

    def request(
        self, method: str, path: str, body: object = None, parameters: Mapping[str, str] | None = None
    ) -> Answer:
        """Send one request as the administrator; see `Client.request`."""
        return self.client.request(method, path, body, parameters)

    def kubeconfig(self) -> Path:
        """Return a kubeconfig of the administrator."""
        return self._admin.kubeconfig(
            self.server, self._authority.own.certificate, self.folder / "admin.yaml"
        )

    def process(self, name: str) -> Process:
        """Return a component's process, for example to kill it."""
        return next(each for each in self._processes if each.name == name)

    def _start(self) -> None:
        self._authority = Authority(self.folder / "certificates")
        self._admin = identities.admin()
        self._kueue_account = identities.service_account(kueue.NAMESPACE, kueue.SERVICE_ACCOUNT)
        ports = free_ports(6)
        self._port = ports[2]
        self.server = f"https://127.0.0.1:{self._port}"
        self._start_etcd(*ports[:2])
        if "apiserver" in self._components:
            self._start_apiserver(ports[0], ports[2])
        if "kueue" in self._components:
            self._start_kueue(ports[3:])

    def _start_etcd(self, client_port: int, peer_port: int) -> None:
        command = apiserver.etcd_command(self._programs["etcd"], self.folder / "etcd", client_port, peer_port)
        self._run("etcd", command, lambda: apiserver.etcd_is_ready(client_port))

    def _start_apiserver(self, etcd_port: int, port: int) -> None:
        command = apiserver.apiserver_command(
            self._programs["kube-apiserver"],
            etcd_port=etcd_port,
            port=port,
            tokens=identities.write_token_file(
                [self._admin, self._kueue_account], self.folder / "tokens.csv"
            ),
            authority=self._authority,
            serving=self._authority.issue("apiserver", "IP:127.0.0.1", "DNS:localhost"),
            proxy=self._authority.issue("front-proxy"),
            accounts=self._authority.issue("service-accounts"),
        )
        self.client = Client(port, self._authority.own.certificate, self._admin.token)
        self._run("apiserver", command, lambda: self.client.request("GET", "/readyz").ok)

    def _start_kueue(self, ports: Sequence[int]) -> None:
        module = module_folder("kueue", "sigs.k8s.io/kueue", cache=self._cache)
        bundle = self._authority.bundle()
        applier = Applier(self.client)
        applier.create(kueue.definitions(module, ports[0], bundle))
        applier.create(kueue.access(module))
        applier.create([kueue.service(), self._kueue_secret()])
        applier.wait_for_definitions(_SECONDS)
        settings = kueue.configuration(
            ports=ports, certificates=self.folder / "kueue", extra=self._kueue_configuration
        )
        path = self.folder / "kueue.yaml"
        path.write_text(yaml.safe_dump(settings), encoding="utf-8")
        account = self._kueue_account.kubeconfig(
            self.server, self._authority.own.certificate, self.folder / "kueue.kubeconfig"
        )
        command: list[str | Path] = [
            self._programs["kueue"], f"--config={path}", f"--kubeconfig={account}", "--zap-log-level=2",
            "--feature-gates=VisibilityOnDemand=false",  # its certificate folder is fixed at the root
        ]  # fmt: skip
        applier.create(kueue.webhooks(module, ports[0], bundle))
        # Where the manager runs in a pod it learns its namespace from there; TMPDIR keeps others' files out.
        environment = {**os.environ, "POD_NAMESPACE": kueue.NAMESPACE, "TMPDIR": str(self.folder)}
        self._run("kueue", command, lambda: _healthy(ports[1]) and self._kueue_judges(), environment)

    def _kueue_secret(self) -> kueue.Manifest:
        """Put the manager's certificate where it reads it, and into the Secret it watches over."""
        served = self._authority.issue("kueue", f"DNS:{kueue.SERVICE_NAME}")
        folder = self.folder / "kueue"
        folder.mkdir()
        files = {
            "ca.crt": self._authority.own.certificate,
            "ca.key": self._authority.own.key,
            "tls.crt": served.certificate,
            "tls.key": served.key,
        }
        for name, source in files.items():
            (folder / name).write_bytes(source.read_bytes())
        return kueue.secret({name: b64encode(path.read_bytes()).decode() for name, path in files.items()})

    def _kueue_judges(self) -> bool:
        """Ask for a verdict that only the webhook gives, and for one by way of conversion."""
        for version in ("v1beta2", "v1beta1"):
            queue = {
                "apiVersion": f"kueue.x-k8s.io/{version}",
                "kind": "ClusterQueue",
                "metadata": {"name": "is-kueue-ready"},
            }
            answer = self.request(
                "POST", f"/apis/kueue.x-k8s.io/{version}/clusterqueues", queue, {"dryRun": "All"}
            )
            if not answer.ok:
                return False
        return True

    def _run(
        self,
        name: str,
        command: Sequence[str | Path],
        ready: Callable[[], bool],
        environment: Mapping[str, str] | None = None,
    ) -> None:
        process = Process(name, command, self._workspace.log(name), environment)
        self._processes.append(process)
        process.wait_until(ready, _SECONDS)
        self.seconds[name] = round(time.monotonic() - self._began, 1)

    def _end(self, *, failed: bool) -> None:
        if "apiserver" in self.seconds:
            self.client.close()
        for process in reversed(self._processes):
            # The API server waits for open requests of a minute; nothing here is worth that.
            process.stop(grace=2.0)
        if failed:
            self._workspace.keep_logs()
        else:
            self._workspace.remove()


def _healthy(port: int) -> bool:
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/readyz", timeout=2) as page:
        return bool(page.status == 200)
