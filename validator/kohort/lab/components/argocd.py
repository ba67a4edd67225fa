"""Start Argo CD as its core installation has it: Redis, repository server and two controllers."""

from __future__ import annotations

import os
import shutil
import socket
from typing import TYPE_CHECKING

from kohort.lab import argo
from kohort.lab.build import module_folder
from kohort.lab.components.health import answers
from kohort.lab.failure import LabError
from kohort.lab.redis import find_redis

if TYPE_CHECKING:
    from pathlib import Path

    from kohort.lab.controlplane import ControlPlane

REDIS, REPOSITORIES, CONTROLLER, SETS = "redis", "argo-repo", "argo-controller", "argo-sets"
_RESYNC = 10  # seconds between two looks at each application


def start_redis(plane: ControlPlane) -> None:
    """Start Redis without any file."""
    found = find_redis(plane.cache, plane.report)
    port = plane.port(REDIS)
    command: list[str | Path] = [
        found.program, "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no",
    ]  # fmt: skip

    def ready() -> bool:
        with socket.create_connection(("127.0.0.1", port), timeout=2) as asking:
            asking.sendall(b"PING\r\n")
            return asking.recv(16).startswith(b"+PONG")

    plane.run(REDIS, command, ready, found.environment(), wait=False)


def start_repositories(plane: ControlPlane) -> None:
    """Create Argo CD's objects and start the server that reads Git repositories."""
    if not shutil.which("git"):
        raise LabError("Argo CD needs the git program")
    module = module_folder("argocd", argo.MODULE, cache=plane.cache)
    plane.create(argo.definitions(module))
    plane.create(argo.objects(module, plane.settings.argo))
    plane.wait_for_definitions()
    plane.create([argo.default_project()])
    _prepare(plane, module)
    metrics = plane.port(f"{REPOSITORIES}-metrics")
    _start(
        plane,
        REPOSITORIES,
        "argocd-repo-server",
        f"http://127.0.0.1:{metrics}/healthz?full=true",
        "--address=127.0.0.1",
        f"--port={plane.port(REPOSITORIES)}",
        "--metrics-address=127.0.0.1",
        f"--metrics-port={metrics}",
        "--disable-tls",
        "--client-ca-path=",  # its default exists beside --disable-tls only to be refused
        f"--redis=127.0.0.1:{plane.port(REDIS)}",
        "--revision-cache-expiration=5s",
    )


def start_controller(plane: ControlPlane) -> None:
    """Start the controller of applications; its metrics listen on all interfaces."""
    metrics = plane.port(f"{CONTROLLER}-metrics")
    _start(
        plane,
        CONTROLLER,
        "argocd-application-controller",
        f"http://127.0.0.1:{metrics}/healthz",
        f"--metrics-port={metrics}",
        f"--redis=127.0.0.1:{plane.port(REDIS)}",
        f"--repo-server=127.0.0.1:{plane.port(REPOSITORIES)}",
        "--repo-server-plaintext",
        f"--app-resync={_RESYNC}",
        "--app-resync-jitter=0",
        f"--kubeconfig={plane.kubeconfig(CONTROLLER, namespace=argo.NAMESPACE)}",
        f"--namespace={argo.NAMESPACE}",
    )


def start_sets(plane: ControlPlane) -> None:
    """Start the controller of application sets; it has no page for its health, so its metrics are asked."""
    metrics = plane.port(f"{SETS}-metrics")
    _start(
        plane,
        SETS,
        "argocd-applicationset-controller",
        f"http://127.0.0.1:{metrics}/metrics",
        f"--metrics-addr=127.0.0.1:{metrics}",
        f"--probe-addr=127.0.0.1:{plane.port(f'{SETS}-probe')}",
        f"--webhook-addr=127.0.0.1:{plane.port(f'{SETS}-webhook')}",
        f"--argocd-repo-server=127.0.0.1:{plane.port(REPOSITORIES)}",
        "--repo-server-plaintext",
        f"--kubeconfig={plane.kubeconfig(SETS, namespace=argo.NAMESPACE)}",
        f"--namespace={argo.NAMESPACE}",
    )


def _prepare(plane: ControlPlane, module: Path) -> None:
    """Lay out the folders that all three read."""
    root = plane.folder / "argo"
    for name in ("bin", "tls", "ssh", "gpg", "gpg-data", "plugins", "tmp", "home"):
        (root / name).mkdir(parents=True)
    (root / "gpg").chmod(0o700)
    (root / "ssh" / "ssh_known_hosts").touch()
    (root / "gitconfig").write_text("[safe]\n\tdirectory = *\n", encoding="utf-8")
    script = root / "bin" / argo.VERIFY_SCRIPT
    script.write_bytes((module / "hack" / argo.VERIFY_SCRIPT).read_bytes())
    script.chmod(0o755)


def _start(plane: ControlPlane, name: str, binary: str, page: str, *flags: str) -> None:
    root = plane.folder / "argo"
    environment = {
        **os.environ,
        "ARGOCD_BINARY_NAME": binary,
        # Makes the address that applications name for "here" mean the kubeconfig.
        "ARGOCD_FAKE_IN_CLUSTER": "true",
        "ARGOCD_TLS_DATA_PATH": str(root / "tls"),
        "ARGOCD_SSH_DATA_PATH": str(root / "ssh"),
        "ARGOCD_GNUPGHOME": str(root / "gpg"),
        "ARGOCD_GPG_DATA_PATH": str(root / "gpg-data"),
        "ARGOCD_GPG_ENABLED": "false",
        "ARGOCD_PLUGINSOCKFILEPATH": str(root / "plugins"),
        "KUBECONFIG": str(plane.kubeconfig(name, namespace=argo.NAMESPACE)),
        "GIT_CONFIG_GLOBAL": str(root / "gitconfig"),
        "HOME": str(root / "home"),
        "TMPDIR": str(root / "tmp"),
        "PATH": f"{root / 'bin'}{os.pathsep}{os.environ.get('PATH', '')}",
    }
    command: list[str | Path] = [plane.programs["argocd"], *flags]
    plane.run(name, command, lambda: answers(page), environment, wait=False)
