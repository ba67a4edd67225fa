"""An AdmissionCheck points to parameters that do not exist.

Why:
    Kueue's own checks (provisioning requests, MultiKueue) are inactive without their parameters, and every queue that
    names an inactive check admits nothing.

Bad:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ProvisioningRequestConfig
    metadata: {name: dws-config}
    spec: {provisioningClassName: queued-provisioning.gke.io}
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: AdmissionCheck
    metadata: {name: dws}
    spec:
      controllerName: kueue.x-k8s.io/provisioning-request
      parameters: {apiGroup: kueue.x-k8s.io, kind: ProvisioningRequestConfig, name: dws}

Good:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ProvisioningRequestConfig
    metadata: {name: dws-config}
    spec: {provisioningClassName: queued-provisioning.gke.io}
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: AdmissionCheck
    metadata: {name: dws}
    spec:
      controllerName: kueue.x-k8s.io/provisioning-request
      parameters: {apiGroup: kueue.x-k8s.io, kind: ProvisioningRequestConfig, name: dws-config}

Source:
    Kueue 0.15 to 0.19, condition Active of AdmissionCheck; ClusterQueue reason AdmissionCheckInactive
"""

from __future__ import annotations

from collections.abc import Iterator

from kohort.diagnostics import Consequence, Finding
from kohort.objects.cluster import KUEUE_GROUP, Cluster
from kohort.objects.kube import KubeObject
from kohort.rules.base import Rule
from kohort.rules.references.inactive import held_up
from kohort.rules.references.index import named
from kohort.rules.references.wording import ask, known_names, meant, quoted, rename

RULE = Rule("REF403", "missing-check-parameters", Consequence.INACTIVE)

PARAMETER_KINDS = ("ProvisioningRequestConfig", "MultiKueueConfig")


def parameters(check: KubeObject) -> tuple[str, str] | None:
    """(kind, name) of an admission check's parameters where they are one of Kueue's kinds."""
    kind, name = check.get("spec", "parameters", "kind"), check.get("spec", "parameters", "name")
    if check.get("spec", "parameters", "apiGroup") != KUEUE_GROUP or kind not in PARAMETER_KINDS:
        return None
    return (str(kind), name) if isinstance(name, str) and name else None


@RULE.cluster
def check(cluster: Cluster) -> Iterator[Finding]:
    """One finding per check; the queues that it holds up are related places."""
    for obj in named(cluster, "AdmissionCheck").values():
        target = parameters(obj)
        if target is None or not cluster.knows(target[0]):
            continue
        kind, name = target
        known = named(cluster, kind)
        if name in known:
            continue
        close = meant(cluster, kind, name, known.keys())
        words, places = held_up(cluster, obj)
        yield RULE.at(
            obj,
            ("spec", "parameters", "name"),
            f"{obj.ref} points to missing {kind} {quoted(name)}{ask(close)}",
            cluster=cluster,
            label=f"no such {kind}",
            related=places,
            help=(*((words,) if words else ()), *(() if close else known_names(cluster, kind, known))),
            fix=rename(obj, ("spec", "parameters", "name"), close),
        )
