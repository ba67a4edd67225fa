"""Edits of a scenario as calls on the objects that stand when they come."""

from __future__ import annotations

from collections.abc import Iterable

from kohort.diagnostics import Finding
from kohort.diagnostics.suggest import did_you_mean
from kohort.model.codes import finding
from kohort.model.repo import Repo
from kohort.model.scenario import ObjectChange, QuotaChange, Scenario
from kohort.objects.kube import KubeObject, Typed
from kohort.simulator.edits.objects import NoSuchQuotaError, edited
from kohort.simulator.edits.team import quota_objects, with_line
from kohort.simulator.preparing.ready import Deleted, Edit, Objects


def edits_of(
    scenario: Scenario, objects: Objects, repo: Repo | None
) -> tuple[list[tuple[int, Edit]], list[Finding]]:
    """The edits in order of time, and what is wrong with them.

    Edits of teams' lines add up: each is compiled with those before it.
    """
    made: list[tuple[int, Edit]] = []
    findings: list[Finding] = []
    current = repo
    for change in sorted(scenario.changes, key=lambda change: change.at):
        if isinstance(change, ObjectChange):
            made.append((change.at, _object_edit(change, scenario)))
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


def _object_edit(change: ObjectChange, scenario: Scenario) -> Edit:
    if change.apply is None:
        gone = Deleted(change.kind, change.namespace, change.name)
        return lambda _: [gone]
    data = change.apply
    metadata = data.get("metadata")
    named = metadata if isinstance(metadata, dict) else {}
    origin = scenario.at(*change.path, "apply")
    obj = KubeObject(
        str(data.get("apiVersion", "")),
        str(data.get("kind", "")),
        str(named.get("name", "")),
        str(named.get("namespace", "")),
        data,
        Typed(origin.file, origin.document, origin.path),
    )
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
    applied = {
        str((each.apply.get("metadata") or {}).get("name"))
        for each in scenario.changes
        if isinstance(each, ObjectChange) and each.apply is not None and each.apply.get("kind") == kind
    }
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
    scenario: Scenario, change: QuotaChange, field: str, what: str, name: str, known: Iterable[str]
) -> Finding:
    names = list(known)
    near = did_you_mean(name, names)
    hint = f"; did you mean `{near[0]}`?" if near else ""
    text = f"Scenario {scenario.name}: there is no {what}{hint}"
    return _wrong(scenario, change, field, text, (f"there are: {', '.join(names[:10]) or 'none'}",))


def _wrong(
    scenario: Scenario, change: QuotaChange, field: str, text: str, help_: tuple[str, ...] = ()
) -> Finding:
    where = scenario.at(*change.path, field)
    return finding("SRC131", text, where, subject=f"Scenario {scenario.name}", help=help_)
