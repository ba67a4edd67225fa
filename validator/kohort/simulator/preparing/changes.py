"""Edits of a scenario as calls on the objects that stand when they come."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from kohort.diagnostics import Finding
from kohort.diagnostics.suggest import did_you_mean
from kohort.model.codes import finding
from kohort.model.repo import Repo
from kohort.model.scenario import Change, ObjectChange, QuotaChange, Scenario
from kohort.model.shown import shown
from kohort.objects.kube import KubeObject, Typed
from kohort.simulator.edits.objects import NoSuchQuotaError, edited
from kohort.simulator.edits.team import quota_objects, with_line
from kohort.simulator.objects import FOLLOWED
from kohort.simulator.preparing.ready import Deleted, Edit, Objects
from kohort.spans import Origin, Path


def edits_of(
    scenario: Scenario, objects: Objects, repo: Repo | None
) -> tuple[list[tuple[int, Edit]], list[Finding]]:
    """The edits in order of time, and what is wrong with them.

    Edits of teams' lines add up: each is compiled with those before it.
    """
    made: list[tuple[int, Edit]] = []
    findings: list[Finding] = []
    current = repo
    there = set(objects)
    for change in sorted(scenario.changes, key=lambda change: change.at):
        if isinstance(change, ObjectChange):
            wrong = _unfollowed(scenario, change) or _gone(scenario, change, there)
            if wrong is None:
                made.append((change.at, _object_edit(change, scenario)))
            else:
                findings.append(wrong)
        elif change.team and current is not None:
            current = with_line(current, scenario.cluster, change)
            made.append((change.at, _team_edit(current, scenario.cluster)))
        elif change.team:
            text = f"Scenario {scenario.name}: plain manifests know no teams; name the ClusterQueue"
            findings.append(_wrong(scenario, change, "team", text))
        else:
            found = _missing(scenario, change, objects)
            if found is None:
                made.append((change.at, _quota_edit(change)))
            else:
                findings.append(found)
    return made, findings


def _unfollowed(scenario: Scenario, change: ObjectChange) -> Finding | None:
    """A kind that means nothing to a run is a mistake: nobody would notice that nothing happens."""
    field, kind = (
        ("apply", str(change.apply.get("kind"))) if change.apply is not None else ("remove", change.kind)
    )
    if kind in FOLLOWED:
        return None
    near = did_you_mean(kind, FOLLOWED)
    hint = f"; did you mean `{near[0]}`?" if near else ""
    text = f"Scenario {scenario.name}: no run follows objects of kind {shown(kind)}{hint}"
    return _wrong(scenario, change, (field, "kind"), text, (f"kinds: {', '.join(sorted(FOLLOWED))}",))


def _gone(scenario: Scenario, change: ObjectChange, there: set[tuple[str, str, str]]) -> Finding | None:
    """What is removed has to be there by then; `there` is brought up to date."""
    if change.apply is not None:
        obj = _applied(change.apply, scenario.at(*change.path, "apply"))
        there.add((obj.kind, obj.namespace, obj.name))
        return None
    key = (change.kind, change.namespace, change.name)
    if key in there:
        there.remove(key)
        return None
    names = sorted(
        f"{namespace}/{name}" if namespace else name for kind, namespace, name in there if kind == change.kind
    )
    mine = f"{change.namespace}/{change.name}" if change.namespace else change.name
    return _absent(scenario, change, ("remove", "name"), f"{change.kind} {mine}", mine, names)


def _applied(data: Mapping[str, Any], origin: Origin) -> KubeObject:
    metadata = data.get("metadata")
    named = metadata if isinstance(metadata, dict) else {}
    return KubeObject(
        str(data.get("apiVersion", "")),
        str(data.get("kind", "")),
        str(named.get("name", "")),
        str(named.get("namespace") or ""),
        data,
        Typed(origin.file, origin.document, origin.path),
    )


def applied_objects(scenario: Scenario) -> list[KubeObject]:
    """The objects that a scenario applies, at their places in its file."""
    return [
        _applied(change.apply, scenario.at(*change.path, "apply"))
        for change in scenario.changes
        if isinstance(change, ObjectChange) and change.apply is not None
    ]


def _object_edit(change: ObjectChange, scenario: Scenario) -> Edit:
    if change.apply is None:
        gone = Deleted(change.kind, change.namespace, change.name)
        return lambda _: [gone]
    obj = _applied(change.apply, scenario.at(*change.path, "apply"))
    return lambda _: [obj]


def _team_edit(repo: Repo, cluster: str) -> Edit:
    def edit(objects: Objects) -> list[KubeObject | Deleted]:
        made = quota_objects(repo, cluster)
        return [obj for obj in made if _differs(objects, obj)]

    return edit


def _differs(objects: Objects, obj: KubeObject) -> bool:
    before = objects.get((obj.kind, obj.namespace, obj.name))
    return before is None or before.data.get("spec") != obj.data.get("spec")


def _quota_edit(change: QuotaChange) -> Edit:
    kind, name = _target(change)

    def edit(objects: Objects) -> list[KubeObject | Deleted]:
        obj = objects.get((kind, "", name))
        try:
            return [] if obj is None else [edited(obj, change)]
        except (
            NoSuchQuotaError
        ):  # an earlier edit took it away; what was there at the start was judged before
            return []

    return edit


def _target(change: QuotaChange) -> tuple[str, str]:
    return ("ClusterQueue", change.cluster_queue) if change.cluster_queue else ("Cohort", change.cohort)


def _missing(scenario: Scenario, change: QuotaChange, objects: Objects) -> Finding | None:
    kind, name = _target(change)
    field = "clusterQueue" if change.cluster_queue else "cohort"
    applied = {obj.name for obj in applied_objects(scenario) if obj.kind == kind}
    obj = objects.get((kind, "", name))
    if obj is None and name not in applied:
        known = sorted(each[2] for each in objects if each[0] == kind)
        return _absent(scenario, change, field, f"{kind} {name}", name, known)
    if obj is not None:
        try:
            edited(obj, change)
        except NoSuchQuotaError as problem:
            return _wrong(scenario, change, "flavor", f"Scenario {scenario.name}: {problem}")
    return None


def _absent(
    scenario: Scenario, change: Change, field: str | Path, what: str, name: str, known: Iterable[str]
) -> Finding:
    names = list(known)
    near = did_you_mean(name, names)
    hint = f"; did you mean `{near[0]}`?" if near else ""
    text = f"Scenario {scenario.name}: there is no {what}{hint}"
    return _wrong(scenario, change, field, text, (f"there are: {', '.join(names[:10]) or 'none'}",))


def _wrong(
    scenario: Scenario, change: Change, field: str | Path, text: str, help_: tuple[str, ...] = ()
) -> Finding:
    where = scenario.at(*change.path, *((field,) if isinstance(field, str) else field))
    return finding("SRC131", text, where, subject=f"Scenario {scenario.name}", help=help_)
