"""Inputs for Kueue's job webhooks: Jobs, Pods, JobSets, PyTorchJobs, TrainJobs, AppWrappers and what serves.

Only what Kueue judges: labels and annotations of its own, and what they say of the spec. Updates are of jobs that wait,
since queue `main` does not exist, or of jobs that Kueue has admitted from queue `ready` and unsuspended: these are recorded
as changes to what then exists.
"""

from __future__ import annotations

from typing import Any

from edit import put

KIND = ""  # each object names its own
QUEUE, SECONDS, PREBUILT = (
    f"kueue.x-k8s.io/{n}" for n in ("queue-name", "max-exec-time-seconds", "prebuilt-workload-name")
)
CLASS, ELASTIC, GATED = (
    f"kueue.x-k8s.io/{n}" for n in ("priority-class", "elastic-job", "admission-gated-by")
)
FEWEST, EQUAL = (f"kueue.x-k8s.io/job-{n}" for n in ("min-parallelism", "completions-equal-parallelism"))
GROUP, TOTAL, MANAGED = (
    "kueue.x-k8s.io/pod-group-name",
    "kueue.x-k8s.io/pod-group-total-count",
    "kueue.x-k8s.io/managed",
)
TOPOLOGY = "kueue.x-k8s.io/podset-"
POD: dict[str, Any] = {
    "restartPolicy": "Never",
    "containers": [{"name": "main", "image": "example.com/train:1", "resources": {"requests": {"cpu": "1"}}}],
}


def job(labels: Any = None, notes: Any = None, template: Any = None, **spec: Any) -> dict[str, Any]:
    """A Job in queue `main`; notes are its annotations, `template` those of its pods."""
    body = {
        "parallelism": 2,
        "completions": 2,
        "template": {"metadata": {"annotations": template or {}}, "spec": POD},
    } | spec
    return _made("batch/v1", "Job", labels, notes, body)


def _made(version: str, kind: str, labels: Any, notes: Any, spec: Any) -> dict[str, Any]:
    meta: dict[str, Any] = {
        "name": "train",
        "namespace": "default",
        "labels": {QUEUE: "main"} | (labels or {}),
    }
    if notes:
        meta["annotations"] = notes
    return {"apiVersion": version, "kind": kind, "metadata": meta, "spec": spec}


def pod(labels: Any = None, notes: Any = None) -> dict[str, Any]:
    return _made("v1", "Pod", labels, notes, POD)


def jobset(labels: Any = None, notes: Any = None, *sets: tuple[str, int, Any]) -> dict[str, Any]:
    replicated = [
        {"name": name, "replicas": 1, "template": {"spec": {"parallelism": count, "completions": count, "template": {"metadata": {"annotations": annotations}, "spec": POD}}}}
        for name, count, annotations in sets or (("workers", 2, {}),)
    ]  # fmt: skip
    return _made("jobset.x-k8s.io/v1alpha2", "JobSet", labels, notes, {"replicatedJobs": replicated})


def pytorch(labels: Any = None, notes: Any = None, master: Any = None, worker: Any = None) -> dict[str, Any]:
    containers = [{**POD["containers"][0], "name": "pytorch"}]

    def replicas(count: int, annotations: Any) -> dict[str, Any]:
        template = {"metadata": {"annotations": annotations or {}}, "spec": {"containers": containers}}
        return {"replicas": count, "restartPolicy": "Never", "template": template}

    sets = {"Master": replicas(1, master), "Worker": replicas(3, worker)}
    return _made("kubeflow.org/v1", "PyTorchJob", labels, notes, {"pytorchReplicaSpecs": sets})


def trainjob(labels: Any = None, notes: Any = None) -> dict[str, Any]:
    spec = {
        "runtimeRef": {"name": "torch-distributed"},
        "trainer": {"numNodes": 2, "image": "example.com/train:1"},
    }
    return _made("trainer.kubeflow.org/v1alpha1", "TrainJob", labels, notes, spec)


def wrapper(labels: Any = None, notes: Any = None, template: Any = None) -> dict[str, Any]:
    inner = job(template=template)
    inner["metadata"] = {"name": "train"}
    podsets = [{"path": "template.spec.template", "replicas": 2}]
    return _made(
        "workload.codeflare.dev/v1beta2",
        "AppWrapper",
        labels,
        notes,
        {"components": [{"template": inner, "podSets": podsets}]},
    )


def serving(kind: str, labels: Any = None, notes: Any = None) -> dict[str, Any]:
    spec = {
        "replicas": 2,
        "selector": {"matchLabels": {"app": "x"}},
        "template": {"metadata": {"labels": {"app": "x"}}, "spec": {"containers": POD["containers"]}},
    }
    return _made(
        "apps/v1", kind, labels, notes, spec | ({"serviceName": "x"} if kind == "StatefulSet" else {})
    )


KINDS: dict[str, Any] = {
    "job": job, "pod": pod, "jobset": jobset, "pytorch": pytorch, "trainjob": trainjob, "wrapper": wrapper,
}  # fmt: skip


def cases() -> list[tuple[str, Any]]:
    return [*common(), *partial(), *topology(), *groups(), *serves()]


def common() -> list[tuple[str, Any]]:
    """What every kind has in common, asked of every kind."""
    found = []
    for name, make in KINDS.items():
        found += [
            (f"{name}-good", make()),
            (f"{name}-queue-capitals", make({QUEUE: "Main"})),
            (f"{name}-queue-underscore", make({QUEUE: "my_queue"})),
            (f"{name}-queue-empty", make({QUEUE: ""})),
            (f"{name}-seconds", make({SECONDS: "60"})),
            (f"{name}-seconds-zero", make({SECONDS: "0"})),
            (f"{name}-seconds-text", make({SECONDS: "1h"})),
            (f"{name}-prebuilt-label", make({PREBUILT: "ready"})),
            (f"{name}-prebuilt-capitals", make({PREBUILT: "Ready"})),
            (f"{name}-prebuilt-annotation", make(notes={PREBUILT: "ready"})),
            (f"{name}-prebuilt-annotation-capitals", make(notes={PREBUILT: "Ready"})),
            (f"{name}-elastic", make(notes={ELASTIC: "true"})),
            (f"{name}-elastic-capital", make(notes={ELASTIC: "True"})),
            (f"{name}-class-unknown", make({CLASS: "nobody-made-it"})),
            (f"{name}-gated", make(notes={GATED: "example.com/budget"})),
            (f"{name}-gated-without-domain", make(notes={GATED: "budget"})),
            (f"{name}-gated-twice", make(notes={GATED: "example.com/a,example.com/a"})),
            (f"{name}-gated-gap", make(notes={GATED: "example.com/a,,example.com/b"})),
            (f"{name}-gated-long", make(notes={GATED: f"example.com/{'a' * 60}"})),
        ]
    return [
        *found,
        ("job-seconds-plus", job({SECONDS: "60s"})),
        ("job-seconds-huge", job({SECONDS: "9" * 19})),
    ]


def partial() -> list[tuple[str, Any]]:
    indexed = {"completionMode": "Indexed"}
    without = job(notes={FEWEST: "two"})
    del without["metadata"]["labels"]
    return [
        ("job-fewest", job(notes={FEWEST: "1"})),
        ("job-fewest-all", job(notes={FEWEST: "2"})),
        ("job-fewest-zero", job(notes={FEWEST: "0"})),
        ("job-fewest-negative", job(notes={FEWEST: "-1"})),
        ("job-fewest-text", job(notes={FEWEST: "two"})),
        ("job-fewest-plus", job(notes={FEWEST: "+1"})),
        ("job-fewest-blank", job(notes={FEWEST: " 1"})),
        ("job-fewest-wraps", job(notes={FEWEST: str((1 << 32) + 1)})),
        ("job-fewest-of-one", job(notes={FEWEST: "1"}, parallelism=1)),
        ("job-fewest-above-completions", job(notes={FEWEST: "2"}, parallelism=3)),
        ("job-fewest-elastic", job(notes={FEWEST: "1", ELASTIC: "true"})),
        ("job-fewest-without-queue", without),
        ("job-equal", job(notes={EQUAL: "true"}, **indexed)),
        ("job-equal-not-indexed", job(notes={EQUAL: "true"})),
        ("job-equal-other-count", job(notes={EQUAL: "true"}, **indexed, parallelism=1)),
        ("job-equal-no-counts", job(notes={EQUAL: "true"}, **indexed, parallelism=None, completions=None)),
        ("job-equal-one", job(notes={EQUAL: "1"})),
        ("job-equal-yes", job(notes={EQUAL: "yes"})),
        ("job-equal-false", job(notes={EQUAL: "false"})),
    ]


def topology() -> list[tuple[str, Any]]:
    def notes(**texts: str) -> dict[str, str]:
        return {TOPOLOGY + key.replace("_", "-"): value for key, value in texts.items()}

    rack, host = "example.com/rack", "kubernetes.io/hostname"
    layers = TOPOLOGY + "slice-required-topology-constraints"
    good = '[{"topology":"example.com/rack","size":2},{"topology":"kubernetes.io/hostname","size":1}]'
    shared = notes(group_name="all", required_topology=rack)
    without = job(template=notes(required_topology="a rack"))
    del without["metadata"]["labels"]
    asked = {
        "required": notes(required_topology=rack),
        "two": notes(required_topology=rack, preferred_topology=rack),
        "label-bad": notes(required_topology="a rack"),
        "label-empty": notes(preferred_topology=""),
        "unconstrained": notes(unconstrained_topology="true"),
        "unconstrained-yes": notes(unconstrained_topology="yes"),
        "slice": notes(slice_required_topology=host, slice_size="1"),
        "slice-zero": notes(slice_required_topology=host, slice_size="0"),
        "slice-text": notes(slice_required_topology=host, slice_size="one"),
        "slice-large": notes(slice_required_topology=host, slice_size="4"),
        "slice-no-size": notes(slice_required_topology=host),
        "size-no-slice": notes(slice_size="1"),
        "group-alone": notes(group_name="all"),
        "group-number": notes(group_name="7", required_topology=rack),
        "group-slice": notes(
            group_name="all", required_topology=rack, slice_required_topology=host, slice_size="1"
        ),
        "layers": notes() | {layers: good},
        "layers-text": notes() | {layers: "many"},
        "layers-empty": notes() | {layers: "[]"},
        "layers-no-divisor": notes() | {layers: '[{"topology":"a","size":3},{"topology":"b","size":2}]'},
        "layers-twice": notes() | {layers: '[{"topology":"a","size":2},{"topology":"a","size":1}]'},
    }
    found = []
    for key, given in asked.items():
        found += [
            (f"job-topology-{key}", job(template=given)),
            (f"pod-topology-{key}", pod(notes=given)),
            (f"jobset-topology-{key}", jobset({}, {}, ("workers", 2, given))),
            (f"pytorch-topology-{key}", pytorch(worker=given)),
            (f"wrapper-topology-{key}", wrapper(template=given)),
        ]
    return [
        *found,
        ("job-topology-without-queue", without),
        ("job-topology-elastic-required", job(notes={ELASTIC: "true"}, template=asked["required"])),
        ("job-topology-elastic-unconstrained", job(notes={ELASTIC: "true"}, template=asked["unconstrained"])),
        ("jobset-group-of-two", jobset({}, {}, ("leader", 1, shared), ("workers", 2, shared))),
        ("jobset-group-of-one", jobset({}, {}, ("leader", 1, shared), ("workers", 2, {}))),
        ("jobset-group-of-three", jobset({}, {}, ("a", 1, shared), ("b", 1, shared), ("c", 2, shared))),
        ("jobset-group-of-many-pods", jobset({}, {}, ("a", 2, shared), ("b", 2, shared))),
        ("jobset-group-differs", jobset({}, {}, ("a", 1, shared), ("b", 2, notes(group_name="all", required_topology=host)))),
        ("pytorch-group-of-two", pytorch(master=shared, worker=shared)),
        ("pytorch-group-differs", pytorch(master=shared, worker=notes(group_name="all", preferred_topology=rack))),
    ]  # fmt: skip


def groups() -> list[tuple[str, Any]]:
    return [
        ("pod-group", pod({GROUP: "workers"}, {TOTAL: "2"})),
        ("pod-group-no-total", pod({GROUP: "workers"})),
        ("pod-group-total-alone", pod(notes={TOTAL: "2"})),
        ("pod-group-total-zero", pod({GROUP: "workers"}, {TOTAL: "0"})),
        ("pod-group-total-text", pod({GROUP: "workers"}, {TOTAL: "two"})),
        ("pod-group-capitals", pod({GROUP: "Workers"}, {TOTAL: "2"})),
        ("pod-group-annotation", pod(notes={GROUP: "workers", TOTAL: "2"})),
        ("pod-group-annotation-no-total", pod(notes={GROUP: "workers"})),
        ("pod-group-annotation-capitals", pod(notes={GROUP: "Workers", TOTAL: "2"})),
        ("pod-group-label-and-annotation", pod({GROUP: "Workers"}, {GROUP: "workers", TOTAL: "2"})),
        ("pod-group-prebuilt-same", pod({GROUP: "workers", PREBUILT: "workers"}, {TOTAL: "2"})),
        ("pod-group-prebuilt-other", pod({GROUP: "workers", PREBUILT: "ready"}, {TOTAL: "2"})),
        ("pod-managed-true", pod({MANAGED: "true"})),
        ("pod-managed-false", pod({MANAGED: "false"})),
    ]


def serves() -> list[tuple[str, Any]]:
    found = []
    for kind in ("Deployment", "StatefulSet"):
        name = kind.lower()
        found += [
            (f"{name}-good", serving(kind)),
            (f"{name}-queue-capitals", serving(kind, {QUEUE: "Main"})),
            (f"{name}-seconds-text", serving(kind, {SECONDS: "1h"})),
            (f"{name}-prebuilt", serving(kind, {PREBUILT: "Ready"})),
            (f"{name}-elastic", serving(kind, None, {ELASTIC: "true"})),
            (f"{name}-gated-without-domain", serving(kind, None, {GATED: "budget"})),
        ]
    return found


def updates() -> list[tuple[str, Any, Any]]:
    label, note = (f"metadata/{part}" for part in ("labels", "annotations"))

    def changed(key: str, before: Any, path: str, keys: dict[str, Any]) -> tuple[str, Any, Any]:
        after = before
        for name, value in keys.items():
            parent: dict[str, Any] = dict(after["metadata"].get(path.split("/")[1]) or {})
            parent = {k: v for k, v in (parent | {name: value}).items() if v is not None}
            after = put(after, path, parent)
        return key, before, after

    found = []
    for name, make in KINDS.items():
        if name != "pod":
            found += [
                changed(f"{name}-waits-queue", make(), label, {QUEUE: "other"}),
                changed(f"{name}-waits-seconds", make({SECONDS: "60"}), label, {SECONDS: "90"}),
                changed(f"{name}-waits-class-added", make(), label, {CLASS: "high"}),
                changed(f"{name}-waits-class-changed", make({CLASS: "high"}), label, {CLASS: "low"}),
                changed(f"{name}-waits-class-removed", make({CLASS: "high"}), label, {CLASS: None}),
                changed(f"{name}-waits-prebuilt", make(), label, {PREBUILT: "ready"}),
                changed(f"{name}-waits-gate-added", make(), note, {GATED: "example.com/a"}),
                changed(f"{name}-waits-gate-removed", make(notes={GATED: "example.com/a,example.com/b"}), note, {GATED: "example.com/a"}),
            ]  # fmt: skip
    return [
        *found,
        changed("job-waits-elastic-added", job(), note, {ELASTIC: "true"}),
        changed("job-waits-fewest-changed", job(notes={FEWEST: "1"}), note, {FEWEST: "2"}),
        (
            "job-waits-parallelism",
            job(notes={FEWEST: "1"}),
            job(notes={FEWEST: "1"}, parallelism=1, completions=2),
        ),
        ("job-waits-topology", job(), job(template={f"{TOPOLOGY}required-topology": "a rack"})),
        changed("pod-queue", pod(), label, {QUEUE: "other"}),
        changed("pod-group-changed", pod({GROUP: "a"}, {TOTAL: "2"}), label, {GROUP: "b"}),
    ]


# What differs from the running job, by path; None removes.
_RUNNING: dict[str, dict[str, Any]] = {
    "nothing": {},
    "queue": {f"metadata/labels/{QUEUE.replace('/', '~')}": "other"},
    "queue-removed": {f"metadata/labels/{QUEUE.replace('/', '~')}": None},
    "seconds": {f"metadata/labels/{SECONDS.replace('/', '~')}": "60"},
    "class-added": {f"metadata/labels/{CLASS.replace('/', '~')}": "high"},
    "prebuilt": {f"metadata/labels/{PREBUILT.replace('/', '~')}": "ready"},
    "gate-added": {f"metadata/annotations/{GATED.replace('/', '~')}": "example.com/a"},
    "elastic-added": {f"metadata/annotations/{ELASTIC.replace('/', '~')}": "true"},
}
_PARALLELISM = "spec/parallelism"
READY = {QUEUE: "ready"}


def running() -> list[tuple[str, Any, dict[str, Any]]]:
    """Updates of jobs that Kueue has admitted and unsuspended: (id, as created, changes)."""
    found = []
    for name, make in KINDS.items():
        if name not in ("pod", "trainjob"):
            found += [(f"{name}-runs-{key}", make(READY), changes) for key, changes in _RUNNING.items()]
    suspended = {"spec/suspend": True}
    fewest = {f"metadata/annotations/{FEWEST.replace('/', '~')}": "1"}
    return [
        *found,
        ("job-runs-suspended", job(READY), suspended),
        ("job-runs-suspended-and-other-queue", job(READY), suspended | _RUNNING["queue"]),
        ("job-runs-class-changed", job(READY | {CLASS: "high"}), {f"metadata/labels/{CLASS.replace('/', '~')}": "low"}),
        ("job-runs-class-removed", job(READY | {CLASS: "high"}), {f"metadata/labels/{CLASS.replace('/', '~')}": None}),
        ("job-runs-parallelism", job(READY), {_PARALLELISM: 1}),
        ("job-runs-parallelism-with-fewest", job(READY, notes={FEWEST: "1"}), {_PARALLELISM: 1}),
        ("job-runs-parallelism-elastic", job(READY, notes={ELASTIC: "true"}), {_PARALLELISM: 1}),
        ("job-runs-fewest-added", job(READY), fewest),
        ("job-runs-equal-added", job(READY, completionMode="Indexed"), {f"metadata/annotations/{EQUAL.replace('/', '~')}": "true"}),
    ]  # fmt: skip
