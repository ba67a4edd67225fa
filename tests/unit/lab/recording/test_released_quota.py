"""An evicted Workload gives its quota back exactly as the job reconciler writes it."""

from datetime import UTC, datetime, timedelta

import pytest

from kohort.lab.recording.job_controller import conditions, released


def condition(kind: str, status: str, reason: str, message: str = "m", seconds: int = 0) -> dict:
    when = datetime.now(UTC) - timedelta(seconds=seconds)
    return {
        "type": kind,
        "status": status,
        "reason": reason,
        "message": message,
        "lastTransitionTime": when.strftime("%Y-%m-%dT%H:%M:%SZ"),
    }


def evicted(reason: str, *checks: str) -> dict:
    return {
        "metadata": {"name": "w", "namespace": "n", "generation": 3},
        "spec": {},
        "status": {
            "admission": {"clusterQueue": "q"},
            "admissionChecks": [{"name": name, "state": name} for name in checks],
            "conditions": [
                condition("QuotaReserved", "True", "QuotaReserved", seconds=60),
                condition("Admitted", "True", "Admitted", seconds=60),
                condition("Evicted", "True", reason, "because"),
            ],
        },
    }


@pytest.mark.parametrize(
    ("reason", "requeued"),
    [
        ("Preempted", "True"),
        ("NodeFailures", "True"),
        ("Deactivated", "False"),
        ("AdmissionCheck", "False"),
        ("ClusterQueueStopped", "False"),
        ("LocalQueueStopped", "False"),
        ("PodsReadyTimeout", "False"),
    ],
)
def test_requeued_only_after_preemption_and_node_failure(reason, requeued):
    given = evicted(reason)
    found = conditions(released(given))
    assert (found["Requeued"]["status"], found["Requeued"]["reason"]) == (requeued, reason)
    assert (found["QuotaReserved"]["status"], found["QuotaReserved"]["reason"]) == ("False", "Pending")
    assert found["QuotaReserved"]["message"] == found["Requeued"]["message"] == "because"
    assert found["QuotaReserved"]["observedGeneration"] == 3
    assert conditions(given)["QuotaReserved"]["status"] == "True"  # the given object stays as it is


def test_admission_and_admitted_go_and_the_time_is_kept():
    made = released(evicted("Preempted", "Ready"))
    assert "admission" not in made["status"]
    admitted = conditions(made)["Admitted"]
    assert (admitted["status"], admitted["reason"]) == ("False", "NoReservation")
    assert 59 <= made["status"]["accumulatedPastExecutionTimeSeconds"] <= 62


def test_with_checks_that_are_not_ready_the_reason_is_another():
    admitted = conditions(released(evicted("AdmissionCheck", "Ready", "Pending")))["Admitted"]
    assert admitted["reason"] == "NoReservationUnsatisfiedChecks"


def test_a_status_that_stays_keeps_its_time():
    given = evicted("Preempted")
    given["status"]["conditions"].append(condition("Requeued", "True", "Preempted", seconds=500))
    before = conditions(given)["Requeued"]["lastTransitionTime"]
    assert conditions(released(given))["Requeued"]["lastTransitionTime"] == before
