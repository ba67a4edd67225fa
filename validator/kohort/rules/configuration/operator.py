"""The configuration of AppWrapper's operator: a ConfigMap with one key that holds a YAML file.

Source: AppWrapper 1.2.2 `pkg/config/config.go` and `cmd/main.go`: read without strictness, so unknown keys vanish;
durations are Go's `time.Duration` without a decoder, which are whole nanoseconds in a file.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from kohort.dataclass import dataclass
from kohort.objects.cluster import Cluster
from kohort.objects.configuration.document import mapping, text
from kohort.objects.configuration.judge import read_text
from kohort.objects.kube import KubeObject

NAME: Final = "appwrapper-operator-config"
NANOSECONDS: Final = "nanoseconds"
# dotted path → type; `...` ends a path below which anything may stand
FIELDS: Final[Mapping[str, str]] = {
    "appwrapper.autopilot.injectAntiAffinities": "bool",
    "appwrapper.autopilot.monitorNodes": "bool",
    "appwrapper.autopilot.preferNoScheduleWeight": "int",
    "appwrapper.autopilot.resourceTaints": "any",
    "appwrapper.userRBACAdmissionCheck": "bool",
    "appwrapper.schedulerName": "string",
    "appwrapper.defaultQueueName": "string",
    "appwrapper.faultTolerance.admissionGracePeriod": NANOSECONDS,
    "appwrapper.faultTolerance.warmupGracePeriod": NANOSECONDS,
    "appwrapper.faultTolerance.failureGracePeriod": NANOSECONDS,
    "appwrapper.faultTolerance.resetPause": NANOSECONDS,
    "appwrapper.faultTolerance.retryLimit": "int",
    "appwrapper.faultTolerance.deletionGracePeriod": NANOSECONDS,
    "appwrapper.faultTolerance.gracePeriodCeiling": NANOSECONDS,
    "appwrapper.faultTolerance.successTTLCeiling": NANOSECONDS,
    "certManagement.namespace": "string",
    "certManagement.certificateDir": "string",
    "certManagement.certificateName": "string",
    "certManagement.certificateOrg": "string",
    "certManagement.mutatingWebhookConfigName": "string",
    "certManagement.validatingWebhookConfigName": "string",
    "certManagement.webhookServiceName": "string",
    "certManagement.webhookSecretName": "string",
    "controllerManager.metrics.bindAddress": "string",
    "controllerManager.health.bindAddress": "string",
    "controllerManager.leaderElection": "bool",
    "controllerManager.enableHTTP2": "bool",
    "webhooksEnabled": "bool",
}


@dataclass(frozen=True, slots=True)
class Operator:
    """One ConfigMap of the operator: its keys, and the file in the only one (`{}` where it is none)."""

    obj: KubeObject
    keys: tuple[str, ...]
    value: Mapping[str, Any]
    wrong: tuple[str, ...]  # what is wrong with the text

    def at(self, *path: str) -> Any:
        """The value at a path of the file."""
        value: Any = self.value
        for step in path:
            value = mapping(value).get(step)
        return value


def operator(obj: KubeObject) -> Operator | None:
    """The operator's configuration in an object, None where it is another ConfigMap."""
    if obj.kind != "ConfigMap" or obj.group or obj.name != NAME:
        return None
    found: Operator | None = obj.memo.get("appwrapper operator")
    if found is None:
        data = mapping(obj.get("data"))
        keys = tuple(str(key) for key in data)
        value, faults = read_text(text(data[keys[0]])) if len(keys) == 1 else ({}, [])
        wrong = tuple(fault.message for fault in faults)
        if value is not None and not isinstance(value, Mapping) and not wrong:
            wrong = ("it is no mapping",)
        found = obj.memo["appwrapper operator"] = Operator(obj, keys, mapping(value), wrong)
    return found


def operators(cluster: Cluster) -> Iterator[Operator]:
    """The operator's configurations of a cluster."""
    for obj in cluster.kind("ConfigMap", ""):
        found = operator(obj)
        if found is not None:
            yield found


def default_queue(cluster: Cluster) -> str:
    """The queue that AppWrapper writes into AppWrappers without one; empty where none is known."""
    for found in operators(cluster):
        name = text(found.at("appwrapper", "defaultQueueName"))
        if name:
            return name
    return ""
