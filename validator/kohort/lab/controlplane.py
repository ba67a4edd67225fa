"""A control plane on loopback that lives as long as a `with` block."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, Self

from kohort.lab import identities
from kohort.lab.apply import Applier
from kohort.lab.build import build
from kohort.lab.certificates import Authority
from kohort.lab.components import COMPONENTS, with_needs
from kohort.lab.failure import LabError
from kohort.lab.process import Process, free_ports
from kohort.lab.workspace import Workspace

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from pathlib import Path
    from types import TracebackType

    from kohort.lab.client import Answer, Client

_SECONDS = 120.0  # patience with each component; a busy machine needs most of a minute
_PORTS = 16


class ControlPlane:
    """A Kubernetes control plane with Kueue and friends as ordinary processes.

    Everything listens on 127.0.0.1 at free ports, but for AppWrapper's webhook
    (port 9443 on all interfaces). Each program has its own token, so that roles
    are in force for it. All of them end with the block, or with the process
    that started them.

    Attributes:
        components: names of what runs, in the order of start.
        client: speaks to the API server as an administrator.
        server: the API server's address.
        folder: scratch folder with the logs, `NAME.log`.
        seconds: how long after the start each component was ready.
        authority: the lab's certificate authority.
        identities: who may speak to the API server, by component name.
        programs: path of each built program.
    """

    client: Client
    folder: Path
    programs: dict[str, Path]
    authority: Authority
    identities: dict[str, identities.Identity]

    def __init__(
        self,
        components: Sequence[str] = ("kueue",),
        *,
        kueue_configuration: Mapping[str, Any] | None = None,
        appwrapper_configuration: Mapping[str, Any] | None = None,
        cache: Path | None = None,
    ) -> None:
        """Prepare; nothing starts before the block is entered.

        Args:
            components: names out of `COMPONENTS`; what they need is added.
            kueue_configuration: top-level fields of Kueue's Configuration to replace.
            appwrapper_configuration: fields of the section `appwrapper` of its configuration.
            cache: folder of built programs.

        Raises:
            LabError: a component is unknown.
        """
        unknown = [name for name in components if name not in COMPONENTS]
        if unknown:
            raise LabError(f"unknown component {unknown[0]!r}; there are {', '.join(COMPONENTS)}")
        self.components = with_needs(components)
        self.kueue_configuration = dict(kueue_configuration or {})
        self.appwrapper_configuration = dict(appwrapper_configuration or {})
        self.cache = cache
        self.seconds: dict[str, float] = {}
        self._processes: list[Process] = []
        self._ports: dict[str, int] = {}

    def __enter__(self) -> Self:
        parts = [COMPONENTS[name] for name in self.components]
        self.programs = build(sorted({part.family for part in parts}), cache=self.cache)
        self._began = time.monotonic()
        self._workspace = Workspace()
        self.folder = self._workspace.folder
        self._free = iter(free_ports(_PORTS))
        try:
            self.authority = Authority(self.folder / "certificates")
            self.identities = {"admin": identities.admin()}
            self.identities.update({part.name: part.identity() for part in parts if part.identity})
            self.server = f"https://127.0.0.1:{self.port('apiserver')}"
            for part in parts:
                part.start(self)
        except BaseException as error:
            self._end(error)
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._end(error)

    def request(
        self, method: str, path: str, body: object = None, parameters: Mapping[str, str] | None = None
    ) -> Answer:
        """Send one request as the administrator; see `Client.request`."""
        return self.client.request(method, path, body, parameters)

    def create(self, objects: Iterable[dict[str, Any]]) -> None:
        """Create objects of any kind; what exists already stays as it is."""
        Applier(self.client).create(objects)

    def wait_for_definitions(self) -> None:
        """Return when every custom resource definition is established."""
        Applier(self.client).wait_for_definitions(_SECONDS)

    def port(self, use: str) -> int:
        """Return the port of 127.0.0.1 that is set aside for a use."""
        if use not in self._ports:
            self._ports[use] = next(self._free)
        return self._ports[use]

    def kubeconfig(self, name: str = "admin") -> Path:
        """Return a kubeconfig of the administrator or of a component."""
        path = self.folder / f"{name}.kubeconfig"
        return self.identities[name].kubeconfig(self.server, self.authority.own.certificate, path)

    def process(self, name: str) -> Process:
        """Return a component's process, for example to kill it."""
        return next(each for each in self._processes if each.name == name)

    def run(
        self,
        name: str,
        command: Sequence[str | Path],
        ready: Callable[[], bool],
        environment: Mapping[str, str] | None = None,
    ) -> None:
        """Start a component's program and return when it is ready.

        Raises:
            LabError: it ended, or was not ready in time; names its log.
        """
        process = Process(name, command, self._workspace.log(name), environment)
        self._processes.append(process)
        process.wait_until(ready, _SECONDS)
        self.seconds[name] = round(time.monotonic() - self._began, 1)

    def _end(self, error: BaseException | None) -> None:
        if hasattr(self, "client"):
            self.client.close()
        for process in reversed(self._processes):
            # The API server waits for open requests of a minute; nothing here is worth that.
            process.stop(grace=2.0)
        if error is None:
            self._workspace.remove()
        else:
            error.add_note(f"logs of the lab: {self._workspace.keep_logs()}")
