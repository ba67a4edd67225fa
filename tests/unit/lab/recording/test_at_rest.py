"""A reading is taken only when queues count what the workloads say."""

import pytest

from kohort.lab.recording.rest import at_rest
from kohort.lab.recording.store import Store


def store(*objects: tuple[str, dict]) -> Store:
    made = Store(None, lambda namespace, name: (namespace or name)[:5])  # type: ignore[arg-type]
    for kind, obj in objects:
        made.note(kind, obj, deleted=False)
    return made


def work(amount: str, **conditions: str) -> tuple[str, dict]:
    said = [{"type": kind, "status": status, "reason": "r"} for kind, status in conditions.items()]
    assigned = {"name": "main", "count": 2, "flavors": {"gpu": "s001-f"}, "resourceUsage": {"gpu": amount}}
    status = {"conditions": said, "admission": {"clusterQueue": "s001-q", "podSetAssignments": [assigned]}}
    spec = {"podSets": [{"name": "main", "count": 4}]}
    return "Workload", {"metadata": {"name": "w", "namespace": "s001-work"}, "spec": spec, "status": status}


def queue(total: str, active: str = "True", seen: int = 1) -> tuple[str, dict]:
    reserved = [{"name": "s001-f", "resources": [{"name": "gpu", "total": total}]}]
    said = [{"type": "Active", "status": active, "reason": "Ready", "observedGeneration": seen}]
    return "ClusterQueue", {
        "metadata": {"name": "s001-q", "generation": 1},
        "status": {"flavorsReservation": reserved, "conditions": said},
    }


@pytest.mark.parametrize(
    ("shown", "conditions", "rests"),
    [
        ("2", {"QuotaReserved": "True"}, True),
        ("2000m", {"QuotaReserved": "True"}, True),
        ("0", {"QuotaReserved": "True"}, False),
        ("2", {"QuotaReserved": "True", "Finished": "True"}, False),
        ("0", {"QuotaReserved": "True", "Finished": "True"}, True),
        ("2", {"QuotaReserved": "True", "Evicted": "True"}, False),
        ("2", {"QuotaReserved": "True", "Evicted": "False"}, True),
    ],
)
def test_sums(shown, conditions, rests):
    assert at_rest(store(queue(shown), work("2", **conditions)), "s001-") is rests


@pytest.mark.parametrize(("gone", "shown"), [(1, "2"), (2, "2"), (3, "1"), (4, "0")])
def test_pods_that_are_no_longer_needed(gone, shown):
    """Two of four pods were admitted: only what goes below that gives quota back."""
    kind, obj = work("2", QuotaReserved="True")
    obj["status"]["reclaimablePods"] = [{"name": "main", "count": gone}]
    for total in ("0", "1", "2"):
        assert at_rest(store(queue(total), (kind, obj)), "s001-") is (total == shown)


def test_an_edit_that_the_controller_has_not_seen():
    assert at_rest(store(queue("0")), "s001-")
    assert not at_rest(store(queue("0", seen=0)), "s001-")


def test_other_scenarios_do_not_matter():
    kind, obj = queue("5")
    obj["metadata"]["name"] = "s002-q"
    assert at_rest(store((kind, obj)), "s001-")


@pytest.mark.parametrize(
    ("mine", "reason", "its", "late"),
    [
        ("True", "Ready", "True", False),
        ("False", "ClusterQueueIsInactive", "True", True),
        ("True", "Ready", "False", True),
        ("False", "Stopped", "True", False),
    ],
)
def test_local_queues_that_have_not_followed(mine, reason, its, late):
    local = {
        "metadata": {"name": "l", "namespace": "s001-work"},
        "spec": {"clusterQueue": "s001-q"},
        "status": {"conditions": [{"type": "Active", "status": mine, "reason": reason}]},
    }
    assert at_rest(store(queue("0", its), ("LocalQueue", local)), "s001-") is not late
