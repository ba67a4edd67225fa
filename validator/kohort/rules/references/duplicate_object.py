"""One object is written twice, under the same kind, namespace and name.

Why:
    Whatever is applied last wins, and Argo CD applies both in turn for ever. Overlays that are meant to be merged must
    be rendered before they are checked.

Bad:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ResourceFlavor
    metadata: {name: h100}
    spec: {nodeLabels: {gpu: h100}}
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ResourceFlavor
    metadata: {name: h100}
    spec: {nodeLabels: {gpu: h100-80gb}}

Good:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ResourceFlavor
    metadata: {name: h100}
    spec: {nodeLabels: {gpu: h100}}

Source:
    Kubernetes: an object is identified by group, kind, namespace and name; its version does not count
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from kohort.diagnostics import Consequence, Finding, Label
from kohort.objects.cluster import KUEUE_GROUP, Cluster
from kohort.objects.kube import Json, KubeObject
from kohort.rules.base import Rule
from kohort.spans import Path, show_path

RULE = Rule("REF414", "duplicate-object", Consequence.DRIFT)

# Without a namespace only these are known to be one object; others may be meant for several namespaces.
_CLUSTER_SCOPED = frozenset(
    {"Namespace", "Node", "PriorityClass", "ClusterRole", "ClusterRoleBinding", "CustomResourceDefinition"}
)
_NAMESPACED = frozenset({"LocalQueue", "Workload"})
_DEEPEST = 40


@RULE.cluster
def check(cluster: Cluster) -> Iterator[Finding]:
    """One finding per repeated object, at the later one; the first is a related place."""
    first: dict[tuple[str, str, str, str], KubeObject] = {}
    for obj in cluster.objects:
        if not obj.name or not (obj.namespace or _is_cluster_scoped(obj)):
            continue
        seen = first.setdefault((obj.group, obj.kind, obj.namespace, obj.name), obj)
        if seen is obj:
            continue
        differs = _difference(seen.data, obj.data)
        how = f"they differ in {show_path(differs)}" if differs is not None else "both say the same"
        yield RULE.at(
            obj,
            ("metadata", "name"),
            f"{obj.ref} is written twice; {how}",
            cluster=cluster,
            label="the second time",
            related=(Label(seen.at("metadata", "name"), "the first time; this one is judged"),),
            help=("keep one; if these are overlays, render them and check the result",),
        )


def _is_cluster_scoped(obj: KubeObject) -> bool:
    return (obj.group == KUEUE_GROUP and obj.kind not in _NAMESPACED) or obj.kind in _CLUSTER_SCOPED


def _difference(one: Json, other: Json) -> Path | None:
    """The path of the first difference in order of the first object's keys, None when there is none."""
    waiting: list[tuple[Json, Json, Path]] = [(one, other, ())]
    while waiting:
        a, b, path = waiting.pop()
        if isinstance(a, Mapping) and isinstance(b, Mapping) and len(path) < _DEEPEST:
            keys = list(dict.fromkeys([*map(str, a), *map(str, b)]))
            waiting.extend((a.get(k), b.get(k), (*path, k)) for k in reversed(keys))
        elif isinstance(a, list) and isinstance(b, list) and len(a) == len(b) and len(path) < _DEEPEST:
            waiting.extend((a[i], b[i], (*path, i)) for i in reversed(range(len(a))))
        elif type(a) is not type(b) or a != b:
            return path
    return None
