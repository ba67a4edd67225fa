"""AppWrapper's configuration. The controller drops unknown keys without a word and reads durations as nanoseconds."""

from __future__ import annotations

from typing import Any, Final

from kohort.compiler.config_map import config_map
from kohort.compiler.names import DEFAULT_LOCAL_QUEUE
from kohort.compiler.scope import Scope
from kohort.compiler.settings import accelerators, own_scheduler
from kohort.objects.kube import KubeObject

NAME: Final = "appwrapper-operator-config"
KEY: Final = "config.yaml"  # the ConfigMap may hold one key only (mlbatch.md 1.6)
_NANO: Final = 10**9  # Go durations in a file without a decoder of their own: whole nanoseconds
_EVICTING: Final = frozenset({"EVICT"})  # health values that also end running pods


def appwrapper_config(scope: Scope) -> KubeObject:
    """Scheduler, default queue, health labels for every accelerator of the cluster, grace periods."""
    settings = scope.decl.appwrapper
    wrapper: dict[str, Any] = {"userRBACAdmissionCheck": settings.user_rbac_check}
    if any(queue.default for _, queue, _ in scope.queues):
        wrapper["defaultQueueName"] = DEFAULT_LOCAL_QUEUE
    if own_scheduler(scope):
        wrapper["schedulerName"] = scope.decl.scheduling.scheduler
    taints = _health_taints(scope)
    if taints:
        # Keyed by resource: what is not listed gets no protection (mlbatch.md 3.6).
        wrapper["autopilot"] = {"resourceTaints": dict.fromkeys(accelerators(scope), taints)}
    tolerance: dict[str, Any] = {name: seconds * _NANO for name, seconds in sorted(settings.grace.items())}
    if settings.retry_limit is not None:
        tolerance["retryLimit"] = settings.retry_limit
    if tolerance:
        wrapper["faultTolerance"] = tolerance
    # Addresses and certificates stay at the controller's defaults: the file is read over them.
    content = {"appwrapper": wrapper, "controllerManager": {"leaderElection": True}}
    return config_map(settings.namespace, NAME, KEY, content, scope.decl.at(*settings.path))


def _health_taints(scope: Scope) -> list[dict[str, str]]:
    """The cluster's health labels in the form of taints, which is how AppWrapper writes node affinity."""
    if not accelerators(scope):
        return []
    taints = []
    for signal in scope.decl.health.labels:
        for value in signal.bad:
            effect = "NoExecute" if value in _EVICTING else "NoSchedule"
            taints.append({"key": signal.key, "value": value, "effect": effect})
        taints += [{"key": signal.key, "value": value, "effect": "PreferNoSchedule"} for value in signal.warn]
    return sorted(taints, key=lambda taint: (taint["key"], taint["value"]))
