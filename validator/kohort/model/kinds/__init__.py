"""The kinds of the source language, one strict model per kind."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any

from kohort.model.kinds.base import API_GROUP, API_VERSION, Envelope, Strict

_MODULES = {
    "Organisation": "organisation",
    "Cluster": "cluster",
    "Inventory": "inventory",
    "Maintenance": "maintenance",
    "Flavor": "flavor",
    "Topology": "topology",
    "Cohort": "cohort",
    "QueueClass": "queueclass",
    "Size": "size",
    "Priority": "priority",
    "AdmissionCheck": "check",
    "Team": "team",
    "WorkloadTemplate": "template",
    "Workload": "workload",
    "Exception": "exception",
    "Scenario": "scenario",
    "Policy": "policy",
    "PolicyTest": "policy_test",
}


class _Kinds(Mapping[str, type[Envelope[Any]]]):
    """The model of each kind; imported when it is asked for, since a run rarely needs them all."""

    def __getitem__(self, kind: str) -> type[Envelope[Any]]:
        found: type[Envelope[Any]] = getattr(import_module(f"{__name__}.{_MODULES[kind]}"), f"{kind}Document")
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(_MODULES)

    def __len__(self) -> int:
        return len(_MODULES)

    def __contains__(self, kind: object) -> bool:
        return kind in _MODULES


KINDS = _Kinds()

__all__ = ["API_GROUP", "API_VERSION", "KINDS", "Envelope", "Strict"]
