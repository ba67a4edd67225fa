"""AppWrapper's own manifests, read from its Go module and fitted to a lab without pods."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import yaml

from kohort.lab.upstream import Manifest, Overlay, documents

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

OVERLAY = Overlay("appwrapper-", "appwrapper-system")
CONFIG_MAP = "lab-operator-config"  # not the name that Kohort compiles: that one must not reconfigure the lab
# The controller of AppWrapper 1.2.2 serves its webhooks at this port on all interfaces, whatever is configured.
WEBHOOK_PORT = 9443


def definitions(module: Path) -> list[Manifest]:
    """Return the custom resource definition."""
    folder = module / "config" / "crd"
    names = next(documents(folder / "kustomization.yaml"))["resources"]
    return [each for name in names for each in documents(folder / name)]


def access(module: Path) -> list[Manifest]:
    """Return the namespace, the service account and its roles, with the labels that widen edit and view."""
    patches = {
        patch["metadata"]["name"]: patch["metadata"]["labels"]
        for name in ("editor_role_patch.yaml", "viewer_role_patch.yaml")
        for patch in documents(module / "config" / "default" / name)
    }
    result = OVERLAY.access(module / "config" / "rbac")
    for each in result:
        labels = patches.get(each["metadata"]["name"].removeprefix(OVERLAY.prefix))
        if labels:
            each["metadata"].setdefault("labels", {}).update(labels)
    return result


def webhooks(module: Path, bundle: str) -> list[Manifest]:
    """Return the mutating and the validating webhook configuration."""
    result = [OVERLAY.place(each) for each in documents(module / "config" / "webhook" / "manifests.yaml")]
    for each in result:
        for webhook in each["webhooks"]:
            OVERLAY.lead(webhook["clientConfig"], WEBHOOK_PORT, bundle)
    return result


def configuration(*, health: int, metrics: int, certificates: Path, extra: Mapping[str, Any]) -> Manifest:
    """Return the ConfigMap that the controller reads.

    Args:
        health: port of its health page on 127.0.0.1.
        metrics: port of its metrics on 127.0.0.1.
        certificates: folder with `tls.crt` and `tls.key`.
        extra: fields of its section `appwrapper`.
    """
    settings = {
        "appwrapper": {"defaultQueueName": "default-queue", "userRBACAdmissionCheck": False, **extra},
        "controllerManager": {
            "health": {"bindAddress": f"127.0.0.1:{health}"},
            "metrics": {"bindAddress": f"127.0.0.1:{metrics}"},
            "leaderElection": False,
        },
        "certManagement": {"certificateDir": str(certificates)},
    }
    return {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": CONFIG_MAP, "namespace": OVERLAY.namespace},
        "data": {"config.yaml": yaml.safe_dump(settings)},
    }
