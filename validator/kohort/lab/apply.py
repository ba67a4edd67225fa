"""Create objects of any kind on the API server."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from kohort.lab.client import APPLY
from kohort.lab.failure import LabError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kohort.lab.client import Answer, Client

_DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
_CONFLICT = 409
_LATER = frozenset({404, 500, 503})  # no such kind yet; webhook not there yet
MANAGER = "kohort-lab"  # field manager of server-side apply


class Applier:
    """Creates objects; learns from the server where each kind lives."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._resources: dict[tuple[str, str], tuple[str, bool]] = {}

    def create(self, objects: Iterable[dict[str, Any]]) -> None:
        """Create each object in turn; one that exists already is left as it is.

        Raises:
            LabError: the server refused one; names it and repeats the message.
        """
        for each in objects:
            answer = self._client.request("POST", self.collection(each), each)
            if not answer.ok and answer.code != _CONFLICT:
                message = answer.body.get("message") if isinstance(answer.body, dict) else answer.body
                raise LabError(f"cannot create {each['kind']} {each['metadata'].get('name')}: {message}")

    def apply(self, objects: Iterable[dict[str, Any]], *, seconds: float = 0.0) -> list[str]:
        """Apply each object in turn, as `kubectl apply --server-side --force-conflicts` does.

        Args:
            objects: whole objects with a name.
            seconds: how long to go on trying while the server knows no such kind, or its webhook does not answer.

        Returns:
            The texts of all warnings, each led by kind and name.

        Raises:
            LabError: the server refused one; names it and repeats the message.
        """
        warnings: list[str] = []
        for each in objects:
            name = f"{each['kind']} {each['metadata']['name']}"
            end = time.monotonic() + seconds
            while True:
                answer = self._patched(each)
                if answer.ok:
                    warnings += [f"{name}: {text}" for text in answer.warnings]
                    break
                if answer.code not in _LATER or time.monotonic() > end:
                    message = answer.body.get("message") if isinstance(answer.body, dict) else answer.body
                    raise LabError(f"cannot apply {name}: {answer.code} {message}")
                time.sleep(0.2)
        return warnings

    def path(self, each: dict[str, Any]) -> str:
        """Return the path of an object."""
        return f"{self.collection(each)}/{each['metadata']['name']}"

    def _patched(self, each: dict[str, Any]) -> Answer:
        parameters = {"fieldManager": MANAGER, "force": "true", "fieldValidation": "Strict"}
        return self._client.request("PATCH", self.path(each), each, parameters, content_type=APPLY)

    def collection(self, each: dict[str, Any]) -> str:
        """Return the path of the collection that an object belongs to."""
        version = each["apiVersion"]
        key = (version, each["kind"])
        root = f"/apis/{version}" if "/" in version else f"/api/{version}"
        if key not in self._resources:
            for resource in self._client.must("GET", root)["resources"]:
                if "/" not in resource["name"]:
                    self._resources[(version, resource["kind"])] = resource["name"], resource["namespaced"]
        if key not in self._resources:
            raise LabError(f"the server does not know {each['kind']} of {version}")
        plural, namespaced = self._resources[key]
        if namespaced:
            return f"{root}/namespaces/{each['metadata'].get('namespace', 'default')}/{plural}"
        return f"{root}/{plural}"

    def wait_for_definitions(self, seconds: float) -> None:
        """Return when every custom resource definition is established."""
        end = time.monotonic() + seconds
        while True:
            waiting = [
                item["metadata"]["name"]
                for item in self._client.must("GET", _DEFINITIONS)["items"]
                if not _established(item)
            ]
            if not waiting:
                return
            if time.monotonic() > end:
                raise LabError(f"not established after {seconds:.0f} s: {', '.join(waiting)}")
            time.sleep(0.1)


def _established(definition: dict[str, Any]) -> bool:
    conditions = (definition.get("status") or {}).get("conditions") or ()
    return any(each["type"] == "Established" and each["status"] == "True" for each in conditions)
