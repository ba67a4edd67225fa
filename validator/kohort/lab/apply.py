"""Create objects of any kind on the API server."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from kohort.lab.failure import LabError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kohort.lab.client import Client

_DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
_CONFLICT = 409


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
