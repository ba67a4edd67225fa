"""The plan between two sets of plain Kubernetes manifests, each one cluster."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from kohort.diagnostics import Finding, Report
from kohort.diagnostics.report import arrange
from kohort.engine.judge import judge_cluster
from kohort.engine.outcome import Settings
from kohort.engine.planning import Planned, differing, unreadable
from kohort.engine.reading import TreeSet, read_all
from kohort.engine.settle import settle
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
        appeared, vanished = differing(told_before, told_after, partial(_below, old), partial(_below, new))
        plan = replace(
            plan,
            new=_of_the_change(appeared),
            fixed=_of_the_change(vanished),
            base_errors=unreadable(told_before),
            head_errors=unreadable(told_after),
        )
    return Planned(plan, base, head, ({"": before}, {"": after}))


def _read(path: str, settings: Settings) -> tuple[Cluster, tuple[Finding, ...], Positions]:
    tree = TreeSet([WorkDir(Path(), [path])])
    intake = take_in(read_all(tree, settings.progress))
    cluster = Cluster(intake.objects, kueue=settings.kueue)
    cluster.slack_queues = slack_queues(cluster)
    found = [*tree.problems, *intake.findings, *judge_cluster(cluster, read=intake.findings)]
    places = Positions(tree.read_or_none)
    report = settle(Report(findings=arrange(found)), places, tree, settings).report
    return cluster, report.findings, places


def _of_the_change(found: Sequence[Finding]) -> tuple[Finding, ...]:
    """Without those on Workloads: an export of a cluster holds what runs there, which is no part of a change."""
    return tuple(one for one in found if not one.subject.startswith("Workload "))


def _below(root: str, file: str) -> str:
    """A file counted from the compared path, so that both sides name it alike."""
    return "" if file == root else os.path.relpath(file or ".", root or ".")
