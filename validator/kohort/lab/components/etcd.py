"""Start etcd."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kohort.lab.components.health import answers

if TYPE_CHECKING:
    from pathlib import Path

    from kohort.lab.controlplane import ControlPlane


def start(plane: ControlPlane) -> None:
    """Start etcd; it does not sync to disk, since a lab's data is thrown away."""
    client = f"http://127.0.0.1:{plane.port('etcd')}"
    peer = f"http://127.0.0.1:{plane.port('etcd-peers')}"
    command: list[str | Path] = [
        plane.programs["etcd"], "--name=lab", f"--data-dir={plane.folder / 'etcd'}",
        "--unsafe-no-fsync", "--log-level=warn",
        f"--listen-client-urls={client}", f"--advertise-client-urls={client}",
        f"--listen-peer-urls={peer}", f"--initial-advertise-peer-urls={peer}",
        f"--initial-cluster=lab={peer}",
    ]  # fmt: skip
    plane.run("etcd", command, lambda: answers(f"{client}/health"))
