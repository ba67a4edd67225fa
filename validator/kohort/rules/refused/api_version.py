"""An API version that the cluster's Kueue does not serve.

Why:
    Manifests from 2023 and 2024 name versions that are gone (v1alpha2 ClusterQueues, v1alpha1 Cohorts); the server
    knows no such kind and applies nothing. A version that is still served but deprecated has its own finding.

Bad:
    apiVersion: kueue.x-k8s.io/v1alpha1
    kind: Cohort
    metadata: {name: research}
    spec: {parent: organisation}

Good:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: Cohort
    metadata: {name: research}
    spec: {parentName: organisation}
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: Cohort
    metadata: {name: organisation}

Source:
    Kueue CRDs, spec.versions[].served, 0.15 to 0.19; Cohort v1alpha1 left in 0.13, Topology v1alpha1 in 0.14
"""

from __future__ import annotations

from collections.abc import Iterator

from kohort.diagnostics import Consequence, Finding
from kohort.objects.cluster import KUEUE_GROUP, Cluster
from kohort.objects.kube import KubeObject, mappings
from kohort.objects.quantity import Quantity, QuantityError
from kohort.objects.schema import served
from kohort.objects.versions import shown_version
from kohort.rules.base import Rule, Stage
from kohort.rules.refused.violations import KINDS

APPWRAPPER = "AppWrapper"
RULE = Rule("KUE209", "api-version-not-served", Consequence.REFUSED, stage=Stage.FORM)


@RULE.each(*KINDS)
def check(obj: KubeObject, cluster: Cluster) -> Iterator[Finding]:
    """One finding at apiVersion, with what the old fields became."""
    if obj.group != KUEUE_GROUP:
        return
    if obj.kind == APPWRAPPER:
        yield RULE.at(
            obj,
            ("apiVersion",),
            f"{obj.ref}: AppWrapper is no kind of {KUEUE_GROUP}",
            cluster=cluster,
            help=("write workload.codeflare.dev/v1beta2",),
        )
        return
    versions = served(obj.kind, cluster.kueue)
    if not versions or obj.version in versions:
        return
    known = ", ".join(versions)
    yield RULE.at(
        obj,
        ("apiVersion",),
        f"{obj.ref}: {obj.api_version} is not served by Kueue {shown_version(cluster.kueue)} (served: {known})",
        cluster=cluster,
        help=tuple(_migration(obj, versions[-1])),
    )


def _migration(obj: KubeObject, newest: str) -> Iterator[str]:
    yield f"write {obj.group}/{newest}"
    if obj.kind == "Cohort" and isinstance(obj.get("spec", "parent"), str):
        yield f'spec.parent is now spec.parentName: "{obj.get("spec", "parent")}"'
    if obj.kind == "ClusterQueue":
        yield from _old_quota(obj)


def _old_quota(obj: KubeObject) -> Iterator[str]:
    """The first ClusterQueue APIs: `spec.resources` or `requestableResources`, quota.min/guaranteed and quota.max."""
    for field in ("resources", "requestableResources"):
        for _, resource in mappings(obj.get("spec", field)):
            for _, flavor in mappings(resource.get("flavors")):
                quota = flavor.get("quota")
                if not isinstance(quota, dict):
                    continue
                low = quota.get("min", quota.get("guaranteed", 0))
                high = quota.get("max", quota.get("ceiling"))
                try:
                    nominal = Quantity.parse(low if low is not None else 0)
                    text = f"nominalQuota {nominal.canonical()}"
                    if high is not None:
                        text += f", borrowingLimit {(Quantity.parse(high) - nominal).canonical()} (max − min)"
                except (QuantityError, TypeError):
                    continue
                yield (
                    f"spec.{field} is now spec.resourceGroups: {resource.get('name')} of flavor {flavor.get('name')} has {text}"
                )
