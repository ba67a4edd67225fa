"""The objects that differ between two sides of a cluster, each with its fields and what they do to work."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from kohort.objects.cluster import Cluster
from kohort.objects.kube import KubeObject
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
    found = []
    for ref, obj in new.items():
        was = old.get(ref)
        if was is None:
            found.append(_whole(name, ref, "added", None, obj, facts))
            continue
        if was.compiled and obj.compiled and was.data == obj.data and repr(was.data) == repr(obj.data):
            continue
        kueue = after.kueue if after is not None else ""
        fields = tuple(_fields(ref, was, obj, facts, kueue))
        if fields:
            change = ObjectChange(name, ref, "changed", fields, fields[0].disruption, "", "", "", was, obj)
            found.append(judge_object(change, ()))
    found += [_whole(name, ref, "removed", obj, None, facts) for ref, obj in old.items() if ref not in new]
    return found


def _objects(cluster: Cluster | None) -> Mapping[Ref, KubeObject]:
    found: dict[Ref, KubeObject] = {}
    for obj in cluster.objects if cluster is not None else ():
        if (obj.group, obj.kind) not in _OBSERVED:
            found.setdefault(ref_of(obj), obj)
    return found


def _whole(
    name: str, ref: Ref, how: str, before: KubeObject | None, after: KubeObject | None, facts: Facts
) -> ObjectChange:
    change = ObjectChange(
        name, ref, "added" if how == "added" else "removed", (), Disruption.NOTHING, "", "", "", before, after
    )
    return judge_object(change, facts.of_object(ref, how))


def _fields(
    ref: Ref, before: KubeObject, after: KubeObject, facts: Facts, kueue: str
) -> Iterator[FieldChange]:
    for found in differences(normal(before, kueue), normal(after, kueue)):
        change = _field(found, before, after)
        yield judge_field(change, ref.kind, facts.of_field(ref, found, before, after))


def _field(found: Difference, before: KubeObject, after: KubeObject) -> FieldChange:
    gone = found.how == "removed"
    return FieldChange(
        path=found.path,
        pattern=found.pattern,
        how=found.how,
        before=found.before,
        after=found.after,
        origin=None if gone else after.at(*found.after_path),
        base_origin=before.at(*found.before_path),
        arithmetic="" if gone else after.provenance.arithmetic(found.after_path),
        flavor=named_at(before if gone else after, found, "flavors"),
        resource=named_at(before if gone else after, found, "resources"),
        direction=direction(found),
    )
