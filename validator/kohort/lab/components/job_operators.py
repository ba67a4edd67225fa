"""Start the optional operators of jobs: JobSet, and Trainer, which makes JobSets."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import yaml

from kohort.lab import jobset, trainer
from kohort.lab.build import module_folder
from kohort.lab.components.health import healthy, webhook_certificate

if TYPE_CHECKING:
    from pathlib import Path

    from kohort.lab.controlplane import ControlPlane
    from kohort.lab.upstream import Manifest

JOBSET, TRAINER = "jobset", "trainer"


def start_jobset(plane: ControlPlane) -> None:
    """Start JobSet's manager; its pods need the controllers and a scheduler."""
    module = module_folder(JOBSET, jobset.MODULE, cache=plane.cache)
    port, health = plane.port("jobset-webhook"), plane.port("jobset-health")
    certificates = plane.folder / JOBSET / "certificates"
    webhook_certificate(plane, jobset.OVERLAY, certificates)
    plane.create([*jobset.definitions(module), *jobset.access(module), jobset.OVERLAY.external_service()])
    plane.create(jobset.webhooks(module, port, plane.authority.bundle()))
    plane.wait_for_definitions()
    settings = jobset.configuration(health=health, webhook=port, certificates=certificates)
    _start(plane, JOBSET, settings, health)


def start_trainer(plane: ControlPlane) -> None:
    """Start Trainer's manager and give it the runtime `torch-distributed`."""
    module = module_folder(TRAINER, trainer.MODULE, cache=plane.cache)
    port, health = plane.port("trainer-webhook"), plane.port("trainer-health")
    # Its certificate's folder is fixed below the folder of temporary files.
    webhook_certificate(
        plane, trainer.OVERLAY, plane.folder / TRAINER / "k8s-webhook-server" / "serving-certs"
    )
    plane.create([*trainer.definitions(module), *trainer.access(module), trainer.OVERLAY.external_service()])
    plane.create(trainer.webhooks(module, port, plane.authority.bundle()))
    plane.wait_for_definitions()
    _start(plane, TRAINER, trainer.configuration(health=health, webhook=port), health)
    plane.create(trainer.runtimes(module))


def _start(plane: ControlPlane, name: str, settings: Manifest, health: int) -> None:
    path = plane.folder / f"{name}.yaml"
    path.write_text(yaml.safe_dump(settings), encoding="utf-8")
    environment = {
        **os.environ,
        "KUBECONFIG": str(plane.kubeconfig(name)),
        "TMPDIR": str(plane.folder / name),
    }
    command: list[str | Path] = [plane.programs[name], f"--config={path}"]
    plane.run(name, command, lambda: healthy(health), environment)
