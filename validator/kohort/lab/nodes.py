"""Fake nodes: from an inventory or from `kubectl get nodes`, and what may happen to them."""

from __future__ import annotations

import copy
import time
from typing import TYPE_CHECKING, Any

import yaml

from kohort.lab.failure import LabError
from kohort.lab.kwok import NOT_READY
from kohort.lab.patience import stretched

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from kohort.lab.client import Client
    from kohort.lab.upstream import Manifest

_NODES = "/api/v1/nodes"
_MERGE = "application/merge-patch+json"
_STRATEGIC = "application/strategic-merge-patch+json"
# What the server or the kubelet owns; a listing of a real cluster carries it.
_OWNED = ("uid", "resourceVersion", "creationTimestamp", "managedFields", "generation", "selfLink")
_READY = {"type": "Ready", "reason": "Lab"}


class Nodes:
    """The fake nodes of one lab; kwok plays them, so that component has to run for them to be ready."""

    def __init__(self, client: Client) -> None:
        self._client = client

    def add(self, nodes: Iterable[Mapping[str, Any]], *, wait: float = 60.0) -> list[str]:
        """Create nodes and wait until each has the state it was given.

        Args:
            nodes: Node objects, for example the `data` of an inventory's nodes, or of `read_nodes`.
            wait: seconds until all that are ready must be so; 0 does not wait.

        Returns:
            Their names in the order given.

        Raises:
            LabError: one was refused, exists, or did not become ready.
        """
        names, healthy = [], []
        for each in nodes:
            node, ready = _fitted(each)
            name = node["metadata"]["name"]
            self._client.must("POST", _NODES, node)
            names.append(name)
            if ready:
                healthy.append(name)
            else:
                self.not_ready(name)
        if wait:
            self.wait_ready(healthy, wait)
        return names

    def cordon(self, name: str) -> None:
        """Let no further pod be scheduled there; what runs stays."""
        self._patch(name, {"spec": {"unschedulable": True}})

    def uncordon(self, name: str) -> None:
        """Let pods be scheduled there again."""
        self._patch(name, {"spec": {"unschedulable": None}})

    def label(self, name: str, key: str, value: str | None) -> None:
        """Set a label, or remove it with None; for example a health label."""
        self._patch(name, {"metadata": {"labels": {key: value}}})

    def not_ready(self, name: str) -> None:
        """Let the kubelet report that it is not ready; Kubernetes taints the node in answer."""
        self._patch(name, {"metadata": {"annotations": {NOT_READY: "true"}}})
        condition = {**_READY, "status": "False", "message": "made not ready"}
        self._patch(name, {"status": {"conditions": [condition]}}, status=True)

    def ready(self, name: str, *, wait: float = 60.0) -> None:
        """Let the kubelet report ready again, and wait for it."""
        self._patch(name, {"metadata": {"annotations": {NOT_READY: None}}})
        if wait:
            self.wait_ready([name], wait)

    def lose_device(self, name: str, resource: str, count: int = 1) -> None:
        """Take devices out of what pods may use, as a device plugin does with unhealthy ones.

        The capacity stays. Pods that run are not ended, as on a real node.

        Raises:
            LabError: the node has not so many.
        """
        status = self._client.must("GET", f"{_NODES}/{name}")["status"]
        left = int(status.get("allocatable", {}).get(resource, "0")) - count
        if left < 0:
            raise LabError(f"node {name} has {left + count} of {resource}, so it cannot lose {count}")
        self._patch(name, {"status": {"allocatable": {resource: str(left)}}}, status=True)

    def change(self, node: Mapping[str, Any], *, wait: float = 60.0) -> None:
        """Give an existing node the labels, taints, cordon, resources and readiness of this object.

        Raises:
            LabError: there is no such node, or it did not become ready again.
        """
        wanted, ready = _fitted(node)
        name = wanted["metadata"]["name"]
        labels = wanted["metadata"].get("labels") or {}
        now = self._client.must("GET", f"{_NODES}/{name}")
        gone = {key: None for key in now["metadata"].get("labels") or {} if key not in labels}
        spec = {"taints": wanted["spec"].get("taints"), "unschedulable": wanted["spec"].get("unschedulable")}
        self._patch(name, {"metadata": {"labels": {**gone, **labels}}, "spec": spec})
        self._patch(name, {"status": wanted["status"]}, status=True)
        if not ready:
            self.not_ready(name)
        elif NOT_READY in (now["metadata"].get("annotations") or {}):
            self.ready(name, wait=wait)

    def delete(self, name: str) -> None:
        """Remove the node; Kubernetes removes its pods about 40 s later."""
        self._client.must("DELETE", f"{_NODES}/{name}")

    def names(self) -> list[str]:
        """Return the names of all nodes."""
        return [item["metadata"]["name"] for item in self._client.must("GET", _NODES)["items"]]

    def wait_ready(self, names: Sequence[str], seconds: float) -> None:
        """Return when all these nodes are ready and may be scheduled to.

        Raises:
            LabError: time ran out; names the nodes that are not.
        """
        end = time.monotonic() + stretched(seconds)
        while True:
            ready = {n["metadata"]["name"] for n in self._client.must("GET", _NODES)["items"] if _usable(n)}
            waiting = [name for name in names if name not in ready]
            if not waiting:
                return
            if time.monotonic() > end:
                raise LabError(f"nodes not ready after {seconds:.0f} s: {', '.join(waiting)}")
            time.sleep(0.1)

    def _patch(self, name: str, change: Mapping[str, Any], *, status: bool = False) -> None:
        path = f"{_NODES}/{name}/status" if status else f"{_NODES}/{name}"
        self._client.must("PATCH", path, change, content_type=_STRATEGIC if status else _MERGE)


def read_nodes(path: Path) -> list[Manifest]:
    """Return the nodes of a YAML or JSON file: documents, or the List that `kubectl get nodes -o yaml` prints.

    Raises:
        LabError: the file cannot be read, or holds something else.
    """
    try:
        text = path.read_text(encoding="utf-8")
        found = list(yaml.load_all(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader)))
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise LabError(f"cannot read nodes from {path}: {error}") from error
    items: list[Any] = []
    for each in found:
        listed = isinstance(each, dict) and str(each.get("kind", "")).endswith("List")
        items += each.get("items") or [] if listed else [each] if each else []
    for each in items:
        if not isinstance(each, dict) or each.get("kind") != "Node":
            raise LabError(f"{path} holds something that is no Node")
    return items


def _fitted(given: Mapping[str, Any]) -> tuple[Manifest, bool]:
    """Return the node as it can be created, and whether it is to be ready."""
    node: Manifest = copy.deepcopy(dict(given))
    node.update(apiVersion="v1", kind="Node")
    for key in _OWNED:
        node["metadata"].pop(key, None)
    status = node.get("status") or {}
    conditions = {c.get("type"): c.get("status") for c in status.get("conditions") or ()}
    # kwok gives a node its conditions and addresses when it has none; other parts describe the real machine.
    node["status"] = {key: dict(status[key]) for key in ("capacity", "allocatable") if key in status}
    for amounts in node["status"].values():
        amounts.setdefault("pods", "110")
    spec = node.get("spec") or {}
    # These two come back by themselves, from the conditions and from the cordon.
    taints = [t for t in spec.get("taints") or () if not str(t.get("key")).startswith("node.kubernetes.io/")]
    node["spec"] = {
        **({"taints": taints} if taints else {}),
        **({"unschedulable": True} if spec.get("unschedulable") else {}),
    }
    return node, conditions.get("Ready", "True") == "True"


def _usable(node: Manifest) -> bool:
    """Ready, and no longer tainted for having been unready, as every new node is for a moment."""
    conditions = (node.get("status") or {}).get("conditions") or ()
    taints = (node.get("spec") or {}).get("taints") or ()
    return any(c["type"] == "Ready" and c["status"] == "True" for c in conditions) and not any(
        t["key"] in ("node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable") for t in taints
    )
