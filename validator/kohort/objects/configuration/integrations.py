"""The part of validation that knows the job integrations: frameworks, external frameworks, MultiKueue."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from kohort.diagnostics.suggest import did_you_mean
from kohort.objects.configuration.document import Document, items, mapping, text
from kohort.objects.configuration.fault import Fault
from kohort.objects.durations import parse_duration
from kohort.objects.names import label_value
from kohort.spans import Path

# framework → the kind it manages as `Kind.version.group`
FRAMEWORKS: Final = {
    "batch/job": "Job.v1.batch",
    "deployment": "Deployment.v1.apps",
    "jobset.x-k8s.io/jobset": "JobSet.v1alpha2.jobset.x-k8s.io",
    "kubeflow.org/jaxjob": "JAXJob.v1.kubeflow.org",
    "kubeflow.org/mpijob": "MPIJob.v2beta1.kubeflow.org",
    "kubeflow.org/paddlejob": "PaddleJob.v1.kubeflow.org",
    "kubeflow.org/pytorchjob": "PyTorchJob.v1.kubeflow.org",
    "kubeflow.org/tfjob": "TFJob.v1.kubeflow.org",
    "kubeflow.org/xgboostjob": "XGBoostJob.v1.kubeflow.org",
    "leaderworkerset.x-k8s.io/leaderworkerset": "LeaderWorkerSet.v1.leaderworkerset.x-k8s.io",
    "pod": "Pod.v1.",
    "ray.io/raycluster": "RayCluster.v1.ray.io",
    "ray.io/rayjob": "RayJob.v1.ray.io",
    "ray.io/rayservice": "RayService.v1.ray.io",
    "sparkoperator.k8s.io/sparkapplication": "SparkApplication.v1beta2.sparkoperator.k8s.io",
    "statefulset": "StatefulSet.v1.apps",
    "trainer.kubeflow.org/trainjob": "TrainJob.v1alpha1.trainer.kubeflow.org",
    "workload.codeflare.dev/appwrapper": "AppWrapper.v1beta2.workload.codeflare.dev",
}
_SINCE_0_17: Final = frozenset({"ray.io/rayservice", "sparkoperator.k8s.io/sparkapplication"})
_WITHOUT_MULTIKUEUE: Final = frozenset({"deployment", "sparkoperator.k8s.io/sparkapplication"})
_INCREMENTAL: Final = "kueue.x-k8s.io/multikueue-dispatcher-incremental"
_MODES: Final = ("Never", "IfAvailable", "Always")
_PARTS = 3


def check_integrations(document: Document) -> Iterator[Fault]:
    """Frameworks known and given once; external ones as `Kind.version.group.com`; the pod integration's selector."""
    known = [name for name in FRAMEWORKS if document.since(0, 17) or name not in _SINCE_0_17]
    managed: set[tuple[str, ...]] = set()
    path: Path = ("integrations", "frameworks")
    for index, name in enumerate(document.frameworks):
        kind = _kind(FRAMEWORKS.get(name, ""))
        if name not in known:
            close = did_you_mean(name, known)
            helps = (f"did you mean {' or '.join(close)}?",) if close else (f"known: {', '.join(known)}",)
            message = f'Unsupported value: "{name[:80]}"'
            yield Fault((*path, index), "value", message, helps)
        elif kind in managed:
            yield Fault((*path, index), "value", f'Duplicate value: "{name}"')
        elif kind is not None:
            managed.add(kind)
    path = ("integrations", "externalFrameworks")
    for index, name in enumerate(items(document.at(*path))):
        kind = _kind(name)
        if kind is None:
            message = f"Invalid value: \"{text(name)[:80]}\": must be format, 'Kind.version.group.com'"
            yield Fault((*path, index), "value", message)
        elif kind in managed:
            yield Fault((*path, index), "value", f'Duplicate value: "{name}"')
        else:
            managed.add(kind)


def _kind(name: Any) -> tuple[str, ...] | None:
    parts = tuple(text(name).split(".", _PARTS - 1))
    return parts if len(parts) == _PARTS else None


def check_multikueue(document: Document) -> Iterator[Fault]:
    """Durations, origin, external frameworks, cluster profile and dispatcher."""
    for field in ("gcInterval", "workerLostTimeout"):
        value = document.at("multiKueue", field)
        if isinstance(value, str) and parse_duration(value) < 0:
            message = f'Invalid value: "{value}": must be greater than or equal to 0'
            yield Fault(("multiKueue", field), "value", message)
    origin = text(document.at("multiKueue", "origin"))
    wrong = label_value(origin)
    if wrong:
        yield Fault(("multiKueue", "origin"), "value", f'Invalid value: "{origin[:80]}": {wrong}')
    yield from _external(document)
    yield from _profile(document)
    config = document.at("multiKueue", "incrementalDispatcherConfig")
    if config is None:
        return
    path = ("multiKueue", "incrementalDispatcherConfig")
    if document.at("multiKueue", "dispatcherName") != _INCREMENTAL:
        message = "incrementalDispatcherConfig is only valid when dispatcherName is set to the incremental dispatcher"
        yield Fault(path, "value", message, (f"set dispatcherName: {_INCREMENTAL}",))
    step = mapping(config).get("stepSize")
    if isinstance(step, (int, float)) and step < 1:
        yield Fault(
            (*path, "stepSize"), "value", f"Invalid value: {step}: must be greater than or equal to 1"
        )


def _external(document: Document) -> Iterator[Fault]:
    built_in = {
        _kind(FRAMEWORKS.get(name, "")) for name in document.frameworks if name not in _WITHOUT_MULTIKUEUE
    }
    seen: set[tuple[str, ...]] = set()
    for index, entry in enumerate(items(document.at("multiKueue", "externalFrameworks"))):
        path: Path = ("multiKueue", "externalFrameworks", index, "name")
        name = text(mapping(entry).get("name"))
        kind = _kind(name)
        if kind is None:
            yield Fault(
                path, "value", f"Invalid value: \"{name[:80]}\": must be in 'kind.version.group' format"
            )
            continue
        if kind in seen:
            yield Fault(path, "value", f'Duplicate value: "{name}"')
        seen.add(kind)
        if kind in built_in:
            message = f'Invalid value: "{name}": conflicts with a built-in MultiKueue adapter'
            yield Fault(path, "value", message, ("remove it: the framework is built in and on",))


def _profile(document: Document) -> Iterator[Fault]:
    profile = mapping(document.at("multiKueue", "clusterProfile"))
    access, credentials = items(profile.get("accessProviders")), items(profile.get("credentialsProviders"))
    root: Path = ("multiKueue", "clusterProfile")
    if access and credentials:
        message = "Forbidden: must not be specified when accessProviders is specified"
        yield Fault((*root, "credentialsProviders"), "value", message)
    field = "accessProviders" if access else "credentialsProviders"
    for index, provider in enumerate(access or credentials):
        path = (*root, field, index)
        execute = mapping(mapping(provider).get("execConfig"))
        if not text(mapping(provider).get("name")):
            yield Fault((*path, "name"), "value", "Required value: must be specified")
        for key in ("command", "apiVersion", "interactiveMode"):
            if not text(execute.get(key)):
                yield Fault((*path, "execConfig", key), "value", "Required value: must be specified")
        mode = text(execute.get("interactiveMode"))
        if mode and mode not in _MODES:
            message = f'Unsupported value: "{mode[:40]}": supported values: "Never", "IfAvailable", "Always"'
            yield Fault((*path, "execConfig", "interactiveMode"), "value", message)
        for number, variable in enumerate(items(execute.get("env"))):
            if not text(mapping(variable).get("name")):
                message = "Required value: must be specified"
                yield Fault((*path, "execConfig", "env", number, "name"), "value", message)
