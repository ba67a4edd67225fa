"""A flavor lists its resources in another order than the group covers them.

Why:
    Kueue's webhook compares position by position. A sorted or hand-edited list is refused although every number is
    there. Entries beyond the end of coveredResources are not compared.

Bad:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ClusterQueue
    metadata: {name: train}
    spec:
      namespaceSelector: {}
      resourceGroups:
      - coveredResources: [cpu, memory]
        flavors: [{name: h100, resources: [{name: memory, nominalQuota: 8Gi}, {name: cpu, nominalQuota: "8"}]}]

Good:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ResourceFlavor
    metadata: {name: h100}
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ClusterQueue
    metadata: {name: train}
    spec:
      namespaceSelector: {}
      resourceGroups:
      - coveredResources: [cpu, memory]
        flavors: [{name: h100, resources: [{name: cpu, nominalQuota: "8"}, {name: memory, nominalQuota: 8Gi}]}]

Source:
    Kueue 0.12 to 0.19, ClusterQueue and Cohort webhooks, validation of flavor quotas
"""

from __future__ import annotations

from collections.abc import Iterator

from kohort.diagnostics import Consequence, Edit, Finding, Fix, Label
from kohort.objects.cluster import Cluster
from kohort.objects.kube import KubeObject
from kohort.rules.base import Rule, Stage
from kohort.rules.refused import groups
from kohort.rules.refused.violations import clean, is_ours

RULE = Rule("KUE212", "resource-order", Consequence.REFUSED, stage=Stage.FORM)


@RULE.each("ClusterQueue", "Cohort")
def check(obj: KubeObject, cluster: Cluster) -> Iterator[Finding]:
    """One finding per entry that stands at a wrong position; the first of a flavor carries the fix."""
    if not is_ours(obj) or not clean(obj, cluster):
        return
    for path, group in groups.groups(obj):
        wanted = groups.covered(group)
        for at, flavor in groups.flavors(path, group):
            listed = [str(r.get("name")) for _, r in groups.resources(at, flavor)]
            if listed == wanted or len(listed) != len(wanted):
                continue
            fix = _reorder(obj, (*at, "resources"), listed, wanted)
            for index, (name, expected) in enumerate(zip(listed, wanted, strict=True)):
                if name == expected:
                    continue
                yield RULE.at(
                    obj,
                    (*at, "resources", index, "name"),
                    f'{obj.ref}: flavor "{flavor.get("name")}": Invalid value "{name}": must match the name in '
                    f'coveredResources (expected "{expected}" at position {index})',
                    cluster=cluster,
                    label=f"expected {expected}",
                    related=(Label(obj.at(*path, "coveredResources", index), "the order is set here"),),
                    help=("`kohort fix` puts the entries in the order of coveredResources; values stay",)
                    if fix
                    else (),
                    fix=fix,
                )
                fix = None


def _reorder(
    obj: KubeObject, path: tuple[str | int, ...], listed: list[str], wanted: list[str]
) -> Fix | None:
    if sorted(listed) != sorted(wanted) or len(set(listed)) != len(listed):
        return None
    order = tuple(listed.index(name) for name in wanted)
    return Fix(
        "put the resources in the order of coveredResources", (Edit("move", obj.at(*path), order=order),)
    )
