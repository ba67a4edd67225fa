"""Argo CD's own manifests, read from its Go module: what a controller needs, without its workloads."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

from kohort.lab.upstream import Manifest, documents

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

MODULE = "github.com/argoproj/argo-cd/v3"
NAMESPACE = "argocd"
API = "argoproj.io/v1alpha1"
# Runs for every Git source, whether signatures are checked or not; without it each says "permission denied".
VERIFY_SCRIPT = "git-verify-wrapper.sh"
_NAMESPACED = frozenset({"ConfigMap", "Role", "RoleBinding", "Secret", "ServiceAccount"})
_CLUSTER = frozenset({"ClusterRole", "ClusterRoleBinding"})


def definitions(module: Path) -> list[Manifest]:
    """Return the custom resource definitions of Application, ApplicationSet and AppProject."""
    return [each for each in _installed(module) if each["kind"] == "CustomResourceDefinition"]


def objects(module: Path, settings: Mapping[str, str]) -> list[Manifest]:
    """Return namespace, accounts, roles and configuration of a core installation.

    Args:
        module: folder of the module.
        settings: data of `argocd-cm`.
    """
    result: list[Manifest] = [{"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": NAMESPACE}}]
    for each in _installed(module):
        if each["kind"] in _NAMESPACED:
            each["metadata"]["namespace"] = NAMESPACE
            if each["metadata"]["name"] == "argocd-cm":
                each["data"] = {**(each.get("data") or {}), **settings}
            elif each["metadata"]["name"] == "argocd-secret":
                each["stringData"] = {"server.secretkey": secrets.token_hex(16)}
            result.append(each)
        elif each["kind"] in _CLUSTER:
            result.append(each)
    return result


def default_project() -> Manifest:
    """Return the project that Argo CD would make at its first start, without any limits."""
    return {
        "apiVersion": API,
        "kind": "AppProject",
        "metadata": {"name": "default", "namespace": NAMESPACE},
        "spec": {
            "clusterResourceWhitelist": [{"group": "*", "kind": "*"}],
            "destinations": [{"namespace": "*", "server": "*"}],
            "sourceRepos": ["*"],
        },
    }


def _installed(module: Path) -> list[Manifest]:
    return list(documents(module / "manifests" / "core-install.yaml"))
