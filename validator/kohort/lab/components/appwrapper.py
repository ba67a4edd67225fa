"""Start the AppWrapper controller with its roles and webhooks."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from kohort.lab import appwrapper
from kohort.lab.components.health import healthy, rotated_certificate
from kohort.lab.components.kueue import appwrapper_module
from kohort.lab.ports import require_port

if TYPE_CHECKING:
    from pathlib import Path

    from kohort.lab.controlplane import ControlPlane


def start(plane: ControlPlane) -> None:
    """Start the controller; its definition is there already, since Kueue needs it.

    Raises:
        LabError: its fixed webhook port is taken, for example by another lab.
    """
    with plane.network.inside():
        require_port(appwrapper.WEBHOOK_PORT, "AppWrapper's webhook")
    module = appwrapper_module(plane)
    # The configured folder moves only the rotation's check; the server reads this one below TMPDIR.
    temporary = plane.folder / "appwrapper"
    certificates = temporary / "k8s-webhook-server" / "serving-certs"
    health = plane.port("appwrapper-health")
    plane.create(appwrapper.access(module))
    plane.create(
        [
            appwrapper.configuration(
                health=health,
                metrics=plane.port("appwrapper-metrics"),
                certificates=certificates,
                extra=plane.settings.appwrapper,
            ),
            appwrapper.OVERLAY.external_service(),
            rotated_certificate(plane, appwrapper.OVERLAY, certificates),
            *appwrapper.webhooks(module, plane.authority.bundle()),
        ]
    )
    environment = {
        **os.environ,
        "NAMESPACE": appwrapper.OVERLAY.namespace,
        "KUBECONFIG": str(plane.kubeconfig("appwrapper")),
        "TMPDIR": str(temporary),
    }
    command: list[str | Path] = [plane.programs["appwrapper"], f"--config={appwrapper.CONFIG_MAP}"]
    plane.run("appwrapper", command, lambda: healthy(health), environment)
