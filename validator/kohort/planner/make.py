"""From two sides to the plan."""

from __future__ import annotations

from collections.abc import Mapping

from kohort.diagnostics.report import arrange
from kohort.model.repo import Repo
from kohort.objects.cluster import Cluster
from kohort.planner.affected import affected, over_quota
from kohort.planner.changes import object_changes
from kohort.planner.effects.access import access
from kohort.planner.effects.amounts import Amounts, amounts
from kohort.planner.effects.compare import effects, ordered
from kohort.planner.effects.people import members
from kohort.planner.facts import Facts
from kohort.planner.findings import findings
from kohort.planner.plan import AccessChange, Effect, ObjectChange, OverQuota, Plan, WorkAffected
from kohort.planner.renames import renames
from kohort.planner.runbook import runbooks
from kohort.planner.scene import Scene
from kohort.planner.showing import shown
from kohort.planner.side import Side
from kohort.planner.state import State

_NOBODY = Repo(organisation=None)


def make(
    base: Side,
    head: Side,
    *,
    names: tuple[str, str] = ("base", "head"),
    states: Mapping[str, State] | None = None,
) -> Plan:
    """The plan of a change. Pure; `names` are how people call the two sides, `states` what runs, by cluster."""
    renamed = renames(base.repo, head.repo)
    teams = {one.before: one.after for one in renamed if one.kind == "Team"}
    found: list[Effect] = []
    rights: list[AccessChange] = []
    objects: list[ObjectChange] = []
    work: list[WorkAffected] = []
    over: list[OverQuota] = []
    known: dict[str, State] = {}
    for name in sorted({*base.clusters, *head.clusters}):
        before, after = base.clusters.get(name), head.clusters.get(name)
        state = states.get(name) if states else None
        if state is not None and state.jobs and before is not None:
            state = _played(before, state)
        if state is not None:
            known[name] = state
        scene = Scene(name, before, after, state) if state is not None else None
        changes: list[ObjectChange] = []
        if before is not after:  # one cluster for both sides: a change reaches it, and changes nothing there
            told = effects(_amounts(before, name), _amounts(after, name, before), teams)
            rights_here = access(before, after, name)
            facts = _facts(before, after, scene)
            slack = frozenset(queue for side in (before, after) if side for queue in side.slack_queues)
            changes = list(shown(object_changes(name, before, after, facts), told, rights_here, slack))
            found += told
            rights += rights_here
            objects += changes
        if scene is not None:
            work += affected(scene, changes)
            over += over_quota(scene)
    return Plan(
        *names,
        effects=ordered(found),
        members=members(base.repo or _NOBODY, head.repo or _NOBODY, teams),
        access=tuple(rights),
        objects=tuple(objects),
        renames=renamed,
        work=tuple(work),
        over_quota=tuple(over),
        runbooks=tuple(runbooks(objects, base.clusters, head.clusters, known)),
        findings=arrange(findings(objects, over, head.clusters, known)),
        snapshot=states is not None,
        alike=head.alike,
    )


def _facts(before: Cluster | None, after: Cluster | None, scene: Scene | None) -> Facts:
    if scene is None:
        return Facts(before, after)
    return Facts(before, after, scene.state.idle, scene.state.awaited, scene.outgrows)


def _played(cluster: Cluster, state: State) -> State:
    from kohort.planner.submitted import with_submitted  # only who has no Workloads needs the simulator

    return with_submitted(cluster, state)


def _amounts(cluster: Cluster | None, name: str, beside: Cluster | None = None) -> Amounts:
    return amounts(cluster, beside) if cluster is not None else Amounts(name)
