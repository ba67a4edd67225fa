"""Start the second scheduler: the unmodified command of scheduler-plugins, with gangs and packing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import yaml

from kohort.lab import gangs
from kohort.lab.build import module_folder
from kohort.lab.components.core import secure_ready, serving_flags

if TYPE_CHECKING:
    from pathlib import Path

    from kohort.lab.controlplane import ControlPlane

NAME = "second-scheduler"
_MODULE = "sigs.k8s.io/scheduler-plugins"


def start(plane: ControlPlane) -> None:
    """Start it with the configuration of the lab's settings, its pod groups defined before."""
    plane.create(gangs.definitions(module_folder("schedulerplugins", _MODULE, cache=plane.cache)))
    plane.create(gangs.access())
    plane.wait_for_definitions()
    path = plane.folder / f"{NAME}.yaml"
    settings = gangs.configuration(plane.settings.scheduler, plane.kubeconfig(NAME))
    path.write_text(yaml.safe_dump(settings), encoding="utf-8")
    command: list[str | Path] = [
        plane.programs["scheduler-plugins"],
        f"--config={path}",
        *serving_flags(plane, NAME),
    ]
    plane.run(NAME, command, secure_ready(plane, NAME), wait=False)
