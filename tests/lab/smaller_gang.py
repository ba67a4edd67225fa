"""Lower how many pods of a gang suffice, and wait until they start."""

from __future__ import annotations

import time
from collections.abc import Callable

from kohort.lab.client import Client
from kohort.lab.patience import stretched

_MERGE, _AGAIN = "application/merge-patch+json", 5.0


def lower(client: Client, path: str, members: int, started: Callable[[], bool], seconds: float) -> None:
    """Write `minMember` of a PodGroup, and touch the group again every five seconds until its pods have started.

    Two watches of the second scheduler follow a PodGroup (scheduler-plugins v0.34.7, `pkg/coscheduling`): one wakes its
    pods, the other tells how many suffice. Where the first is faster the pods are refused by the old number, and
    nothing but a new pod or the next change of a group wakes them before five minutes are over.
    """
    end, touched = time.monotonic() + stretched(seconds), 0
    while not started():
        assert time.monotonic() < end, f"the gang does not start with {members} pods in {seconds:g} s"
        change = {"metadata": {"annotations": {"touched": f"{touched}"}}, "spec": {"minMember": members}}
        client.must("PATCH", path, change, content_type=_MERGE)
        touched, again = touched + 1, time.monotonic() + _AGAIN
        while time.monotonic() < again and not started():
            time.sleep(0.1)
