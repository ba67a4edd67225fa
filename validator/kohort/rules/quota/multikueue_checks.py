"""A ClusterQueue combines MultiKueue checks in a way that Kueue does not support.

Why:
    MultiKueue sends a workload as a whole: at most one such check per queue, on all flavors, and not beside a
    provisioning request. Otherwise the queue is inactive.

Bad:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: AdmissionCheck
    metadata: {name: workers}
    spec:
      controllerName: kueue.x-k8s.io/multikueue
      parameters: {apiGroup: kueue.x-k8s.io, kind: MultiKueueConfig, name: workers}
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ResourceFlavor
    metadata: {name: h100}
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ClusterQueue
    metadata: {name: train}
    spec:
      namespaceSelector: {}
      admissionChecksStrategy: {admissionChecks: [{name: workers, onFlavors: [h100]}]}
      resourceGroups:
      - coveredResources: [cpu]
        flavors: [{name: h100, resources: [{name: cpu, nominalQuota: "8"}]}]

Good:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: AdmissionCheck
    metadata: {name: workers}
    spec:
      controllerName: kueue.x-k8s.io/multikueue
      parameters: {apiGroup: kueue.x-k8s.io, kind: MultiKueueConfig, name: workers}
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ResourceFlavor
    metadata: {name: h100}
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ClusterQueue
    metadata: {name: train}
    spec:
      namespaceSelector: {}
      admissionChecksStrategy: {admissionChecks: [{name: workers}]}
      resourceGroups:
      - coveredResources: [cpu]
        flavors: [{name: h100, resources: [{name: cpu, nominalQuota: "8"}]}]

Source:
    Kueue 0.15 to 0.19, condition Active of ClusterQueue: MultipleMultiKueueAdmissionChecks,
    MultiKueueAdmissionCheckAppliedPerFlavor, MultiKueueWithProvisioningRequest
"""

from __future__ import annotations

from collections.abc import Iterator

from kohort.diagnostics import Consequence, Finding, Label
from kohort.objects.cluster import Cluster
from kohort.objects.kueue import ClusterQueue
from kohort.rules.base import Rule
from kohort.rules.references.inactive import check_places, fed_by
from kohort.rules.references.index import named
from kohort.rules.references.wording import listed
from kohort.spans import Path

RULE = Rule("QTA514", "multikueue-checks", Consequence.INACTIVE)

MULTIKUEUE = "kueue.x-k8s.io/multikueue"
PROVISIONING = "kueue.x-k8s.io/provisioning-request"


@RULE.cluster
def check(cluster: Cluster) -> Iterator[Finding]:
    """One finding per queue and reason."""
    controllers = {
        name: obj.get("spec", "controllerName") for name, obj in named(cluster, "AdmissionCheck").items()
    }
    if MULTIKUEUE not in controllers.values():
        return
    for queue in cluster.queues.values():
        places = list(check_places(queue))
        multi = [(path, name) for path, name in places if controllers.get(name) == MULTIKUEUE]
        if not multi:
            continue
        names = list(dict.fromkeys(name for _, name in multi))
        if len(names) > 1:
            words = f"{len(names)} MultiKueue checks ({listed(names)}); at most one is possible"
            yield _finding(
                cluster, queue, multi[1][0], words, "MultipleMultiKueueAdmissionChecks", multi[0][0]
            )
        limited = {name for name, flavors in queue.checks if flavors}
        for path, name in multi:
            if name in limited:
                words = (
                    f"MultiKueue check {name} is limited to some flavors (onFlavors); it must apply to all"
                )
                yield _finding(cluster, queue, path, words, "MultiKueueAdmissionCheckAppliedPerFlavor")
        beside = [(path, name) for path, name in places if controllers.get(name) == PROVISIONING]
        if beside:
            words = f"MultiKueue check {names[0]} beside provisioning check {beside[0][1]}"
            yield _finding(
                cluster, queue, multi[0][0], words, "MultiKueueWithProvisioningRequest", beside[0][0]
            )


def _finding(
    cluster: Cluster, queue: ClusterQueue, path: Path, words: str, reason: str, other: Path | None = None
) -> Finding:
    beside = (Label(queue.obj.at(*other), "the other check"),) if other is not None else ()
    return RULE.at(
        queue.obj,
        path,
        f"{queue.obj.ref}: {words}",
        cluster=cluster,
        related=(*beside, *fed_by(cluster, queue.name)),
        help=(f"Kueue shows Active=False, reason {reason}",),
    )
