"""Record what the real server says about an object, without storing it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from kohort.lab.client import Answer
    from kohort.lab.controlplane import ControlPlane


@dataclass(frozen=True, slots=True)
class Kind:
    """Where objects of a kind are posted.

    Attributes:
        plural: path segment.
        namespaced: whether it lives in a namespace.
        group: its API group.
        versions: versions that the server serves, newest first.
    """

    plural: str
    namespaced: bool = False
    group: str = "kueue.x-k8s.io"
    versions: tuple[str, ...] = ("v1beta2", "v1beta1")


KINDS: dict[str, Kind] = {
    "AdmissionCheck": Kind("admissionchecks"),
    "AppWrapper": Kind("appwrappers", True, "workload.codeflare.dev", ("v1beta2",)),
    "ClusterQueue": Kind("clusterqueues"),
    "Cohort": Kind("cohorts"),
    "LocalQueue": Kind("localqueues", True),
    "MultiKueueCluster": Kind("multikueueclusters"),
    "MultiKueueConfig": Kind("multikueueconfigs"),
    "ProvisioningRequestConfig": Kind("provisioningrequestconfigs"),
    "ResourceFlavor": Kind("resourceflavors"),
    "Topology": Kind("topologies"),
    "Workload": Kind("workloads", True),
    "WorkloadPriorityClass": Kind("workloadpriorityclasses"),
}
_SERVER_OWNED = ("uid", "resourceVersion", "creationTimestamp", "generation", "managedFields")
_CONFLICT = 409
_ATTEMPTS = 20
_STRICT = {"dryRun": "All", "fieldValidation": "Strict"}


def record(plane: ControlPlane, kind: str, cases: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Offer objects of one kind to the server and return its verdicts.

    Args:
        plane: a running control plane with Kueue.
        kind: the kind whose collection receives them, one of `KINDS`.
        cases: mappings with `id` and `object`; with `before` the object is offered
            as a replacement of that one, which exists meanwhile.

    Returns:
        Per case a mapping with `id`, `object`, `accepted` and `code`; when refused with
        `message` and `causes`, when accepted with `stored` and, if any, `warnings`.
    """
    return [_record_one(plane, kind, case) for case in cases]


def collection(kind: str, each: object) -> str:
    """Return the path where an object of this kind is posted; odd objects go to the newest version."""
    place = KINDS[kind]
    version, namespace = place.versions[0], "default"
    if isinstance(each, dict):
        for served in place.versions:
            if each.get("apiVersion") == f"{place.group}/{served}":
                version = served
        meta = each.get("metadata")
        if isinstance(meta, dict) and isinstance(meta.get("namespace"), str):
            namespace = meta["namespace"] or namespace
    middle = f"/namespaces/{namespace}" if place.namespaced else ""
    return f"/apis/{place.group}/{version}{middle}/{place.plural}"


def _record_one(plane: ControlPlane, kind: str, case: Mapping[str, Any]) -> dict[str, Any]:
    offered = case["object"]
    path = collection(kind, offered)
    if "before" not in case:
        return {
            "id": case["id"],
            "object": offered,
            **verdict(offered, plane.request("POST", path, offered, _STRICT)),
        }
    return {"id": case["id"], "before": case["before"], "object": offered, **_replacement(plane, kind, case)}


def _replacement(plane: ControlPlane, kind: str, case: Mapping[str, Any]) -> dict[str, Any]:
    before, offered = case["before"], case["object"]
    root, name = collection(kind, before), before["metadata"]["name"]
    plane.client.must("POST", root, before)
    one = f"{root}/{name}"
    try:
        for _ in range(_ATTEMPTS):  # Kueue's controllers write status and finalizers meanwhile
            dated = _as_applied(offered, plane.client.must("GET", one)["metadata"])
            answer = plane.request("PUT", f"{collection(kind, offered)}/{name}", dated, _STRICT)
            if answer.code != _CONFLICT:
                break
    finally:
        plane.client.must("DELETE", one)
        plane.client.request(
            "PATCH", one, {"metadata": {"finalizers": None}}, content_type="application/merge-patch+json"
        )
    return verdict(offered, answer)


def _as_applied(offered: dict[str, Any], current: dict[str, Any]) -> dict[str, Any]:
    """Keep the labels that a webhook added on creation, as every kind of apply does."""
    meta = dict(offered["metadata"])
    labels = {**(current.get("labels") or {}), **(meta.get("labels") or {})}
    if labels:
        meta["labels"] = labels
    return {**offered, "metadata": {**meta, "resourceVersion": current["resourceVersion"]}}


def verdict(offered: object, answer: Answer) -> dict[str, Any]:
    """Return an answer as it is recorded; see `record`."""
    if answer.ok:
        said: dict[str, Any] = {
            "accepted": True,
            "code": answer.code,
            "stored": _stored(offered, answer.body),
        }
    else:
        body: dict[str, Any] = answer.body if isinstance(answer.body, dict) else {"message": str(answer.body)}
        details = body.get("details") or {}
        said = {
            "accepted": False,
            "code": answer.code,
            "reason": body.get("reason", ""),
            "message": body.get("message", ""),
            "causes": [
                {key: cause[key] for key in ("reason", "field", "message") if key in cause}
                for cause in details.get("causes") or ()
            ],
        }
    if answer.warnings:
        said["warnings"] = list(answer.warnings)
    return said


def _stored(offered: object, body: dict[str, Any]) -> dict[str, Any]:
    """Leave out what the server owns, and what it only filled in because it was absent."""
    meta = {key: value for key, value in body["metadata"].items() if key not in _SERVER_OWNED}
    given = offered.get("metadata") if isinstance(offered, dict) else None
    for key in ("name", "namespace"):  # a generated name differs each time
        if not (isinstance(given, dict) and given.get(key)):
            meta.pop(key, None)
    return {**{key: value for key, value in body.items() if key != "status"}, "metadata": meta}
