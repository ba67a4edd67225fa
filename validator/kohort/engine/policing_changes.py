"""What the branch's policies say of a change, and of what stands after it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from kohort.compiler.build import build_cluster
from kohort.compiler.reaching import by_cluster
from kohort.dataclass import dataclass
from kohort.diagnostics import Finding
from kohort.engine.half import Half
from kohort.engine.policing import declarations, named, pods, subjects
from kohort.model.policy import Policy
from kohort.objects.cluster import Cluster
from kohort.planner.authority import Change
from kohort.planner.delta import delta
from kohort.planner.state import State
from kohort.planner.view import View, view
from kohort.policy.cel import Evaluator
from kohort.policy.judge import judge, uncompiled
from kohort.policy.subject import Asked

_VIOLATED: Final = "POL201"


@dataclass(frozen=True, slots=True)
class Said:
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


def of_policies(change: Change, base: Half, head: Half, states: Mapping[str, State] | None) -> Said:
    """What the branch's policies say; the head's own take effect when they are merged."""
    with Evaluator() as evaluator:
        return _said(change, _views(base, head, states), base, head, evaluator)


def _said(change: Change, views: tuple[View, View], base: Half, head: Half, evaluator: Evaluator) -> Said:
    actor = {
        "name": change.actor.name,
        "groups": list(change.actor.groups),
        "admin": change.actor.among(change.admins()),
        "teams": [name for name, team in change.onto.teams.items() if change.actor.among(team.admins)],
    }
    for name, seen in zip(("base", "head"), views, strict=True):
        evaluator.know(name, {"repository": seen, "actor": actor})
    said = Said([], [])
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
