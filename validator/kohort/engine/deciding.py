"""What the base's rules say of a change: who must agree, guard rails, and policies on changes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from kohort.capacity import assess
from kohort.diagnostics import Finding
from kohort.diagnostics.report import arrange
from kohort.engine.accepting import accepted
from kohort.engine.half import Half
from kohort.engine.outcome import Settings
from kohort.model.repo import Repo
from kohort.objects.cluster import Cluster
from kohort.planner.authority import Actor, Change, decide
from kohort.planner.authority.guards import guards
from kohort.planner.effects.amounts import Amounts, amounts
from kohort.planner.plan import Measure, Plan
from kohort.planner.state import State


def decided(
    plan: Plan,
    base: Half,
    head: Half,
    onto: Repo,
    settings: Settings,
    states: Mapping[str, State] | None = None,
) -> Plan:
    """The plan with approvals, self-service and the findings of guard rails and policies on changes.

    `onto` is the branch that the change goes to as it stands: its rules, policies and people decide, not those of the
    commit that the change happens to start from.
    """
    unread = plan.base_errors or plan.head_errors
    if unread or base.repo.organisation is None or onto.organisation is None:
        return (
            plan  # what cannot be read whole is neither agreed to nor self-service; the plan names the errors
        )
    # one cluster for both sides is reached by the change, and nothing differs there
    both = {
        name: (base.clusters.get(name), head.clusters.get(name))
        for name in {*base.clusters, *head.clusters}
        if base.clusters.get(name) is not head.clusters.get(name)
    }
    differing = {name: cluster for name, cluster in base.clusters.items() if name in both}
    before = {name: amounts(cluster) for name, cluster in differing.items()}
    change = Change(
        base.repo,
        head.repo,
        onto,
        plan,
        tuple(
            sorted(f for f in {*base.digests, *head.digests} if base.digests.get(f) != head.digests.get(f))
        ),
        Actor(settings.actor, settings.actor_groups),
        _hardware(before),
        _largest_nodes(differing),
        both,
    )
    decision = decide(change)
    findings = [*plan.findings, *guards(change)]
    new: list[Finding] = []
    if onto.policies and change.files:
        from kohort.engine.policing_changes import (
            of_policies,  # CEL: a plan without policies does not wait for it
        )

        said = of_policies(change, base, head, states)
        findings += said.of_change
        new += said.of_state
    return replace(
        plan,
        findings=arrange(accepted(findings, base.repo, head.repo, onto, settings.at)),
        new=arrange([*plan.new, *accepted(new, base.repo, head.repo, onto, settings.at)]),
        approvals=decision.approvals,
        self_service=decision.granted,
    )


def _hardware(before: Mapping[str, Amounts]) -> dict[tuple[str, str, str], int]:
    return {
        (each.cluster, flavor, resource): row[Measure.HARDWARE]
        for each in before.values()
        for (kind, _, flavor, resource), row in each.rows.items()
        if kind == "flavor" and Measure.HARDWARE in row
    }


def _largest_nodes(clusters: Mapping[str, Cluster]) -> dict[tuple[str, str, str], int]:
    """What the largest node of each flavor has."""
    found: dict[tuple[str, str, str], int] = {}
    for name, cluster in clusters.items():
        for room in assess(cluster).headroom:
            found[name, room.flavor, room.resource] = room.node.units
    return found
