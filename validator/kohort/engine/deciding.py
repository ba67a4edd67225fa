"""What the base's rules say of a change: who must agree, guard rails, and policies on changes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from kohort.capacity import assess
from kohort.compiler.build import build_cluster
from kohort.compiler.reaching import by_cluster
from kohort.diagnostics import Finding
from kohort.diagnostics.report import arrange
from kohort.engine.accepting import accepted
from kohort.engine.outcome import Settings
from kohort.engine.policing import declarations, named, pods, subjects
from kohort.model.policy import Policy
from kohort.model.repo import Repo
from kohort.objects.cluster import Cluster
from kohort.planner.authority import Actor, Change, decide
from kohort.planner.authority.guards import guards
from kohort.planner.delta import delta
from kohort.planner.effects.amounts import Amounts, amounts
from kohort.planner.plan import Measure, Plan
from kohort.planner.state import State
from kohort.planner.view import View, view
from kohort.policy.cel import Evaluator
from kohort.policy.judge import judge, uncompiled
from kohort.policy.subject import Asked

_VIOLATED = "POL201"


@dataclass(frozen=True, slots=True)
class Half:
    """One side: its declarations, the clusters that differ, and the digest of each file."""

    repo: Repo
    clusters: Mapping[str, Cluster]
    digests: Mapping[str, bytes]


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
        with Evaluator() as evaluator:
            views = _views(base, head, states)
            said = _policies(change, views, base, head, evaluator)
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


@dataclass(frozen=True, slots=True)
class _Said:
    """What policies say of the change itself, and of what stands after it and did not before."""

    of_change: list[Finding]
    of_state: list[Finding]


def _views(base: Half, head: Half, states: Mapping[str, State] | None) -> tuple[View, View]:
    """Both sides whole: a policy that adds up over clusters must see those that do not differ as well."""
    differing = {*base.clusters, *head.clusters}
    alike = {
        name: build_cluster(reached, name)[0].cluster
        for name, reached in by_cluster(base.repo).items()
        if name not in differing
    }
    first, second = (_view(half, alike, states) for half in (base, head))
    return first, second


def _view(half: Half, alike: Mapping[str, Cluster], states: Mapping[str, State] | None) -> View:
    return view(half.repo, {**alike, **half.clusters}, states)


def _policies(
    change: Change, views: tuple[View, View], base: Half, head: Half, evaluator: Evaluator
) -> _Said:
    """What the branch's policies say; the head's own take effect when they are merged."""
    actor = {
        "name": change.actor.name,
        "groups": list(change.actor.groups),
        "admin": change.actor.among(change.admins()),
        "teams": [name for name, team in change.onto.teams.items() if change.actor.among(team.admins)],
    }
    for name, seen in zip(("base", "head"), views, strict=True):
        evaluator.know(name, {"repository": seen, "actor": actor})
    said = _Said([], [])
    for policy in change.onto.policies.values():
        broken = list(uncompiled(policy, evaluator))
        if broken:
            said.of_change.extend(broken)
        elif policy.change:
            said.of_change.extend(judge(policy, _changed(policy, change, *views), evaluator, ("head",)))
        else:
            old, new = (
                list(judge(policy, subjects(policy, half.repo, seen, half.clusters), evaluator, (name,)))
                for name, seen, half in (("base", views[0], base), ("head", views[1], head))
            )
            known = {(f.subject, f.message) for f in old}
            said.of_state.extend(
                f for f in new if f.code == _VIOLATED and (f.subject, f.message) not in known
            )
            said.of_change.extend(f for f in new if f.code != _VIOLATED)  # it judged nothing, news or not
    return said


def _changed(policy: Policy, change: Change, before: View, after: View) -> Iterator[Asked]:
    """Everything of the policy's subject that differs."""
    if policy.subject == "object":
        yield from _objects(policy, change)
        return
    if policy.subject == "repository":
        organisation = change.head.organisation or change.organisation
        assert organisation is not None
        yield Asked("the repository", _three(before, after), organisation.origin)
        return
    old, new = named(before, policy.subject), named(after, policy.subject)
    was = {one.after: one.before for one in change.plan.renames if one.kind.lower() == policy.subject}
    for name in dict.fromkeys((*new, *(n for n in old if n not in was.values()))):
        variables = _three(old.get(was.get(name, name)), new.get(name))
        if _differs(variables["delta"]):
            repo = change.head if name in new else change.base
            yield Asked(
                f"{policy.subject} {name}", variables, declarations(repo, policy.subject)[name].origin
            )


def _objects(policy: Policy, change: Change) -> Iterator[Asked]:
    for each in change.plan.objects:
        obj = each.after or each.before
        if obj is None or each.ref.kind not in policy.kinds:
            continue
        variables: dict[str, Any] = {
            "before": each.before.data if each.before is not None else None,
            "after": each.after.data if each.after is not None else None,
            "delta": {"fields": [field.path for field in each.fields]},
            "object": each.after.data if each.after is not None else None,
            "cluster": each.cluster,
            "pods": pods(obj),
        }
        yield Asked(str(each.ref), variables, obj.at(), obj, (each.cluster,) if each.cluster else ())


def _three(before: View | None, after: View | None) -> dict[str, Any]:
    return {"before": before, "after": after, "delta": delta(before, after)}


def _differs(value: Any) -> bool:
    """Whether a delta holds anything but zeros."""
    waiting = [value]
    while waiting:
        each = waiting.pop()
        if isinstance(each, dict):
            waiting += each.values()
        elif isinstance(each, list):
            if each:
                return True
        elif each:
            return True
    return False
