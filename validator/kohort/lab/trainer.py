"""Kubeflow Trainer's own manifests, read from its Go module and fitted to a lab without pods.

Its overlay for a whole cluster takes JobSet from the network; here the base folders are read, and JobSet is a component.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kohort.lab.upstream import Manifest, Overlay, documents

if TYPE_CHECKING:
    from pathlib import Path

MODULE = "github.com/kubeflow/trainer/v2"
NAME = "kubeflow-trainer-controller-manager"  # of its account, its roles and its Service
OVERLAY = Overlay("", "kubeflow-system", NAME)


def definitions(module: Path) -> list[Manifest]:
    """Return the definitions of TrainJob, TrainingRuntime and ClusterTrainingRuntime."""
    folder = module / "manifests" / "base" / "crds"
    names = next(documents(folder / "kustomization.yaml"))["resources"]
    return [each for name in names for each in documents(folder / name)]


def access(module: Path) -> list[Manifest]:
    """Return the namespace, the service account and its roles and bindings."""
    return OVERLAY.access(module / "manifests" / "base" / "rbac")


def webhooks(module: Path, port: int, bundle: str) -> list[Manifest]:
    """Return the mutating and the validating webhook configuration.

    Args:
        module: folder of the module.
        port: the manager's webhook port on 127.0.0.1.
        bundle: base64 of the authority's PEM certificate.
    """
    result = list(documents(module / "manifests" / "base" / "webhook" / "manifests.yaml"))
    for each in result:
        each["metadata"]["name"] = f"trainer-{each['metadata']['name']}"
        for webhook in each["webhooks"]:
            OVERLAY.lead(webhook["clientConfig"], port, bundle)
    return result


def runtimes(module: Path) -> list[Manifest]:
    """Return the ClusterTrainingRuntime `torch-distributed`."""
    return list(documents(module / "manifests" / "base" / "runtimes" / "torch_distributed.yaml"))


def configuration(*, health: int, webhook: int) -> Manifest:
    """Return the manager's configuration; it serves no metrics, and reads its certificate below TMPDIR.

    Args:
        health: port of its health page on 127.0.0.1.
        webhook: port of its webhooks.
    """
    return {
        "apiVersion": "config.trainer.kubeflow.org/v1alpha1",
        "kind": "Configuration",
        "leaderElection": {"leaderElect": False},
        "certManagement": {"enable": False},
        "health": {"healthProbeBindAddress": f"127.0.0.1:{health}"},
        "metrics": {"bindAddress": "0"},
        "webhook": {"host": "127.0.0.1", "port": webhook},
    }
