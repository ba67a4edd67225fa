"""One reader of a Workload's status: what counts as holding quota, what is odd, and that no status is too strange."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kohort.semantics.status import Odd, read_status, stand
from kohort.semantics.status.moments import moment, shown
from kohort.semantics.work import Phase, Work

GPU = "nvidia.com/gpu"
EIGHT = 1_796_025_600_000  # 2026-11-30T08:00:00Z


def condition(kind, status="True", reason="", at="2026-11-30T08:00:00Z", message=""):
    found = {"type": kind, "status": status, "reason": reason or kind, "message": message}
    return {**found, "lastTransitionTime": at} if at else found


def workload(*conditions, count=4, used="8", flavor="h100", admission=True, **status):
    given_admission = {
        "clusterQueue": "blue",
        "podSetAssignments": [
            {"name": "main", "count": count, "flavors": {GPU: flavor}, "resourceUsage": {GPU: used}}
        ],
    }
    return {
        "metadata": {"name": "w", "namespace": "blue", "creationTimestamp": "2026-11-30T07:59:00Z"},
        "spec": {"podSets": [{"name": "main", "count": 4}]},
        "status": {
            "conditions": list(conditions),
            **({"admission": given_admission} if admission else {}),
            **status,
        },
    }


RESERVED, ADMITTED = condition("QuotaReserved"), condition("Admitted")


def odd(found):
    return [(each.odd, each.resource, each.text) for each in found.odd]


@pytest.mark.parametrize(
    ("obj", "phase", "strange"),
    [
        (workload(RESERVED, ADMITTED), Phase.ADMITTED, []),
        (workload(RESERVED), Phase.RESERVED, []),
        (workload(RESERVED, condition("Admitted", "False")), Phase.RESERVED, []),
        (workload(RESERVED, ADMITTED, condition("Finished")), Phase.FINISHED, []),
        (workload(condition("QuotaReserved", "False"), admission=False), Phase.PENDING, []),
        (workload(condition("QuotaReserved", "Unknown")), Phase.PENDING, [(Odd.NOT_RESERVED, "", "")]),
        (workload(), Phase.PENDING, [(Odd.NOT_RESERVED, "", "")]),
        (workload(RESERVED, ADMITTED, admission=False), Phase.PENDING, [(Odd.NO_ADMISSION, "", "")]),
        ({}, Phase.PENDING, []),
    ],
)
def test_only_a_true_reservation_with_an_admission_holds_quota(obj, phase, strange):
    found = read_status(obj)
    assert (found.phase, odd(found)) == (phase, strange)
    assert (found.admission is not None) == (phase in {Phase.RESERVED, Phase.ADMITTED})


@pytest.mark.parametrize(
    ("ended", "count", "used", "left"),
    [
        (0, 4, "8", 8),
        (1, 4, "8", 6),
        (3, 4, "9", 2),  # 9 of 4 pods: two whole each
        (1, 3, "6", 6),  # of four asked for three were admitted: the first that ends is the one it never got
        (2, 3, "6", 4),
        (4, 4, "8", 0),
        (9, 4, "8", 0),
    ],
)
def test_pods_that_ended_early_give_their_part_back(ended, count, used, left):
    found = read_status(
        workload(RESERVED, count=count, used=used, reclaimablePods=[{"name": "main", "count": ended}])
    )
    assert found.admission.assignment.usage == ({("h100", GPU): left} if left else {})


def test_amounts_below_zero_and_none_count_nothing():
    assert odd(read_status(workload(RESERVED, used="-4"))) == [(Odd.NEGATIVE, GPU, "-4")]
    found = read_status(workload(RESERVED, used="many"))
    assert odd(found) == [(Odd.NO_AMOUNT, GPU, "many")]
    assert found.admission.assignment.usage == {}


def test_times_are_of_the_epoch_and_absent_ones_of_now():
    found = read_status(workload(RESERVED, condition("Admitted", at="")), epoch=EIGHT - 5_000, now=7_000)
    assert (found.created, found.conditions["QuotaReserved"].at, found.conditions["Admitted"].at) == (
        -55_000,
        5_000,
        7_000,
    )
    assert moment("2026-11-30T08:00:00") == moment("2026-11-30T08:00:00Z") == EIGHT
    assert (moment("soon"), moment(None), moment(""), moment("9" * 41)) == (None, None, None, None)
    assert shown(EIGHT) == "2026-11-30T08:00:00Z"


def test_an_eviction_carries_its_rule_only_if_it_is_a_preemption():
    preempted = condition("Preempted", reason="InCohortReclamation")
    first = read_status(workload(RESERVED, condition("Evicted", reason="Preempted", message="m"), preempted))
    assert (first.eviction.reason, first.eviction.preemption, first.eviction.message) == (
        "Preempted",
        "InCohortReclamation",
        "m",
    )
    later = read_status(workload(RESERVED, condition("Evicted", reason="PodsReadyTimeout"), preempted))
    assert (later.eviction.reason, later.eviction.preemption) == ("PodsReadyTimeout", "")
    assert read_status(workload(condition("Evicted", reason="Preempted"), admission=False)).eviction is None


@pytest.mark.parametrize(
    ("reason", "by_eviction", "moved"),
    [
        ("PodsReadyTimeout", True, True),
        ("PodsReadyTimeout", False, False),
        ("AdmissionCheck", False, True),
        ("Preempted", True, False),
    ],
)
def test_some_evictions_move_the_place_in_the_queue(reason, by_eviction, moved):
    work = Work("blue/w", "main", ())
    stand(
        work,
        read_status(workload(condition("Evicted", reason=reason), admission=False)),
        by_eviction=by_eviction,
    )
    assert (work.order_time == EIGHT) is moved
    assert (work.created, work.phase) == (EIGHT - 60_000, Phase.PENDING)


@pytest.mark.parametrize(
    ("conditions", "reserved", "admitted"),
    [
        ((RESERVED, ADMITTED), EIGHT, EIGHT),
        ((RESERVED,), EIGHT, 0),
        ((RESERVED, condition("Admitted", "False")), EIGHT, 0),
    ],
)
def test_only_what_is_admitted_has_a_moment_of_admission(conditions, reserved, admitted):
    work = Work("blue/w", "main", ())
    stand(work, read_status(workload(*conditions)), by_eviction=False)
    assert (work.reserved_at, work.admitted_at) == (reserved, admitted)


def test_counters_checks_and_back_off():
    stats = [
        {"reason": "Deactivated", "underlyingCause": "AdmissionCheck", "count": 2},
        {"reason": "Preempted", "count": 1},
        {"reason": "Preempted", "count": True},
    ]
    said = [{"name": "a", "state": "Retry"}, {"name": "b"}, {"state": "Ready"}, "c"]
    found = read_status(
        workload(
            schedulingStats={"evictions": stats},
            admissionChecks=said,
            requeueState={"count": 3, "requeueAt": "2026-11-30T08:01:00Z"},
            admission=False,
        ),
        epoch=EIGHT,
    )
    assert found.evictions == {"Deactivated/AdmissionCheck": 2, "Preempted": 1}
    assert found.checks == {"a": "Retry", "b": "Pending"}
    assert (found.requeues, found.requeue_at) == (3, 60_000)


def test_an_inactive_work_that_holds_nothing_is_inactive():
    work = Work("blue/w", "main", (), active=False)
    stand(work, read_status(workload(admission=False)), by_eviction=True)
    assert work.phase is Phase.INACTIVE


_ANY = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
_FIELDS = (
    "conditions",
    "admission",
    "reclaimablePods",
    "admissionChecks",
    "schedulingStats",
    "requeueState",
)


@given(st.sampled_from(_FIELDS), _ANY, st.lists(_ANY, max_size=2))
def test_no_status_is_too_strange(field, value, assignments):
    obj = workload(RESERVED, ADMITTED)
    obj["status"][field] = value
    if isinstance(obj["status"].get("admission"), dict):
        obj["status"]["admission"].setdefault("podSetAssignments", assignments)
    found = read_status(obj)
    units = [] if found.admission is None else list(found.admission.assignment.usage.values())
    assert all(one > 0 for one in units)
