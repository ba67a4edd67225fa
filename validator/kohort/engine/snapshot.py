"""Reading snapshots of clusters: files that `kubectl get -o json` or `-o yaml` wrote."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from kohort.diagnostics import Severity
from kohort.engine.usage import UsageProblem
from kohort.objects.intake import take_in
from kohort.objects.kube import KubeObject
from kohort.planner.state import State, is_job, read_state
from kohort.source.positions import line_of
from kohort.source.reader import LARGEST_FILE, read_file

_NAMED: Final = re.compile(r"([a-z0-9]([-a-z0-9.]*[a-z0-9])?)=(.+)")
_WANTED: Final = frozenset({"Workload", "ClusterQueue"})


def read_snapshot(files: Sequence[str]) -> Mapping[str, State] | None:
    """The state by name of cluster (empty: the only one there is) from texts FILE or NAME=FILE; None without any.

    Raises UsageProblem for files that cannot be read or hold nothing of Kueue's.
    """
    if not files:
        return None
    objects: dict[str, list[KubeObject]] = {}
    for text in files:
        named = _NAMED.fullmatch(text)
        name, file = (named[1], named[3]) if named and not Path(text).exists() else ("", text)
        objects.setdefault(name, []).extend(_read(file))
    return {name: read_state(some) for name, some in objects.items()}


def _read(file: str) -> list[KubeObject]:
    try:
        with Path(file).open("rb") as opened:
            data = opened.read(LARGEST_FILE + 1)
    except OSError as error:
        raise UsageProblem(f"cannot read the snapshot {file}: {error.strerror or error}") from error
    read = read_file(file, data)
    broken = next((finding for finding in read.findings if finding.severity is Severity.ERROR), None)
    if broken is not None:
        line = line_of(broken.primary.origin, data)
        where = file if line is None else f"{file}:{line}"
        raise UsageProblem(f"the snapshot {where} cannot be read: {broken.message}")
    objects = take_in([read]).objects
    if not any(obj.kind in _WANTED or is_job(obj) for obj in objects):
        raise UsageProblem(
            f"the snapshot {file} holds no Workload, no ClusterQueue and no job; make one with "
            "kubectl get workloads,clusterqueues -A -o yaml"
        )
    return objects


def state_of(states: Mapping[str, State] | None, clusters: Sequence[str]) -> dict[str, State]:
    """The state of each cluster. Raises UsageProblem where it is not said which cluster a file shows."""
    found = dict(states or {})
    unnamed = found.pop("", None)
    for name in found:
        if name not in clusters:
            raise UsageProblem(
                f"--snapshot {name}=…: there is no cluster {name} (there are: {', '.join(clusters)})"
            )
    if unnamed is not None:
        if len(clusters) != 1:
            raise UsageProblem(
                f"which cluster does the snapshot show? Write NAME=FILE with one of {', '.join(clusters) or 'none'}"
            )
        found[clusters[0]] = unnamed
    return found
