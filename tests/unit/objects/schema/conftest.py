"""A ClusterQueue that Kueue 0.19 takes, for tests to break."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest

from kohort.objects.schema import Violation, check, field_path, table_for

QUEUE: dict[str, Any] = {
    "apiVersion": "kueue.x-k8s.io/v1beta2",
    "kind": "ClusterQueue",
    "metadata": {"name": "vision"},
    "spec": {
        "cohortName": "research",
        "namespaceSelector": {"matchLabels": {"team": "vision"}},
        "fairSharing": {"weight": "2"},
        "preemption": {"reclaimWithinCohort": "Any", "borrowWithinCohort": {"maxPriorityThreshold": 5}},
        "resourceGroups": [
            {
                "coveredResources": ["cpu", "nvidia.com/gpu"],
                "flavors": [
                    {
                        "name": name,
                        "resources": [
                            {"name": "cpu", "nominalQuota": 64, "borrowingLimit": "0"},
                            {"name": "nvidia.com/gpu", "nominalQuota": "8", "lendingLimit": 4},
                        ],
                    }
                    for name in ("a100", "h100")
                ],
            }
        ],
    },
}


@pytest.fixture
def queue() -> dict[str, Any]:
    return copy.deepcopy(QUEUE)


@pytest.fixture
def judge() -> Callable[..., list[tuple[str, str, str]]]:
    """Path, reason and message of every violation of an object."""

    def judged(obj: dict[str, Any], kueue: str = "0.19.1") -> list[tuple[str, str, str]]:
        table = table_for(obj["apiVersion"], obj["kind"], kueue)
        assert table is not None
        return [shown(violation) for violation in check(obj, table)]

    return judged


def shown(violation: Violation) -> tuple[str, str, str]:
    return field_path(violation.path), violation.reason, violation.message
