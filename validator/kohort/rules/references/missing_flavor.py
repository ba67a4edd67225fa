"""A ClusterQueue lists a ResourceFlavor that does not exist.

Why:
    One unknown flavor makes the whole queue inactive: nothing in it is admitted, not even on its other flavors.

Bad:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ResourceFlavor
    metadata: {name: nvidia-a100}
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ClusterQueue
    metadata: {name: train}
    spec:
      namespaceSelector: {}
      resourceGroups:
      - coveredResources: [cpu]
        flavors: [{name: nvidia-100, resources: [{name: cpu, nominalQuota: "8"}]}]

Good:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ResourceFlavor
    metadata: {name: nvidia-a100}
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ClusterQueue
    metadata: {name: train}
    spec:
      namespaceSelector: {}
      resourceGroups:
      - coveredResources: [cpu]
        flavors: [{name: nvidia-a100, resources: [{name: cpu, nominalQuota: "8"}]}]

Source:
    Kueue 0.15 to 0.19, condition Active of ClusterQueue, reason FlavorNotFound; spec.resourceGroups[].flavors[].name
"""

from __future__ import annotations

from collections.abc import Iterator

from kohort.diagnostics import Consequence, Finding, Fix, Label
from kohort.objects.cluster import Cluster
from kohort.objects.kueue import ClusterQueue
from kohort.rules.base import Rule
from kohort.rules.references.inactive import fed_by
from kohort.rules.references.index import is_missing_flavor
from kohort.rules.references.wording import ask, known_names, meant, quoted, rename
from kohort.spans import Path

RULE = Rule("REF401", "missing-flavor", Consequence.INACTIVE)


@RULE.cluster
def check(cluster: Cluster) -> Iterator[Finding]:
    """One finding per queue, at its first unknown flavor: the queue is inactive as a whole."""
    if not cluster.knows("ResourceFlavor"):
        return
    for queue in cluster.queues.values():
        missing: dict[str, Path] = {}
        for group in queue.groups:
            for flavor in group.flavors:
                if is_missing_flavor(cluster, flavor.flavor):
                    missing.setdefault(flavor.flavor, (*flavor.path, "name"))
        if missing:
            yield _finding(cluster, queue, missing)


def _finding(cluster: Cluster, queue: ClusterQueue, missing: dict[str, Path]) -> Finding:
    close = {name: meant(cluster, "ResourceFlavor", name, cluster.flavors.keys()) for name in missing}
    words = ", ".join(f"{quoted(name)}{ask(close[name])}" for name in missing)
    first = next(iter(missing))
    others = [
        Label(queue.obj.at(*path), f"{name} does not exist either")
        for name, path in missing.items()
        if name != first
    ]
    fixes = [rename(queue.obj, path, close[name]) for name, path in missing.items()]
    fix = None
    if all(fixes):
        fix = Fix(
            "write the names that exist",
            tuple(edit for part in fixes if part for edit in part.edits),
            safe=False,
        )
    return RULE.at(
        queue.obj,
        missing[first],
        f"{queue.obj.ref} references missing ResourceFlavor {words}",
        cluster=cluster,
        label="no such ResourceFlavor",
        related=(*others, *fed_by(cluster, queue.name)),
        help=(
            (
                "Kueue shows Active=False, reason FlavorNotFound, \"Can't admit new workloads: references missing "
                f'ResourceFlavor(s): {",".join(missing)}."'
            ),
            *(() if any(close.values()) else known_names(cluster, "ResourceFlavor", cluster.flavors)),
        ),
        fix=fix,
    )
