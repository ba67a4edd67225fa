"""Start kwok, which plays nodes and pods."""

from __future__ import annotations

from typing import TYPE_CHECKING

import yaml

from kohort.lab import kwok
from kohort.lab.build import module_folder
from kohort.lab.components.health import answers

if TYPE_CHECKING:
    from pathlib import Path

    from kohort.lab.controlplane import ControlPlane


def start(plane: ControlPlane) -> None:
    """Start kwok for every node."""
    module = module_folder("kwok", "sigs.k8s.io/kwok", cache=plane.cache)
    plane.create(kwok.access(module))
    path = plane.folder / "kwok.yaml"
    path.write_text(yaml.safe_dump_all(kwok.configuration(module)), encoding="utf-8")
    port = plane.port("kwok")
    command: list[str | Path] = [
        plane.programs["kwok"],
        f"--kubeconfig={plane.kubeconfig('kwok')}",
        f"--config={path}",
        "--manage-all-nodes",
        "--node-lease-duration-seconds=0",
        f"--server-address=127.0.0.1:{port}",
    ]
    plane.run("kwok", command, lambda: answers(f"http://127.0.0.1:{port}/healthz"), wait=False)
