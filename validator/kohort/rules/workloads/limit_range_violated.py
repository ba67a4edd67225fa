"""A workload requests more or less than a LimitRange of its namespace allows.

Why:
    Kueue compares the pods of a workload with the LimitRanges of its namespace, marks it Misconfigured and never admits
    it. The server would refuse the pods.

Bad:
    apiVersion: v1
    kind: LimitRange
    metadata: {name: bounds, namespace: team-a}
    spec: {limits: [{type: Container, max: {cpu: "4"}}]}
    ---
    apiVersion: batch/v1
    kind: Job
    metadata: {name: run, namespace: team-a, labels: {kueue.x-k8s.io/queue-name: q}}
    spec:
      template:
        spec:
          restartPolicy: Never
          containers: [{name: main, image: example.com/job, resources: {requests: {cpu: "8"}, limits: {cpu: "8"}}}]

Good:
    apiVersion: v1
    kind: LimitRange
    metadata: {name: bounds, namespace: team-a}
    spec: {limits: [{type: Container, max: {cpu: "8"}}]}
    ---
    apiVersion: batch/v1
    kind: Job
    metadata: {name: run, namespace: team-a, labels: {kueue.x-k8s.io/queue-name: q}}
    spec:
      template:
        spec:
          restartPolicy: Never
          containers: [{name: main, image: example.com/job, resources: {requests: {cpu: "8"}, limits: {cpu: "8"}}}]

Source:
    Kueue 0.15 to 0.19, validation of a Workload's pod sets against LimitRanges, reason Misconfigured
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

from kohort.dataclass import dataclass
from kohort.diagnostics import Audience, Consequence, Finding, Label
from kohort.objects.cluster import Cluster
from kohort.objects.kube import KubeObject, mappings
from kohort.objects.names import visible
from kohort.objects.podset import PodSet, value_at
from kohort.objects.podsets import pod_requests
from kohort.objects.quantity import Quantity, QuantityError
from kohort.rules.base import Rule
from kohort.rules.references.queued import Queued, queued
from kohort.rules.workloads.asked import limit_ranges, place_of
from kohort.spans import Path

RULE = Rule("WKL665", "limit-range-violated", Consequence.STUCK, audience=Audience.TEAM)

_LISTS = ("containers", "initContainers")


@dataclass(frozen=True, slots=True)
class _Bound:
    """One number of a LimitRange: `max` or `min` of a resource for containers or whole pods."""

    obj: KubeObject
    path: Path
    of: Literal["Container", "Pod"]
    side: Literal["max", "min"]
    resource: str
    text: str
    amount: Quantity

    def broken_by(self, amount: Quantity) -> bool:
        """Whether the amount lies outside."""
        return amount > self.amount if self.side == "max" else amount < self.amount

    @property
    def words(self) -> str:
        """`more than 4, the maximum of LimitRange team-a/bounds`."""
        more, end = ("more", "maximum") if self.side == "max" else ("less", "minimum")
        return f"{more} than {self.text}, the {end} per {self.of.lower()} of {self.obj.ref}"


@RULE.cluster
def check(cluster: Cluster) -> Iterator[Finding]:
    """One finding per amount and bound of queued workloads."""
    ranges = limit_ranges(cluster)
    for work in queued(cluster):
        objects = ranges.get(work.obj.namespace, ())
        bounds = [bound for obj in objects for bound in _bounds(obj)]
        for podset in work.pods.found if bounds else ():
            for path, said, bound in (*_containers(podset, bounds), *_pod(podset, bounds, objects)):
                yield _finding(cluster, work, path, said, bound)


def _finding(cluster: Cluster, work: Queued, path: Path, said: str, bound: _Bound) -> Finding:
    return RULE.at(
        work.obj,
        path,
        f"{work.words}: {said}, {bound.words}",
        cluster=cluster,
        related=(Label(bound.obj.at(*bound.path), f"the {bound.side}"),),
        help=("Kueue shows reason Misconfigured; the server refuses the pods",),
    )


def _bounds(obj: KubeObject) -> Iterator[_Bound]:
    for index, item in mappings(obj.get("spec", "limits")):
        of = item.get("type")
        if of not in ("Container", "Pod"):
            continue
        sides: tuple[Literal["max", "min"], ...] = ("max", "min")
        for side in sides:
            values = item.get(side)
            for resource, value in values.items() if isinstance(values, Mapping) else ():
                amount = _amount(value)
                if isinstance(resource, str) and amount is not None:
                    path: Path = ("spec", "limits", index, side, resource)
                    yield _Bound(obj, path, of, side, resource, visible(str(value)[:40]), amount)


def _containers(podset: PodSet, bounds: Sequence[_Bound]) -> Iterator[tuple[Path, str, _Bound]]:
    for name in _LISTS:
        for index, container in mappings(value_at(podset.template, ("spec", name))):
            for bound in bounds:
                found = _stated(container, bound) if bound.of == "Container" else None
                if found is not None:
                    kind, value = found
                    verb = "requests" if kind == "requests" else "is limited to"
                    said = f"container {visible(str(container.get('name'))[:63])} {verb} {value} {bound.resource}"
                    yield (*podset.path, "spec", name, index, "resources", kind, bound.resource), said, bound


def _stated(container: Mapping[str, Any], bound: _Bound) -> tuple[str, str] | None:
    """The request that breaks the bound, else the limit that does; what is left out takes the bound as its default."""
    for kind in ("requests", "limits"):
        value = value_at(container, ("resources", kind, bound.resource))
        amount = _amount(value)
        if amount is not None and bound.broken_by(amount):
            return kind, visible(str(value)[:40])
    return None


def _pod(
    podset: PodSet, bounds: Sequence[_Bound], ranges: Sequence[KubeObject]
) -> Iterator[tuple[Path, str, _Bound]]:
    if not any(bound.of == "Pod" for bound in bounds):
        return
    total = pod_requests(podset.template, [obj.data for obj in ranges]).values
    for bound in bounds:
        amount = total.get(bound.resource) if bound.of == "Pod" else None
        if amount is not None and bound.broken_by(amount):
            said = (
                f"a pod of pod set {visible(podset.name[:63])} requests {amount.canonical()} {bound.resource}"
            )
            yield place_of(podset, bound.resource), said, bound


def _amount(value: object) -> Quantity | None:
    if isinstance(value, bool) or not isinstance(value, (str, int, float)):
        return None
    try:
        return Quantity.parse(value)
    except QuantityError:
        return None
