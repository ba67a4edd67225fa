"""An object is written in Kueue's deprecated API version v1beta1.

Why:
    v1beta2 is served since Kueue 0.15 and stored since 0.16. A server that stores v1beta2 answers with converted
    fields, so Argo CD shows differences without end, and v1beta1 will be removed.

Bad:
    apiVersion: kueue.x-k8s.io/v1beta1
    kind: ResourceFlavor
    metadata: {name: h100}

Good:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ResourceFlavor
    metadata: {name: h100}

Source:
    Kueue CRDs: v1beta2 served since 0.15, storage version since 0.16
"""

from __future__ import annotations

from collections.abc import Iterator

from kohort.diagnostics import Consequence, Edit, Finding, Fix, Severity
from kohort.objects.cluster import KUEUE_GROUP, Cluster
from kohort.objects.kube import KubeObject
from kohort.objects.schema import served
from kohort.objects.versions import version_key
from kohort.rules.base import Rule

RULE = Rule("REF412", "deprecated-api-version", Consequence.DRIFT)

# Kinds whose fields are the same in both versions: writing the newer version changes nothing else.
_SAME_FIELDS = frozenset({"ResourceFlavor", "Topology", "WorkloadPriorityClass", "ProvisioningRequestConfig"})
KINDS = (
    "AdmissionCheck",
    "ClusterQueue",
    "Cohort",
    "LocalQueue",
    "MultiKueueCluster",
    "MultiKueueConfig",
    "ProvisioningRequestConfig",
    "ResourceFlavor",
    "Topology",
    "Workload",
    "WorkloadPriorityClass",
)


@RULE.each(*KINDS)
def check(obj: KubeObject, cluster: Cluster) -> Iterator[Finding]:
    """One finding per object, at its apiVersion. In 0.15, which still stores v1beta1, it is information."""
    if obj.api_version != f"{KUEUE_GROUP}/v1beta1" or "v1beta2" not in served(obj.kind, cluster.kueue):
        return
    fix = None
    if obj.kind in _SAME_FIELDS:
        edit = Edit("replace", obj.at("apiVersion"), f"{KUEUE_GROUP}/v1beta2")
        fix = Fix("write v1beta2", (edit,), safe=False)
    yield RULE.at(
        obj,
        ("apiVersion",),
        f"{obj.ref}: {obj.api_version} is deprecated (v1beta2 served from v0.15.0, storage version from v0.16.0)",
        cluster=cluster,
        label="write v1beta2",
        help=(*_renames(obj), "kueue.x-k8s.io/v1beta2 is what the server stores and shows"),
        fix=fix,
        severity=Severity.INFO if version_key(cluster.kueue) < (0, 16) else None,
    )


def _renames(obj: KubeObject) -> Iterator[str]:
    if obj.kind != "ClusterQueue":
        return
    if obj.get("spec", "cohort") is not None:
        yield "spec.cohort becomes spec.cohortName"
    if obj.get("spec", "admissionChecks") is not None:
        yield "spec.admissionChecks becomes spec.admissionChecksStrategy.admissionChecks: [{name: …}]"
    for field, old in (("whenCanBorrow", "Borrow"), ("whenCanPreempt", "Preempt")):
        if obj.get("spec", "flavorFungibility", field) == old:
            yield f"flavorFungibility.{field}: {old} becomes MayStopSearch"
