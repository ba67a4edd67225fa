"""A ClusterQueue names an AdmissionCheck that does not exist.

Why:
    The whole queue is inactive until the check exists, also for flavors that the check does not concern.

Bad:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ResourceFlavor
    metadata: {name: h100}
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: AdmissionCheck
    metadata: {name: budget}
    spec: {controllerName: example.com/budget}
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ClusterQueue
    metadata: {name: train}
    spec:
      namespaceSelector: {}
      admissionChecksStrategy: {admissionChecks: [{name: bugdet}]}
      resourceGroups:
      - coveredResources: [cpu]
        flavors: [{name: h100, resources: [{name: cpu, nominalQuota: "8"}]}]

Good:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ResourceFlavor
    metadata: {name: h100}
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: AdmissionCheck
    metadata: {name: budget}
    spec: {controllerName: example.com/budget}
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ClusterQueue
    metadata: {name: train}
    spec:
      namespaceSelector: {}
      admissionChecksStrategy: {admissionChecks: [{name: budget}]}
      resourceGroups:
      - coveredResources: [cpu]
        flavors: [{name: h100, resources: [{name: cpu, nominalQuota: "8"}]}]

Source:
    Kueue 0.15 to 0.19, condition Active of ClusterQueue, reason AdmissionCheckNotFound
"""

from __future__ import annotations

from collections.abc import Iterator

from kohort.diagnostics import Consequence, Finding
from kohort.objects.cluster import Cluster
from kohort.rules.base import Rule
from kohort.rules.references.inactive import check_places, fed_by
from kohort.rules.references.index import named
from kohort.rules.references.wording import ask, known_names, meant, quoted, rename

RULE = Rule("REF402", "missing-admission-check", Consequence.INACTIVE)


@RULE.cluster
def check(cluster: Cluster) -> Iterator[Finding]:
    """One finding per name in a queue."""
    if not cluster.knows("AdmissionCheck"):
        return
    checks = named(cluster, "AdmissionCheck")
    for queue in cluster.queues.values():
        for path, name in check_places(queue):
            if name in checks:
                continue
            close = meant(cluster, "AdmissionCheck", name, checks.keys())
            yield RULE.at(
                queue.obj,
                path,
                f"{queue.obj.ref} references missing AdmissionCheck {quoted(name)}{ask(close)}",
                cluster=cluster,
                label="no such AdmissionCheck",
                related=fed_by(cluster, queue.name),
                help=(
                    (
                        "Kueue shows Active=False, reason AdmissionCheckNotFound, \"Can't admit new workloads: references "
                        f'missing AdmissionCheck(s): {name}."'
                    ),
                    *(() if close else known_names(cluster, "AdmissionCheck", checks)),
                ),
                fix=rename(queue.obj, path, close),
            )
