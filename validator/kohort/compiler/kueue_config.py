"""Kueue's manager Configuration. The manager reads it strictly: one unknown key and it does not start (kueue.md 2.9)."""

from __future__ import annotations

from typing import Any, Final

from kohort.compiler.config_map import config_map
from kohort.compiler.make import MANAGED
from kohort.compiler.scope import Scope
from kohort.compiler.settings import frameworks
from kohort.objects.kube import KubeObject

NAME: Final = "kueue-manager-config"
KEY: Final = "controller_manager_config.yaml"


def kueue_config(scope: Scope) -> KubeObject:
    """`config.kueue.x-k8s.io/v1beta2`: ports and leader id as in Kueue's own manifests, the rest as declared.

    Fair sharing is on exactly when its block is there; without `waitForPodsReady` Kueue 0.19 waits 30 minutes.
    """
    settings = scope.decl.kueue
    content: dict[str, Any] = {
        "apiVersion": "config.kueue.x-k8s.io/v1beta2",
        "kind": "Configuration",
        "namespace": settings.namespace,
        "health": {"healthProbeBindAddress": ":8081"},
        "metrics": {"bindAddress": ":8443", "enableClusterQueueResources": True},
        "webhook": {"port": 9443},
        "leaderElection": {"leaderElect": True, "resourceName": "c1f6bfd2.kueue.x-k8s.io"},
        "manageJobsWithoutQueueName": settings.manage_jobs_without_queue_name,
        "managedJobsNamespaceSelector": {"matchLabels": {MANAGED: "true"}},
        "integrations": {"frameworks": list(frameworks(scope))},
    }
    if settings.fair_sharing:
        content["fairSharing"] = {"preemptionStrategies": list(settings.fair_sharing)}
    if settings.wait_for_pods_ready_seconds is not None:
        wait = f"{settings.wait_for_pods_ready_seconds}s"
        content["waitForPodsReady"] = {"timeout": wait, "recoveryTimeout": wait, "blockAdmission": False}
    return config_map(settings.namespace, NAME, KEY, content, scope.decl.at(*settings.path))
