"""Record what Kueue's job webhooks say of jobs, new and changed, waiting and running.

Only the definitions of the kinds are there, not their operators: what is recorded is Kueue's own judgement.
"""

from __future__ import annotations

import copy
import time
from typing import TYPE_CHECKING, Any, Final

from kohort.lab import appwrapper, jobset, trainer
from kohort.lab.build import module_folder
from kohort.lab.components.kueue import appwrapper_module
from kohort.lab.failure import LabError
from kohort.lab.patience import stretched
from kohort.lab.upstream import documents
from kohort.lab.verdicts import Kind, verdict

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from kohort.lab.controlplane import ControlPlane

FRAMEWORKS: Final = (
    "batch/job",
    "pod",
    "deployment",
    "statefulset",
    "jobset.x-k8s.io/jobset",
    "kubeflow.org/pytorchjob",
    "trainer.kubeflow.org/trainjob",
    "workload.codeflare.dev/appwrapper",
)
CONFIGURATION: Final = {"integrations": {"frameworks": list(FRAMEWORKS)}}
KINDS: Final = {
    "AppWrapper": Kind("appwrappers", True, "workload.codeflare.dev", ("v1beta2",)),
    "Deployment": Kind("deployments", True, "apps", ("v1",)),
    "Job": Kind("jobs", True, "batch", ("v1",)),
    "JobSet": Kind("jobsets", True, "jobset.x-k8s.io", ("v1alpha2",)),
    "Pod": Kind("pods", True, "", ("v1",)),
    "PyTorchJob": Kind("pytorchjobs", True, "kubeflow.org", ("v1",)),
    "StatefulSet": Kind("statefulsets", True, "apps", ("v1",)),
    "TrainJob": Kind("trainjobs", True, "trainer.kubeflow.org", ("v1alpha1",)),
}
_SUSPENDED: Final = {"PyTorchJob": ("spec", "runPolicy", "suspend")}
_STRICT: Final = {"dryRun": "All", "fieldValidation": "Strict"}
_API: Final = "kueue.x-k8s.io/v1beta2"
_CONFLICT, _ATTEMPTS, _SECONDS = 409, 20, 60.0


def prepare(plane: ControlPlane) -> None:
    """Create the kinds, queue `ready` that admits everything, two priorities and a runtime of TrainJobs."""
    trainer_module = module_folder("trainer", trainer.MODULE, cache=plane.cache)
    operator = module_folder("kueue", "github.com/kubeflow/training-operator", cache=plane.cache)
    plane.create(
        [
            *appwrapper.definitions(appwrapper_module(plane)),
            *jobset.definitions(module_folder("jobset", jobset.MODULE, cache=plane.cache)),
            *trainer.definitions(trainer_module),
            *documents(operator / "manifests" / "base" / "crds" / "kubeflow.org_pytorchjobs.yaml"),
        ]
    )
    plane.wait_for_definitions()
    quota = {"name": "cpu", "nominalQuota": "100000"}
    groups = [{"coveredResources": ["cpu"], "flavors": [{"name": "cpu", "resources": [quota]}]}]
    plane.create(
        [
            _object("ResourceFlavor", "cpu", {}),
            _object("ClusterQueue", "all", {"namespaceSelector": {}, "resourceGroups": groups}),
            _object("LocalQueue", "ready", {"clusterQueue": "all"}, "default"),
            {
                "apiVersion": "v1",
                "kind": "ServiceAccount",
                "metadata": {"name": "default", "namespace": "default"},
            },
            *(
                {**_object("WorkloadPriorityClass", name, None), "value": value}
                for name, value in (("high", 100), ("low", 1))
            ),
            *trainer.runtimes(trainer_module),
        ]
    )


def _object(kind: str, name: str, spec: Any, namespace: str = "") -> dict[str, Any]:
    meta = {"name": name} | ({"namespace": namespace} if namespace else {})
    return {"apiVersion": _API, "kind": kind, "metadata": meta} | ({} if spec is None else {"spec": spec})


def wait(plane: ControlPlane, good: Iterable[Mapping[str, Any]]) -> None:
    """Return when a good object of every kind is accepted: Kueue judges a kind some seconds after its definition."""
    end = time.monotonic() + stretched(_SECONDS)
    for each in good:
        while not (answer := plane.request("POST", _path(each), each, _STRICT)).ok:
            if time.monotonic() > end:
                raise LabError(f"a good {each['kind']} is refused: {answer.body}")
            time.sleep(0.5)


def creations(plane: ControlPlane, cases: Iterable[tuple[str, Any]]) -> list[dict[str, Any]]:
    """Offer new jobs; the stored form is left out, as other parties than Kueue fill in most of it."""
    return [
        {"id": key, "object": offered, **_said(plane, "POST", _path(offered), offered)}
        for key, offered in cases
    ]


def updates(plane: ControlPlane, cases: Iterable[tuple[str, Any, Any]]) -> list[dict[str, Any]]:
    """Offer replacements of jobs that wait, for a queue that is not there."""
    found = []
    for key, before, offered in cases:
        plane.client.must("POST", _path(before), before)
        with _existing(plane, before) as one:
            answer = _replaced(plane, one, lambda live, new=offered: _onto(live, new))
        found.append({"id": key, "before": before, "object": offered, **answer})
    return found


def running(plane: ControlPlane, cases: Iterable[tuple[str, Any, Mapping[str, Any]]]) -> list[dict[str, Any]]:
    """Offer changes of jobs that Kueue has unsuspended; each change is a path (`/` between steps, `~` for a `/`)."""
    found = []
    for key, before, changes in cases:
        plane.client.must("POST", _path(before), before)
        with _existing(plane, before) as one:
            _until_running(plane, one, before["kind"])
            answer = _replaced(plane, one, lambda live, some=changes: _changed(live, some))
        shown = {path.replace("~", "/"): value for path, value in changes.items()}
        found.append({"id": key, "before": before, "running": True, "changes": shown, **answer})
    return found


def again(
    plane: ControlPlane, recorded: Sequence[Mapping[str, Any]]
) -> list[tuple[Mapping[str, Any], dict[str, Any]]]:
    """Offer recorded jobs once more; each verdict with what is said now. Those of running jobs are left out.

    Args:
        plane: a control plane with Kueue, configured by `CONFIGURATION`; it is prepared here.
        recorded: entries as `creations` and `updates` return them.
    """
    prepare(plane)
    new = [each for each in recorded if "before" not in each]
    changed = [each for each in recorded if "before" in each and "running" not in each]
    good = {each["object"]["kind"]: each["object"] for each in reversed(new) if each["accepted"]}
    wait(plane, good.values())
    said = creations(plane, [(each["id"], each["object"]) for each in new])
    said += updates(plane, [(each["id"], each["before"], each["object"]) for each in changed])
    return list(zip([*new, *changed], said, strict=True))


def _path(each: Mapping[str, Any]) -> str:
    kind = KINDS[each["kind"]]
    root = f"/apis/{kind.group}" if kind.group else "/api"
    return f"{root}/{kind.versions[0]}/namespaces/default/{kind.plural}"


def _said(plane: ControlPlane, method: str, path: str, body: Any) -> dict[str, Any]:
    said = verdict(body, plane.request(method, path, body, _STRICT))
    said.pop("stored", None)
    return said


class _existing:  # noqa: N801 - reads as what it does
    """A job that goes with the block."""

    def __init__(self, plane: ControlPlane, each: Mapping[str, Any]) -> None:
        self.plane, self.one = plane, f"{_path(each)}/{each['metadata']['name']}"

    def __enter__(self) -> str:
        return self.one

    def __exit__(self, *_: object) -> None:
        request = self.plane.client.request
        end = time.monotonic() + stretched(_SECONDS)
        request("DELETE", self.one, {"propagationPolicy": "Background", "gracePeriodSeconds": 0})
        while request("GET", self.one).ok:
            request(
                "PATCH",
                self.one,
                {"metadata": {"finalizers": None}},
                content_type="application/merge-patch+json",
            )
            if time.monotonic() > end:
                raise LabError(f"{self.one} does not go")
            time.sleep(0.1)
        for workload in self.plane.client.must("GET", f"/apis/{_API}/namespaces/default/workloads")["items"]:
            path = f"/apis/{_API}/namespaces/default/workloads/{workload['metadata']['name']}"
            request("DELETE", path)
            request(
                "PATCH", path, {"metadata": {"finalizers": None}}, content_type="application/merge-patch+json"
            )


def _until_running(plane: ControlPlane, one: str, kind: str) -> None:
    end = time.monotonic() + stretched(_SECONDS)
    while True:
        value: Any = plane.client.must("GET", one)
        for step in _SUSPENDED.get(kind, ("spec", "suspend")):
            value = value.get(step, {}) if isinstance(value, dict) else {}
        if value in (False, {}):  # AppWrapper leaves the field out
            return
        if time.monotonic() > end:
            raise LabError(f"{one} is not unsuspended: {value}")
        time.sleep(0.2)


def _replaced(plane: ControlPlane, one: str, change: Any) -> dict[str, Any]:
    for _ in range(_ATTEMPTS):  # Kueue's controllers write meanwhile
        live = plane.client.must("GET", one)
        said = _said(plane, "PUT", one, change(live))
        if said["code"] != _CONFLICT:
            break
    return said


def _onto(live: dict[str, Any], offered: Mapping[str, Any]) -> dict[str, Any]:
    """The offered object as an edit of what exists: suspended like it, with what the server filled in."""
    meta = {**live["metadata"], **{k: offered["metadata"].get(k, {}) for k in ("labels", "annotations")}}
    return {**live, "metadata": meta, "spec": _merged(live["spec"], offered["spec"])}


def _merged(live: Any, offered: Any) -> Any:
    if isinstance(live, dict) and isinstance(offered, dict):
        return {**live, **{key: _merged(live.get(key), value) for key, value in offered.items()}}
    if isinstance(live, list) and isinstance(offered, list) and len(live) == len(offered):
        return [_merged(one, other) for one, other in zip(live, offered, strict=True)]
    return offered


def _changed(live: dict[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    found = copy.deepcopy(live)
    for path, value in changes.items():
        *parents, last = _steps(path)
        at: Any = found
        for step in parents:
            at = at.setdefault(step, {})
        if value is None:
            at.pop(last, None)
        else:
            at[last] = value
    return found


def _steps(path: str) -> Iterator[str]:
    return (step.replace("~", "/") for step in path.split("/"))
