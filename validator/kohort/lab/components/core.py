"""Start Kubernetes' own controllers and its scheduler."""

from __future__ import annotations

import ssl
from typing import TYPE_CHECKING

from kohort.lab.components.health import answers

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from kohort.lab.controlplane import ControlPlane


def start_controllers(plane: ControlPlane) -> None:
    """Start kube-controller-manager; node lifecycle stays on, since kwok's nodes report in time."""
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


def serving_flags(plane: ControlPlane, name: str) -> list[str]:
    """Return what Kubernetes' own servers need to serve on loopback and to ask who their callers are."""
    account = plane.kubeconfig(name)
    serving = plane.authority.issue(name, "IP:127.0.0.1")
    return [
        f"--authentication-kubeconfig={account}",
        f"--authorization-kubeconfig={account}",
        "--bind-address=127.0.0.1",
        f"--secure-port={plane.port(name)}",
        f"--tls-cert-file={serving.certificate}",
        f"--tls-private-key-file={serving.key}",
    ]


def secure_ready(plane: ControlPlane, name: str) -> Callable[[], bool]:
    """Return the question whether such a server is healthy."""
    trust = ssl.create_default_context(cafile=str(plane.authority.own.certificate))
    url = f"https://127.0.0.1:{plane.port(name)}/healthz"
    return lambda: answers(url, trust)


def _start(plane: ControlPlane, name: str, program: str, *more: str) -> None:
    command: list[str | Path] = [
        plane.programs[program],
        f"--kubeconfig={plane.kubeconfig(name)}",
        "--leader-elect=false",
        *serving_flags(plane, name),
        *more,
    ]
    plane.run(name, command, secure_ready(plane, name), wait=False)
