"""`python -m kohort.lab.holder`: the process that holds a lab in the background until it is told to end."""

from __future__ import annotations

import os
import signal
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING

from kohort.lab import standing
from kohort.lab.build import to_stderr
from kohort.lab.compiled import surroundings
from kohort.lab.controlplane import ControlPlane
from kohort.lab.failure import LabError
from kohort.lab.organisation import load
from kohort.lab.turn import Turn

if TYPE_CHECKING:
    from types import FrameType


def main(arguments: list[str]) -> int:
    """Hold a lab.

    Args:
        arguments: repository root (empty for none), cluster (empty for the only one), components.
    """
    root, cluster, *components = arguments
    ended = threading.Event()

    def end(_number: int, _frame: FrameType | None) -> None:
        if ended.is_set() or not ready:
            raise SystemExit(1)  # still starting: leave the block now
        ended.set()

    ready = False
    signal.signal(signal.SIGTERM, end)
    signal.signal(signal.SIGINT, end)
    only = Turn(standing.state_file().with_suffix(".lock"), "the place of the standing lab")
    try:
        only.take(0, to_stderr)
        given = load(Path(root), cluster) if root else None
        with ControlPlane(components, settings=given.settings if given else None) as plane:
            if given:
                plane.create(surroundings(given))
                plane.nodes.add(given.nodes)
            standing.write(
                standing.Standing(
                    pid=os.getpid(),
                    born=standing.born(os.getpid()),
                    kubeconfig=str(plane.kubeconfig(outside=True)),
                    port=plane.outside("apiserver"),
                    authority=str(plane.authority.own.certificate),
                    token=plane.identities["admin"].token,
                    components=plane.components,
                    seconds=plane.seconds,
                    processes={name: each.pid for name, each in plane.processes().items()},
                    private=plane.network.private,
                )
            )
            ready = True
            ended.wait()
    except LabError as error:
        to_stderr("\n".join((str(error), *getattr(error, "__notes__", ()))))
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
