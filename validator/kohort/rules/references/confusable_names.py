"""Two names differ only in letters and digits that look alike, or a resource only in case.

Why:
    `pool-1` and `pool-l`, `nvidia.com/gpu` and `nvidia.com/GPU` are different to Kueue and the same to a reader. Quota
    on the one is not quota on the other.

Bad:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ResourceFlavor
    metadata: {name: pool-10}
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ResourceFlavor
    metadata: {name: pool-1o}

Good:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ResourceFlavor
    metadata: {name: pool-10}
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ResourceFlavor
    metadata: {name: pool-20}

Source:
    Kubernetes and Kueue compare names byte by byte
"""

from __future__ import annotations

from collections.abc import Iterator

from kohort.diagnostics import Consequence, Finding, Label
from kohort.objects.cluster import KUEUE_GROUP, Cluster
from kohort.objects.kube import KubeObject
from kohort.objects.lookalikes import skeleton
from kohort.objects.names import visible
from kohort.rules.base import Rule
from kohort.spans import Path

RULE = Rule("REF415", "confusable-names", Consequence.UNSAFE)

_ALIKE = str.maketrans({"0": "o", "1": "l", "i": "l"})
_KINDS = frozenset(
    {"ClusterQueue", "Cohort", "ResourceFlavor", "LocalQueue", "AdmissionCheck", "WorkloadPriorityClass"}
)


@RULE.cluster
def check(cluster: Cluster) -> Iterator[Finding]:
    """One finding per pair: the name seen later, with the earlier one as related place."""
    first: dict[tuple[str, str, str], KubeObject] = {}
    for obj in cluster.objects:
        if obj.group != KUEUE_GROUP or obj.kind not in _KINDS or not obj.name:
            continue
        seen = first.setdefault((obj.kind, obj.namespace, _shape(obj.name)), obj)
        if seen.name != obj.name:
            yield _pair(
                cluster,
                (obj, ("metadata", "name"), obj.name),
                (seen, ("metadata", "name"), seen.name),
                obj.kind,
            )
    yield from _resources(cluster)


def _resources(cluster: Cluster) -> Iterator[Finding]:
    """Resource names may hold capitals, so that here case alone can differ."""
    first: dict[str, tuple[KubeObject, Path, str]] = {}
    reported: set[str] = set()
    for queue in cluster.queues.values():
        for group in queue.groups:
            covered = queue.obj.get(*group.path, "coveredResources")
            for index, name in enumerate(covered if isinstance(covered, list) else ()):
                if not isinstance(name, str):
                    continue
                here = (queue.obj, (*group.path, "coveredResources", index), name)
                seen = first.setdefault(name.casefold(), here)
                if seen[2] != name and name not in reported:
                    reported.add(name)
                    yield _pair(cluster, here, seen, "resource")


def _pair(
    cluster: Cluster, later: tuple[KubeObject, Path, str], earlier: tuple[KubeObject, Path, str], what: str
) -> Finding:
    obj, path, name = later
    return RULE.at(
        obj,
        path,
        f'{what} "{visible(name)}" and {what} "{visible(earlier[2])}" are different names that look alike',
        cluster=cluster,
        related=(Label(earlier[0].at(*earlier[1]), "the other one"),),
        help=(
            "if they are meant to be the same, write one of them; otherwise choose names that people can tell apart",
        ),
    )


def _shape(name: str) -> str:
    return skeleton(name).casefold().translate(_ALIKE)
