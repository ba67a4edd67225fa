"""Work to submit: AppWrappers around a Job, with pods that kwok ends after a given time."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kohort.lab.upstream import Manifest

GROUP = "workload.codeflare.dev"
API = f"{GROUP}/v1beta2"
QUEUE = "kueue.x-k8s.io/queue-name"
PRIORITY = "kueue.x-k8s.io/priority-class"
RUN_SECONDS = "lab/run-seconds"
EXIT_CODE = "lab/exit-code"


def pods(
    count: int,
    requests: Mapping[str, str],
    *,
    seconds: float | None = None,
    exit_code: int = 0,
    labels: Mapping[str, str] | None = None,
    scheduler: str | None = None,
) -> Manifest:
    """Return the `spec` of a Job whose pods all run at once and are not retried.

    Args:
        count: number of pods.
        requests: what each pod requests, also its limits.
        seconds: how long each runs; for ever when absent.
        exit_code: with which each ends.
        labels: further labels of the pods.
        scheduler: name of their scheduler; AppWrapper's or the default one when absent.
    """
    annotations = {} if seconds is None else {RUN_SECONDS: f"{seconds:g}s", EXIT_CODE: str(exit_code)}
    container = {
        "name": "work",
        "image": "lab.invalid/work:1",
        "resources": {"requests": dict(requests), "limits": dict(requests)},
    }
    spec = {
        "restartPolicy": "Never",
        "terminationGracePeriodSeconds": 0,
        "containers": [container],
        **({"schedulerName": scheduler} if scheduler else {}),
    }
    return {
        "parallelism": count,
        "completions": count,
        "backoffLimit": 0,
        "template": {
            "metadata": {"annotations": annotations, "labels": dict(labels or {})},
            "spec": spec,
        },
    }


def wrapped(
    name: str,
    namespace: str,
    job: Manifest,
    *,
    queue: str | None = None,
    priority: str | None = None,
    annotations: Mapping[str, str] | None = None,
) -> Manifest:
    """Return an AppWrapper around one Job.

    Args:
        name: name of both.
        namespace: where they live.
        job: the Job's `spec`, for example of `pods`.
        queue: name of the LocalQueue; AppWrapper's default when absent.
        priority: name of a WorkloadPriorityClass.
        annotations: of the AppWrapper, for example its retry pause.
    """
    labels = {QUEUE: queue, PRIORITY: priority}
    template = {"apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": name}, "spec": job}
    return {
        "apiVersion": API,
        "kind": "AppWrapper",
        "metadata": {
            "name": name,
            "namespace": namespace,
            "labels": {key: value for key, value in labels.items() if value},
            "annotations": dict(annotations or {}),
        },
        "spec": {"components": [{"template": template}]},
    }
