"""The objects that differ between two sides of a cluster, each with its fields and what they do to work."""

from __future__ import annotations

from collections.abc import Mapping

from kohort.objects.cluster import Cluster
from kohort.objects.kube import KubeObject, same_values
from kohort.planner.disruption.judge import judge_field, judge_object
from kohort.planner.facts import Facts, direction, named_at
from kohort.planner.plan import Disruption, FieldChange, ObjectChange, Ref, ref_of
from kohort.planner.structure.diff import Difference, differences
from kohort.planner.structure.normal import normal

# What is observed of the cluster is no object of the change; it shows in the capacity.
_OBSERVED = frozenset({("", "Node"), ("kueue.x-k8s.io", "Workload")})


def object_changes(
    name: str, before: Cluster | None, after: Cluster | None, facts: Facts
) -> list[ObjectChange]:
    """Every object that was added, removed or changed, in order of the head and then of the base."""
    old, new = _objects(before), _objects(after)
    kueue = after.kueue if after is not None else ""
    found = []
    for ref, obj in new.items():
        was = old.get(ref)
        change = _added(name, ref, obj) if was is None else _changed(name, ref, was, obj, facts, kueue)
        if change is not None:
            found.append(judge_object(change, facts.of_object(ref, change.how)))
    for ref, obj in old.items():
        if ref not in new:
            change = _removed(name, ref, obj, facts)
            found.append(judge_object(change, facts.of_object(ref, change.how)))
    return found


def _objects(cluster: Cluster | None) -> Mapping[Ref, KubeObject]:
    found: dict[Ref, KubeObject] = {}
    for obj in (*cluster.objects, *cluster.delivery) if cluster is not None else ():
        if (obj.group, obj.kind) not in _OBSERVED:
            found.setdefault(ref_of(obj), obj)
    return found


def _added(name: str, ref: Ref, obj: KubeObject) -> ObjectChange:
    return ObjectChange(name, ref, "added", (), Disruption.NOTHING, after=obj)


def _removed(name: str, ref: Ref, obj: KubeObject, facts: Facts) -> ObjectChange:
    return ObjectChange(name, ref, "removed", (), Disruption.NOTHING, before=obj, users=facts.users(ref))


def _changed(
    name: str, ref: Ref, before: KubeObject, after: KubeObject, facts: Facts, kueue: str
) -> ObjectChange | None:
    """None where both say the same."""
    if before.compiled and after.compiled and same_values(before.data, after.data):
        return None
    fields = []
    for found in differences(normal(before, kueue), normal(after, kueue)):
        known = facts.of_field(ref, found, before, after)
        fields.append(judge_field(_field(found, before, after), ref.kind, known))
    if not fields:
        return None
    return ObjectChange(name, ref, "changed", tuple(fields), Disruption.NOTHING, before=before, after=after)


def _field(found: Difference, before: KubeObject, after: KubeObject) -> FieldChange:
    gone = found.how == "removed"
    side = before if gone else after
    return FieldChange(
        path=found.path,
        pattern=found.pattern,
        how=found.how,
        before=found.before,
        after=found.after,
        origin=None if gone else after.at(*found.after_path),
        base_origin=before.at(*found.before_path),
        arithmetic="" if gone else after.provenance.arithmetic(found.after_path),
        flavor=named_at(side, found, "flavors"),
        resource=named_at(side, found, "resources"),
        direction=direction(found),
    )
