"""The second scheduler's own manifests and rights: pod groups are its one kind."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

from kohort.lab.upstream import Manifest, documents

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

NAMESPACE = "scheduler-plugins"
ACCOUNT = "scheduler-plugins-scheduler"
_GROUP = "rbac.authorization.k8s.io"
_VERSION = f"{_GROUP}/v1"


def definitions(module: Path) -> list[Manifest]:
    """Return the custom resource definition of PodGroup."""
    return list(documents(module / "manifests" / "coscheduling" / "crd.yaml"))


def access() -> list[Manifest]:
    """Return its namespace, its account, and the rights of a scheduler that also reads pod groups.

    Without a chart's templates: the roles that Kubernetes has for its own scheduler suffice.
    """
    subject = {"kind": "ServiceAccount", "name": ACCOUNT, "namespace": NAMESPACE}
    groups = {"apiGroups": ["scheduling.x-k8s.io"]}
    role = {
        "apiVersion": _VERSION,
        "kind": "ClusterRole",
        "metadata": {"name": ACCOUNT},
        "rules": [
            {**groups, "resources": ["podgroups"], "verbs": ["get", "list", "watch"]},
            {**groups, "resources": ["podgroups/status"], "verbs": ["get", "update", "patch"]},
        ],
    }
    result: list[Manifest] = [
        {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": NAMESPACE}},
        {
            "apiVersion": "v1",
            "kind": "ServiceAccount",
            "metadata": {"name": ACCOUNT, "namespace": NAMESPACE},
        },
        role,
    ]
    result += [
        _binding("ClusterRoleBinding", f"{ACCOUNT}:{each}", "ClusterRole", each, subject)
        for each in (ACCOUNT, "system:kube-scheduler", "system:volume-scheduler")
    ]
    reader = "extension-apiserver-authentication-reader"
    bound = _binding("RoleBinding", f"{ACCOUNT}:{reader}", "Role", reader, subject)
    bound["metadata"]["namespace"] = "kube-system"
    return [*result, bound]


def configuration(given: Mapping[str, Any], kubeconfig: Path) -> Manifest:
    """Return the scheduler's configuration as the lab starts it.

    Args:
        given: a KubeSchedulerConfiguration; when empty, one profile with gangs and nothing else.
        kubeconfig: by which it speaks to the API server.
    """
    result: Manifest = copy.deepcopy(dict(given)) or {
        "apiVersion": "kubescheduler.config.k8s.io/v1",
        "kind": "KubeSchedulerConfiguration",
        "profiles": [
            {
                "schedulerName": ACCOUNT,
                "plugins": {
                    "multiPoint": {
                        "enabled": [{"name": "Coscheduling"}],
                        "disabled": [{"name": "PrioritySort"}],
                    }
                },
            }
        ],
    }
    result["clientConnection"] = {**result.get("clientConnection", {}), "kubeconfig": str(kubeconfig)}
    result["leaderElection"] = {"leaderElect": False}  # one alone
    return result


def _binding(kind: str, name: str, role_kind: str, role: str, subject: Manifest) -> Manifest:
    return {
        "apiVersion": _VERSION,
        "kind": kind,
        "metadata": {"name": name},
        "roleRef": {"apiGroup": _GROUP, "kind": role_kind, "name": role},
        "subjects": [subject],
    }
