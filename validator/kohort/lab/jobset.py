"""JobSet's own manifests, read from its Go module and fitted to a lab without pods."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kohort.lab.upstream import Manifest, Overlay, documents

if TYPE_CHECKING:
    from pathlib import Path

MODULE = "sigs.k8s.io/jobset"
OVERLAY = Overlay("jobset-", "jobset-system")


def definitions(module: Path) -> list[Manifest]:
    """Return the custom resource definition, without the conversion that its one version does not need."""
    return list(
        documents(module / "config" / "components" / "crd" / "bases" / "jobset.x-k8s.io_jobsets.yaml")
    )


def access(module: Path) -> list[Manifest]:
    """Return the namespace, the service account and its roles and bindings."""
    return OVERLAY.access(module / "config" / "components" / "rbac")


def webhooks(module: Path, port: int, bundle: str) -> list[Manifest]:
    """Return the mutating and the validating webhook configuration.

    Upstream replaces the second webhook of each by one that sees only pods of a JobSet.

    Args:
        module: folder of the module.
        port: the manager's webhook port on 127.0.0.1.
        bundle: base64 of the authority's PEM certificate.
    """
    folder = module / "config" / "components" / "webhook"
    result = [OVERLAY.place(each) for each in documents(folder / "manifests.yaml")]
    for each, name in zip(result, ("mutating-patch.yaml", "validating-patch.yaml"), strict=True):
        patch: Any = next(documents(folder / "patches" / name))
        each["webhooks"][1] = patch[0]["value"]
        for webhook in each["webhooks"]:
            OVERLAY.lead(webhook["clientConfig"], port, bundle)
    return result


def configuration(*, health: int, webhook: int, certificates: Path) -> Manifest:
    """Return the manager's configuration; it serves no metrics.

    Args:
        health: port of its health page on 127.0.0.1.
        webhook: port of its webhooks.
        certificates: folder with `tls.crt` and `tls.key`.
    """
    return {
        "apiVersion": "config.jobset.x-k8s.io/v1alpha1",
        "kind": "Configuration",
        "leaderElection": {"leaderElect": False},
        "internalCertManagement": {"enable": False},
        "health": {"healthProbeBindAddress": f"127.0.0.1:{health}"},
        "metrics": {"bindAddress": "0"},
        "webhook": {"host": "127.0.0.1", "port": webhook, "certDir": str(certificates)},
    }
