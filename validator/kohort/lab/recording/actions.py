"""One step of a scenario, done on the server."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from typing import Any

from kohort.lab.apply import Applier
from kohort.lab.client import Client
from kohort.lab.failure import LabError
from kohort.lab.recording.job_controller import now, path_of
from kohort.lab.recording.prefix import prefixed
from kohort.lab.recording.store import KUEUE
from kohort.simulator.replay.trace import Step

Edit = Callable[[dict[str, Any]], None]
_CONFLICT, _GONE = 409, 404
_ATTEMPTS = 30
_VERSIONS = {"LimitRange": "v1", "Namespace": "v1", "Node": "v1", "RuntimeClass": "node.k8s.io/v1"}
_KEPT = ("resourceVersion", "uid", "creationTimestamp", "generation", "finalizers", "managedFields")


class Actions:
    """Does the steps of one scenario under its prefix.

    Attributes:
        spaces: namespace of each Workload, without prefix.
    """

    def __init__(self, client: Client, applier: Applier, prefix: str) -> None:
        self._client = client
        self._applier = applier
        self._prefix = prefix
        self.spaces: dict[str, str] = {}

    def do(self, step: Step) -> None:
        """Do one step; `wait` does nothing.

        Raises:
            LabError: the server refused.
        """
        name = step.workload
        if step.do == "submit":
            self.spaces[step.obj["metadata"]["name"]] = step.obj["metadata"]["namespace"]
            self.create(step.obj)
        elif step.do == "apply":
            self.apply(step.obj)
        elif step.do == "remove":
            self._client.request("DELETE", self._applier.path(_whole(prefixed(step.obj, self._prefix))))
        elif step.do == "delete":
            self._client.request("DELETE", self._path(name))
        elif step.do == "finish":
            self._edit(self._path(name), _finish, "/status")
        elif step.do == "check":
            check = self._prefix + step.check
            self._edit(
                self._path(name), lambda obj: _check(obj, check, step.state, step.after_seconds), "/status"
            )
        elif step.do in ("activate", "deactivate"):
            self._edit(self._path(name), lambda obj: obj["spec"].__setitem__("active", step.do == "activate"))
        elif step.do == "reclaimable":
            pods = [{"name": key, "count": count} for key, count in step.podsets.items()]
            self._edit(
                self._path(name),
                lambda obj: obj.setdefault("status", {}).update(reclaimablePods=pods),
                "/status",
            )
        elif step.do != "wait":
            raise LabError(f"a scenario asks for {step.do!r}, which no step is called")

    def create(self, obj: Mapping[str, Any]) -> None:
        """Create an object, and write its status where it has one."""
        made = _whole(prefixed(obj, self._prefix))
        try:
            self._applier.create([made])
        except LabError as error:
            if "failed calling webhook" not in str(error):
                raise
            self._applier.create([made])  # a connection that broke
        if made["kind"] == "Node":  # the server taints each new one until somebody has seen it ready
            self._edit(self._applier.path(made), lambda found: found.update(spec=made["spec"]))
        if "status" in made:
            self._edit(self._applier.path(made), lambda found: found.update(status=_dated(made)), "/status")

    def apply(self, obj: Mapping[str, Any]) -> None:
        """Put an object in the place of the one of its name, or create it."""
        made = _whole(prefixed(obj, self._prefix))
        path = self._applier.path(made)
        if not self._client.request("GET", path).ok:
            self.create(obj)
            return
        self._edit(path, lambda found: _replace(found, made))
        if "status" in made:
            self._edit(path, lambda found: found.update(status=_dated(made)), "/status")

    def _path(self, workload: str) -> str:
        meta = {"namespace": self._prefix + self.spaces[workload], "name": workload}
        return path_of({"metadata": meta})

    def _edit(self, path: str, edit: Edit, part: str = "") -> None:
        for _ in range(_ATTEMPTS):
            found = self._client.request("GET", path)
            if found.code == _GONE:
                return
            edit(found.body)
            answer = self._client.request("PUT", f"{path}{part}", found.body)
            if answer.ok or answer.code == _GONE:
                return
            if answer.code != _CONFLICT:
                raise LabError(f"PUT {path}{part}: {answer.code} {answer.body}")
        raise LabError(f"PUT {path}{part}: still a conflict after {_ATTEMPTS} attempts")


def _whole(obj: dict[str, Any]) -> dict[str, Any]:
    """Fill in the version of a reference that names only kind and name."""
    version = _VERSIONS.get(obj["kind"], KUEUE.removeprefix("/apis/"))
    return {"apiVersion": version, **obj}


def _replace(found: dict[str, Any], made: Mapping[str, Any]) -> None:
    kept = {key: found["metadata"][key] for key in _KEPT if key in found["metadata"]}
    labels = {**(made["metadata"].get("labels") or {})}
    if made["kind"] == "Namespace":  # the server adds the name, and nobody may take it away
        labels["kubernetes.io/metadata.name"] = made["metadata"]["name"]
    for key in [key for key in found if key not in ("status", "apiVersion", "kind", "metadata")]:
        if made["kind"] != "Namespace":
            del found[key]
    found.update({key: copy.deepcopy(value) for key, value in made.items() if key != "status"})
    found["metadata"] = {**made["metadata"], **kept, **({"labels": labels} if labels else {})}


def _dated(made: Mapping[str, Any]) -> dict[str, Any]:
    status: dict[str, Any] = copy.deepcopy(made["status"])
    for each in status.get("conditions") or ():
        each.setdefault("lastTransitionTime", now())
        each.setdefault("reason", each["type"])
        each.setdefault("message", "said by the scenario")
    return status


def _finish(obj: dict[str, Any]) -> None:
    done = {
        "type": "Finished",
        "status": "True",
        "reason": "Succeeded",
        "message": "Job finished successfully",
        "lastTransitionTime": now(),
        "observedGeneration": obj["metadata"].get("generation", 1),
    }
    found = obj.setdefault("status", {}).setdefault("conditions", [])
    if not any(each["type"] == "Finished" for each in found):
        found.append(done)


def _check(obj: dict[str, Any], name: str, state: str, seconds: int) -> None:
    for each in (obj.get("status") or {}).get("admissionChecks") or ():
        if each["name"] == name:
            each.update(state=state, message="", lastTransitionTime=now())
            if seconds:
                each["requeueAfterSeconds"] = seconds
