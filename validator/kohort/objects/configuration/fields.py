"""The fields of Kueue's manager Configuration and their types, per API version and version of Kueue.

Facts of the Go structs in Kueue 0.15.2, 0.16.1, 0.17.1 and 0.19.1 (`apis/config/v1beta1`, `v1beta2`) and of the
Kubernetes types they embed. A line is `field:type`, with `/v1beta1` where only that API version has the field and
`@0.17` where it came with that version. Types: string, bool, int32, int64, float, duration (text such as 5m; `duration!`
where null is no duration either), quantity, `[T]` lists, `{T}` maps, and the names of other structs.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Final

from kohort.dataclass import dataclass
from kohort.objects.versions import version_key

_STRUCTS: Final[Mapping[str, str]] = {
    "Configuration": """
        apiVersion:string kind:string namespace:string webhook:Webhook leaderElection:LeaderElection metrics:Metrics
        health:Health pprofBindAddress:string controller:Controller tls:TLS@0.16 manageJobsWithoutQueueName:bool
        managedJobsNamespaceSelector:LabelSelector internalCertManagement:InternalCertManagement
        waitForPodsReady:WaitForPodsReady clientConnection:ClientConnection integrations:Integrations
        queueVisibility:QueueVisibility/v1beta1 multiKueue:MultiKueue fairSharing:FairSharing
        admissionFairSharing:AdmissionFairSharing resources:Resources featureGates:{bool}
        objectRetentionPolicies:ObjectRetentionPolicies visibilityServer:VisibilityServer/v1beta2@0.17
    """,
    "Webhook": "port:int64 host:string certDir:string",
    "LeaderElection": """
        leaderElect:bool leaseDuration:duration! renewDeadline:duration! retryPeriod:duration! resourceLock:string
        resourceName:string resourceNamespace:string
    """,
    "Metrics": """
        bindAddress:string enableClusterQueueResources:bool customLabels:[CustomLabel]@0.17
        localQueueMetrics:LocalQueueMetrics@0.17
    """,
    "CustomLabel": """
        name:string sourceLabelKey:string sourceAnnotationKey:string sourceKind:string/v1beta2@0.18
        trackedValues:[string]/v1beta2@0.18
    """,
    "LocalQueueMetrics": "enable:bool localQueueSelector:LabelSelector",
    "Health": "healthProbeBindAddress:string readinessEndpointName:string livenessEndpointName:string",
    "Controller": "groupKindConcurrency:{int64} cacheSyncTimeout:int64",
    "TLS": "minVersion:string cipherSuites:[string] curvePreferences:[int32]@0.18",
    "LabelSelector": "matchLabels:{string} matchExpressions:[Requirement]",
    "Requirement": "key:string operator:string values:[string]",
    "InternalCertManagement": "enable:bool webhookServiceName:string webhookSecretName:string",
    "WaitForPodsReady": """
        enable:bool/v1beta1 timeout:duration/v1beta1 timeout:duration!/v1beta2 blockAdmission:bool
        requeuingStrategy:RequeuingStrategy recoveryTimeout:duration
    """,
    "RequeuingStrategy": "timestamp:string backoffLimitCount:int32 backoffBaseSeconds:int32 backoffMaxSeconds:int32",
    "ClientConnection": "qps:float burst:int32",
    "Integrations": """
        frameworks:[string] externalFrameworks:[string] labelKeysToCopy:[string] podOptions:PodOptions/v1beta1
    """,
    "PodOptions": "namespaceSelector:LabelSelector podSelector:LabelSelector",
    "QueueVisibility": "clusterQueues:ClusterQueueVisibility updateIntervalSeconds:int32",
    "ClusterQueueVisibility": "maxCount:int32",
    "MultiKueue": """
        gcInterval:duration origin:string workerLostTimeout:duration dispatcherName:string
        externalFrameworks:[ExternalFramework] clusterProfile:ClusterProfile/v1beta2
        incrementalDispatcherConfig:IncrementalDispatcherConfig/v1beta2@0.19
    """,
    "ExternalFramework": "name:string",
    "IncrementalDispatcherConfig": "stepSize:int32",
    "ClusterProfile": "accessProviders:[AccessProvider]@0.18 credentialsProviders:[AccessProvider]",
    "AccessProvider": "name:string execConfig:ExecConfig",
    "ExecConfig": """
        command:string args:[string] env:[EnvVar] apiVersion:string installHint:string provideClusterInfo:bool
        interactiveMode:string
    """,
    "EnvVar": "name:string value:string",
    "FairSharing": "enable:bool/v1beta1 preemptionStrategies:[string]",
    "AdmissionFairSharing": """
        usageHalfLifeTime:duration! usageSamplingInterval:duration! resourceWeights:{float}
    """,
    "Resources": """
        quotaCheckStrategy:string/v1beta2@0.18 excludeResourcePrefixes:[string] transformations:[Transformation]
        deviceClassMappings:[DeviceClassMapping]
    """,
    "Transformation": "input:string strategy:string multiplyBy:string@0.16 outputs:{quantity}",
    "DeviceClassMapping": """
        name:string deviceClassNames:[string] sources:[DeviceClassSource]/v1beta2@0.18
    """,
    "DeviceClassSource": "counter:DeviceSource capacity:DeviceSource",
    "DeviceSource": "name:string driver:string deviceSelector:DeviceSelector",
    "DeviceSelector": "cel:DeviceExpression",
    "DeviceExpression": "expression:string",
    "ObjectRetentionPolicies": "workloads:WorkloadRetention",
    "WorkloadRetention": "afterFinished:duration afterDeactivatedByKueue:duration",
    "VisibilityServer": "bindAddress:string bindPort:int32",
}


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a struct: its type, and the API version and version of Kueue it is limited to ("": none)."""

    name: str
    type: str
    api: str
    since: str


@cache
def fields(struct: str, api: str, kueue: str) -> dict[str, str]:
    """Name → type of the fields that a struct has in an API version (`v1beta2`) of a version of Kueue."""
    version = version_key(kueue)[:2]
    return {
        field.name: field.type
        for field in _fields(struct)
        if field.api in {"", api} and (not field.since or version >= version_key(field.since))
    }


@cache
def elsewhere(struct: str, name: str) -> Field | None:
    """The field of that name which exists only in another API version or a newer Kueue, if there is one."""
    return next((field for field in _fields(struct) if field.name == name), None)


@cache
def _fields(struct: str) -> tuple[Field, ...]:
    found = []
    for word in _STRUCTS[struct].split():
        name, _, rest = word.partition(":")
        rest, _, since = rest.partition("@")
        kind, _, api = rest.partition("/")
        found.append(Field(name, kind, api, since))
    return tuple(found)


def is_struct(name: str) -> bool:
    """Whether a type is a struct of this table."""
    return name in _STRUCTS
