"""Plain objects of Kueue, short to write: what the scenarios after public reports are made of."""

from __future__ import annotations

import copy
from dataclasses import dataclass, field
from typing import Any

API = "kueue.x-k8s.io/v1beta2"
GPU = "nvidia.com/gpu"
NOTHING, NEW, WAIT, RUN = "nothing", "new-work", "requeues-pending", "may-preempt"
EVICTS, RECREATE, STEPS = "evicts", "recreate", "steps"

Object = dict[str, Any]


@dataclass(frozen=True)
class Report:
    """A change that somebody reported publicly (`source`), made small, and what was worked out by hand that it does.

    `work` is all work that the plan names; `findings` are codes of the change itself and `steps` titles of runbooks,
    complete; `amounts` are some effects in GPUs, `says` parts of messages, steps and reasons.
    """

    name: str
    source: str
    before: tuple[Object, ...]
    after: tuple[Object, ...]
    worst: str
    works: tuple[Object, ...] | None = None
    work: dict[str, str] = field(default_factory=dict)
    findings: tuple[str, ...] = ()
    steps: tuple[str, ...] = ()
    amounts: tuple[str, ...] = ()
    says: tuple[str, ...] = ()
    new: tuple[str, ...] = ()


def made(kind: str, name: str, spec: Any = None, space: str = "", api: str = API, **rest: Any) -> Object:
    metadata = {"name": name, **({"namespace": space} if space else {})}
    return {
        "apiVersion": api,
        "kind": kind,
        "metadata": metadata,
        **({} if spec is None else {"spec": spec}),
        **rest,
    }


def older(obj: Object) -> Object:
    """The same as v1beta1."""
    return {**copy.deepcopy(obj), "apiVersion": "kueue.x-k8s.io/v1beta1"}


def flavor(name: str, **spec: Any) -> Object:
    return made("ResourceFlavor", name, spec or {"nodeLabels": {"pool": name}})


def group(resources: str | list[str], **flavors: Any) -> Object:
    """Flavor → amount of each resource; an amount is the nominal quota, or (nominal, borrowing, lending)."""
    covered = [resources] if isinstance(resources, str) else resources
    found = []
    for name, amounts in flavors.items():
        each = amounts if isinstance(amounts, list) else [amounts]
        entries = [_quota(*pair) for pair in zip(covered, each, strict=True)]
        found.append({"name": name, "resources": entries})
    return {"coveredResources": covered, "flavors": found}


def _quota(resource: str, amount: Any) -> Object:
    limits = amount if isinstance(amount, tuple) else (amount,)
    named = zip(("nominalQuota", "borrowingLimit", "lendingLimit"), limits, strict=False)
    return {"name": resource, **{key: value for key, value in named if value is not None}}


def queue(
    name: str, *groups: Object, cohort: str = "", reclaim: str = "", within: str = "", **spec: Any
) -> Object:
    policies = {"reclaimWithinCohort": reclaim, "withinClusterQueue": within}
    preemption = {key: value for key, value in policies.items() if value}
    return made(
        "ClusterQueue",
        name,
        {
            "namespaceSelector": {},
            "resourceGroups": list(groups),
            **({"cohortName": cohort} if cohort else {}),
            **({"preemption": preemption} if preemption else {}),
            **spec,
        },
    )


def local(name: str, to: str = "", **spec: Any) -> Object:
    return made("LocalQueue", name, {"clusterQueue": to or name, **spec}, "team")


def cohort(name: str, *groups: Object, parent: str = "") -> Object:
    parents = {"parentName": parent} if parent else {}
    return made("Cohort", name, {**parents, **({"resourceGroups": list(groups)} if groups else {})})


def check(name: str, controller: str = "example.com/budget", **spec: Any) -> Object:
    return made("AdmissionCheck", name, {"controllerName": controller, **spec})


def checked(*names: str, **limited: str) -> Object:
    """The checks of a queue, those of `limited` only for a flavor."""
    found: list[Object] = [{"name": name} for name in names]
    found += [{"name": name, "onFlavors": [flavor]} for name, flavor in limited.items()]
    return {"admissionChecksStrategy": {"admissionChecks": found}}


def priority(name: str, value: int) -> Object:
    return made("WorkloadPriorityClass", name, value=value)


def waits(name: str, through: str, *, cls: str = "", rank: int = 0, gpus: int = 0) -> Object:
    reference = {"priorityClassRef": {"name": cls}} if cls else {}
    container = {"name": "main", **({"resources": {"requests": {GPU: gpus}}} if gpus else {})}
    pods = {"name": "main", "count": 1, "template": {"spec": {"containers": [container]}}}
    spec = {"queueName": through, "priority": rank, "podSets": [pods], **reference}
    value = made("Workload", name, spec, "team")
    value["metadata"]["creationTimestamp"] = "2026-01-01T00:00:00Z"
    return value


def runs(
    name: str,
    through: str,
    *,
    at: int = 0,
    to: str = "",
    admitted: bool = True,
    cls: str = "",
    rank: int = 0,
    **uses: Any,
) -> Object:
    """Work that holds quota since minute `at`; `uses` is flavor → GPUs, or flavor → {resource: amount}."""
    value = waits(name, through, cls=cls, rank=rank)
    amounts = {
        resource: (flavor, str(amount))
        for flavor, held in uses.items()
        for resource, amount in (held if isinstance(held, dict) else {GPU: held}).items()
    }
    kinds = ("QuotaReserved", "Admitted") if admitted else ("QuotaReserved",)
    when = f"2026-01-01T00:{at:02d}:00Z"
    value["status"] = {
        "conditions": [{"type": kind, "status": "True", "lastTransitionTime": when} for kind in kinds],
        "admission": {
            "clusterQueue": to or through,
            "podSetAssignments": [
                {
                    "name": "main",
                    "count": 1,
                    "flavors": {resource: flavor for resource, (flavor, _) in amounts.items()},
                    "resourceUsage": {resource: amount for resource, (_, amount) in amounts.items()},
                }
            ],
        },
    }
    return value
