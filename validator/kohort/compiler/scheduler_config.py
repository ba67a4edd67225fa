"""KubeSchedulerConfiguration of the second scheduler: packing of accelerators and gangs (mlbatch.md 6.3, 6.4)."""

from __future__ import annotations

from typing import Any, Final

from kohort.compiler.config_map import config_map
from kohort.compiler.scope import Scope
from kohort.compiler.settings import accelerators
from kohort.objects.kube import KubeObject

NAME: Final = "scheduler-config"
KEY: Final = "scheduler-config.yaml"
NAMESPACE: Final = "scheduler-plugins"  # of the scheduler's own chart


def scheduler_config(scope: Scope) -> KubeObject:
    """One profile. Preemption by the scheduler is off unless a priority asks for it: whose work ends is Kueue's choice."""
    scheduling = scope.decl.scheduling
    plugins: dict[str, Any] = {}
    arguments: list[dict[str, Any]] = []
    if scheduling.gangs:
        plugins["multiPoint"] = {
            "enabled": [{"name": "Coscheduling"}],
            "disabled": [{"name": "PrioritySort"}],
        }
        arguments.append(
            _arguments("Coscheduling", {"permitWaitingTimeSeconds": scheduling.permit_wait_seconds})
        )
    priorities = scope.repo.priorities.values()
    if not any(p.pods and p.pod_preemption != "Never" for p in priorities):
        plugins["postFilter"] = {"disabled": [{"name": "DefaultPreemption"}]}
    if scheduling.packing and accelerators(scope):
        arguments.append(_arguments("NodeResourcesFit", {"scoringStrategy": _packing(accelerators(scope))}))
    profile: dict[str, Any] = {"schedulerName": scheduling.scheduler}
    if plugins:
        profile["plugins"] = plugins
    if arguments:
        profile["pluginConfig"] = arguments
    content = {
        "apiVersion": "kubescheduler.config.k8s.io/v1",
        "kind": "KubeSchedulerConfiguration",
        "leaderElection": {
            "leaderElect": True,
            "resourceName": scheduling.scheduler,
            "resourceNamespace": NAMESPACE,
        },
        "profiles": [profile],
    }
    return config_map(NAMESPACE, NAME, KEY, content, scope.decl.at(*scheduling.path))


def _arguments(plugin: str, arguments: dict[str, Any]) -> dict[str, Any]:
    return {"name": plugin, "args": arguments}


def _packing(resources: tuple[str, ...]) -> dict[str, Any]:
    """Fuller nodes score higher, by accelerators alone."""
    return {
        "type": "RequestedToCapacityRatio",
        "resources": [{"name": resource, "weight": 1} for resource in resources],
        "requestedToCapacityRatio": {
            "shape": [{"utilization": 0, "score": 0}, {"utilization": 100, "score": 10}]
        },
    }
