"""Start Kueue's manager with its definitions, roles and webhooks."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import yaml

from kohort.lab import appwrapper, kueue, visibility
from kohort.lab.build import module_folder
from kohort.lab.components.health import healthy, rotated_certificate

if TYPE_CHECKING:
    from pathlib import Path

    from kohort.lab.controlplane import ControlPlane

_MODULE = "sigs.k8s.io/kueue"
_OPERATORS = {"jobset": "jobset.x-k8s.io/jobset", "trainer": "trainer.kubeflow.org/trainjob"}
_AUTOSCALER = "k8s.io/autoscaler/cluster-autoscaler/apis"


def start(plane: ControlPlane) -> None:
    """Start the manager; it is ready when a ClusterQueue of either version gets a verdict."""
    module = module_folder("kueue", _MODULE, cache=plane.cache)
    bundle = plane.authority.bundle()
    ports = [plane.port(f"kueue-{use}") for use in ("webhook", "health", "metrics", "visibility")]
    certificates = plane.folder / "kueue"
    frameworks = ["batch/job", *(kind for name, kind in _OPERATORS.items() if name in plane.components)]
    plane.create(kueue.definitions(module, ports[0], bundle))
    # Only what is there at its start can be provisioned for: else such AdmissionChecks are never Active.
    plane.create(kueue.provisioning(module_folder("kueue", _AUTOSCALER, cache=plane.cache)))
    if "appwrapper" in plane.components:  # Kueue looks for its definition at start
        frameworks.append("workload.codeflare.dev/appwrapper")
        plane.create(appwrapper.definitions(appwrapper_module(plane)))
    plane.create(kueue.access(module))
    plane.create(visibility.access(module))
    plane.create([kueue.OVERLAY.external_service(), rotated_certificate(plane, kueue.OVERLAY, certificates)])
    plane.create(kueue.webhooks(module, ports[0], bundle))
    plane.wait_for_definitions()
    settings = kueue.configuration(
        ports=ports,
        certificates=certificates,
        frameworks=frameworks,
        extra=plane.settings.kueue,
    )
    path = plane.folder / "kueue.yaml"
    path.write_text(yaml.safe_dump(settings), encoding="utf-8")
    command: list[str | Path] = [
        plane.programs["kueue"],
        f"--config={path}",
        f"--kubeconfig={plane.kubeconfig('kueue')}",
        "--zap-log-level=2",
    ]
    # Where the manager runs in a pod it learns its namespace from there; TMPDIR keeps others' files out.
    environment = {
        **os.environ,
        "POD_NAMESPACE": kueue.OVERLAY.namespace,
        "TMPDIR": str(plane.folder),
    }
    (plane.folder / visibility.FOLDER).mkdir(exist_ok=True)
    plane.run(
        "kueue", command, lambda: healthy(ports[1]) and _judges(plane), environment, folder=plane.folder
    )
    plane.create(visibility.services(module, ports[3]))


def appwrapper_module(plane: ControlPlane) -> Path:
    """Return the folder of AppWrapper's Go module."""
    return module_folder("appwrapper", "github.com/project-codeflare/appwrapper", cache=plane.cache)


def _judges(plane: ControlPlane) -> bool:
    """Ask for a verdict that only the webhook gives, and for one by way of conversion."""
    for version in ("v1beta2", "v1beta1"):
        queue = {
            "apiVersion": f"kueue.x-k8s.io/{version}",
            "kind": "ClusterQueue",
            "metadata": {"name": "is-kueue-ready"},
        }
        path = f"/apis/kueue.x-k8s.io/{version}/clusterqueues"
        if not plane.client.request("POST", path, queue, {"dryRun": "All"}).ok:
            return False
    return True
