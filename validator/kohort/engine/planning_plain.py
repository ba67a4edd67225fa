"""The plan between two sets of plain Kubernetes manifests, each one cluster."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from kohort.diagnostics import Consequence, Finding, Severity
from kohort.diagnostics.identity import fingerprints
from kohort.diagnostics.report import arrange
from kohort.engine.judge import judge_cluster
from kohort.engine.outcome import Settings
from kohort.engine.planning import Planned
from kohort.engine.reading import TreeSet, read_all
from kohort.engine.snapshot import state_of
from kohort.objects.cluster import Cluster
from kohort.objects.intake import take_in
from kohort.objects.slack import slack_queues
from kohort.planner.make import make
from kohort.planner.side import Side
from kohort.planner.state import State
from kohort.source.collector import no_collection
from kohort.source.positions import Positions
from kohort.source.tree import WorkDir


def plan_manifests(
    old: str, new: str, settings: Settings, *, snapshot: Mapping[str, State] | None = None
) -> Planned:
    """The plan between two files or folders."""
    with no_collection():
        before, told_before, base = _read(old, settings)
        after, told_after, head = _read(new, settings)
        states = None if snapshot is None else state_of(snapshot, [""])
        plan = make(Side({"": before}), Side({"": after}), names=(old, new), states=states)
        known = set(fingerprints(_moved(f, old) for f in told_before))
        now = set(fingerprints(_moved(f, new) for f in told_after))
        plan = replace(
            plan,
            new=tuple(f for f in told_after if fingerprints([_moved(f, new)])[0] not in known),
            fixed=tuple(f for f in told_before if fingerprints([_moved(f, old)])[0] not in now),
            base_errors=_unreadable(told_before),
            head_errors=_unreadable(told_after),
        )
    return Planned(plan, base, head)


def _read(path: str, settings: Settings) -> tuple[Cluster, tuple[Finding, ...], Positions]:
    tree = TreeSet([WorkDir(Path(), [path])])
    intake = take_in(read_all(tree, settings.progress))
    cluster = Cluster(intake.objects, kueue=settings.kueue)
    cluster.slack_queues = slack_queues(cluster)
    found = [*tree.problems, *intake.findings, *judge_cluster(cluster, read=intake.findings)]
    return cluster, arrange(found), Positions(tree.read_or_none)


def _moved(finding: Finding, root: str) -> Finding:
    """The finding with its file counted from the compared path, so that both sides name it alike."""
    origin = finding.primary.origin
    file = "" if origin.file == root else os.path.relpath(origin.file, root)
    return replace(finding, primary=replace(finding.primary, origin=origin._replace(file=file)))


def _unreadable(findings: Sequence[Finding]) -> tuple[Finding, ...]:
    return tuple(f for f in findings if f.consequence is Consequence.INVALID and f.severity is Severity.ERROR)
