"""Kueue's own manifests, read from its Go module and fitted to a lab without pods."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

from kohort.lab.upstream import Manifest, Overlay, documents

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

OVERLAY = Overlay("kueue-", "kueue-system")
# Kinds whose webhooks cover cluster objects or every namespace; upstream limits all others.
_OWN_KINDS = frozenset({"clusterqueue.kb.io", "cohort.kb.io", "resourceflavor.kb.io", "workload.kb.io"})
_NOT_SYSTEM = {
    "matchExpressions": [
        {
            "key": "kubernetes.io/metadata.name",
            "operator": "NotIn",
            "values": ["kube-system", OVERLAY.namespace],
        }
    ]
}


def definitions(module: Path, port: int, bundle: str) -> list[Manifest]:
    """Return the custom resource definitions with their conversion webhooks.

    Args:
        module: folder of the module `sigs.k8s.io/kueue`.
        port: the manager's webhook port on 127.0.0.1.
        bundle: base64 of the authority's PEM certificate.
    """
    folder = module / "config" / "components" / "crd"
    used = next(documents(folder / "kustomization.yaml"))
    conversion = {
        patch["metadata"]["name"]: patch["spec"]["conversion"]
        for each in used["patches"]
        for patch in documents(folder / each["path"])
    }
    result = []
    for each in used["resources"]:
        for definition in documents(folder / each):
            name = definition["metadata"]["name"]
            if name in conversion:
                definition["spec"]["conversion"] = copy.deepcopy(conversion[name])
                OVERLAY.lead(definition["spec"]["conversion"]["webhook"]["clientConfig"], port, bundle)
            result.append(definition)
    return result


def access(module: Path) -> list[Manifest]:
    """Return the namespace, the service account and its roles and bindings."""
    return OVERLAY.access(module / "config" / "components" / "rbac")


def provisioning(module: Path) -> list[Manifest]:
    """Return the definition of ProvisioningRequest, which the manager looks for at its start.

    Args:
        module: folder of the module `k8s.io/autoscaler/cluster-autoscaler/apis`.
    """
    return list(documents(module / "config" / "crd" / "autoscaling.x-k8s.io_provisioningrequests.yaml"))


def webhooks(module: Path, port: int, bundle: str) -> list[Manifest]:
    """Return the mutating and the validating webhook configuration."""
    result = []
    for each in documents(module / "config" / "components" / "webhook" / "manifests.yaml"):
        placed = OVERLAY.place(each)
        for webhook in placed["webhooks"]:
            OVERLAY.lead(webhook["clientConfig"], port, bundle)
            if webhook["name"][1:] not in _OWN_KINDS:  # after "m" or "v"
                webhook["namespaceSelector"] = copy.deepcopy(_NOT_SYSTEM)
        result.append(placed)
    return result


def configuration(
    *, ports: Sequence[int], certificates: Path, frameworks: Sequence[str], extra: Mapping[str, Any]
) -> Manifest:
    """Return the manager's configuration for the lab.

    Args:
        ports: webhook, health, metrics and visibility port on 127.0.0.1.
        certificates: folder with `tls.crt` and `tls.key`.
        frameworks: job kinds it manages.
        extra: top-level fields that replace the lab's own, but for addresses.
    """
    webhook, health, metrics, visibility = ports
    return {
        "apiVersion": "config.kueue.x-k8s.io/v1beta2",
        "kind": "Configuration",
        "health": {"healthProbeBindAddress": f"127.0.0.1:{health}"},
        "webhook": {"host": "127.0.0.1", "port": webhook, "certDir": str(certificates)},
        "leaderElection": {"leaderElect": False},
        "integrations": {"frameworks": list(frameworks)},
        **extra,
        "metrics": {**(extra.get("metrics") or {}), "bindAddress": f"127.0.0.1:{metrics}"},
        "visibilityServer": {"bindAddress": "127.0.0.1", "bindPort": visibility},
    }
