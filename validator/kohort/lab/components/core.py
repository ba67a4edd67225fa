"""Start Kubernetes' own controllers and its scheduler."""

from __future__ import annotations

import ssl
import urllib.request
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from kohort.lab.controlplane import ControlPlane


def start_controllers(plane: ControlPlane) -> None:
    """Start kube-controller-manager; node lifecycle stays on, since kwok renews the leases."""
    certificates = plane.folder / "certificates"
    _start(
        plane,
        "controllers",
        "kube-controller-manager",
        "--use-service-account-credentials=true",
        f"--service-account-private-key-file={certificates / 'service-accounts.key'}",
        f"--root-ca-file={plane.authority.own.certificate}",
    )


def start_scheduler(plane: ControlPlane) -> None:
    """Start kube-scheduler."""
    _start(plane, "scheduler", "kube-scheduler")


def _start(plane: ControlPlane, name: str, program: str, *more: str) -> None:
    port = plane.port(name)
    account = plane.kubeconfig(name)
    serving = plane.authority.issue(name, "IP:127.0.0.1")
    command: list[str | Path] = [
        plane.programs[program],
        f"--kubeconfig={account}",
        f"--authentication-kubeconfig={account}",
        f"--authorization-kubeconfig={account}",
        "--leader-elect=false",
        "--bind-address=127.0.0.1",
        f"--secure-port={port}",
        f"--tls-cert-file={serving.certificate}",
        f"--tls-private-key-file={serving.key}",
        *more,
    ]
    trust = ssl.create_default_context(cafile=str(plane.authority.own.certificate))

    def ready() -> bool:
        with urllib.request.urlopen(f"https://127.0.0.1:{port}/healthz", timeout=2, context=trust) as page:
            return bool(page.read() == b"ok")

    plane.run(name, command, ready)
