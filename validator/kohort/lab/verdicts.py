"""Record what the real server says about an object, without storing it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from kohort.lab.client import Answer
    from kohort.lab.controlplane import ControlPlane

GROUP = "kueue.x-k8s.io"
# Every kind of the group with its path segment and whether it lives in a namespace.
KINDS: dict[str, tuple[str, bool]] = {
    "AdmissionCheck": ("admissionchecks", False),
    "ClusterQueue": ("clusterqueues", False),
    "Cohort": ("cohorts", False),
    "LocalQueue": ("localqueues", True),
    "MultiKueueCluster": ("multikueueclusters", False),
    "MultiKueueConfig": ("multikueueconfigs", False),
    "ProvisioningRequestConfig": ("provisioningrequestconfigs", False),
    "ResourceFlavor": ("resourceflavors", False),
    "Topology": ("topologies", False),
    "Workload": ("workloads", True),
    "WorkloadPriorityClass": ("workloadpriorityclasses", False),
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
    plural, namespaced = KINDS[kind]
    version, namespace = "v1beta2", "default"
    if isinstance(each, dict):
        if each.get("apiVersion") == f"{GROUP}/v1beta1":
            version = "v1beta1"
        meta = each.get("metadata")
        if isinstance(meta, dict) and isinstance(meta.get("namespace"), str):
            namespace = meta["namespace"] or namespace
    middle = f"/namespaces/{namespace}" if namespaced else ""
    return f"/apis/{GROUP}/{version}{middle}/{plural}"


def _record_one(plane: ControlPlane, kind: str, case: Mapping[str, Any]) -> dict[str, Any]:
    offered = case["object"]
    path = collection(kind, offered)
    if "before" not in case:
        return {
            "id": case["id"],
            "object": offered,
            **_verdict(offered, plane.request("POST", path, offered, _STRICT)),
        }
    return {"id": case["id"], "before": case["before"], "object": offered, **_replacement(plane, kind, case)}


def _replacement(plane: ControlPlane, kind: str, case: Mapping[str, Any]) -> dict[str, Any]:
    before, offered = case["before"], case["object"]
    root, name = collection(kind, before), before["metadata"]["name"]
    plane.client.must("POST", root, before)
    one = f"{root}/{name}"
    try:
        for _ in range(_ATTEMPTS):  # Kueue's controllers write status and finalizers meanwhile
            version = plane.client.must("GET", one)["metadata"]["resourceVersion"]
            dated = {**offered, "metadata": {**offered["metadata"], "resourceVersion": version}}
            answer = plane.request("PUT", f"{collection(kind, offered)}/{name}", dated, _STRICT)
            if answer.code != _CONFLICT:
                break
    finally:
        plane.client.must("DELETE", one)
        plane.client.request(
            "PATCH", one, {"metadata": {"finalizers": None}}, content_type="application/merge-patch+json"
        )
    return _verdict(offered, answer)


def _verdict(offered: object, answer: Answer) -> dict[str, Any]:
    if answer.ok:
        verdict: dict[str, Any] = {
            "accepted": True,
            "code": answer.code,
            "stored": _stored(offered, answer.body),
        }
    else:
        body: dict[str, Any] = answer.body if isinstance(answer.body, dict) else {"message": str(answer.body)}
        details = body.get("details") or {}
        verdict = {
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
        verdict["warnings"] = list(answer.warnings)
    return verdict


def _stored(offered: object, body: dict[str, Any]) -> dict[str, Any]:
    """Leave out what the server owns, and what it only filled in because it was absent."""
    meta = {key: value for key, value in body["metadata"].items() if key not in _SERVER_OWNED}
    given = offered.get("metadata") if isinstance(offered, dict) else None
    for key in ("name", "namespace"):  # a generated name differs each time
        if not (isinstance(given, dict) and given.get(key)):
            meta.pop(key, None)
    return {**{key: value for key, value in body.items() if key != "status"}, "metadata": meta}
