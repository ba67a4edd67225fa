"""The tutorial's acceptance table on the compiled tutorial cluster; where its text and reality differ, reality."""

from __future__ import annotations

import time

import pytest
from shipped import KUEUE, wait_for
from tutorial import GPU, PREFIX, Tutorial, row, states

from kohort.lab.patience import stretched

pytestmark = [pytest.mark.lab, pytest.mark.slow, pytest.mark.timeout(900)]
SLACK = "slack-default-cohort-h100"
_DEFAULT = "default-priority"


def test_a1_seven_short_jobs_run_three_at_a_time(stage: Tutorial) -> None:
    with row("A1") as noted:
        began, most = time.monotonic(), 0
        names = [f"short-{number}" for number in range(1, 8)]
        for name in names:
            stage.submit("blue", name, 2, 4, seconds=8)
        first = wait_for(lambda: states(stage), ["Running"] * 3 + ["Suspended"] * 4, 30)
        while states(stage) != ["Succeeded"] * 7:
            most = max(most, states(stage).count("Running"))
            assert time.monotonic() - began < stretched(120), stage.phases("blue")
            time.sleep(0.2)
        assert most == 3
        noted["happened"] = f"3 run and 4 wait after {first:.1f} s; at most 3 at once; all 7 succeed"
        noted["seconds"] = time.monotonic() - began


def test_a2_two_of_the_three_run_on_borrowed_quota(stage: Tutorial) -> None:
    with row("A2") as noted:
        stage.fill()
        seconds = wait_for(lambda: stage.usage("blue"), (24, 16, 667), 15)
        assert stage.usage("red")[:2] == (0, 0)
        noted["happened"] = "blue uses 24, borrows 16, weighted share 667"
        noted["seconds"] = seconds


def test_a3_the_fourth_normal_job_waits(stage: Tutorial) -> None:
    with row("A3") as noted:
        began = time.monotonic()
        for number in range(1, 5):
            stage.submit("blue", f"normal-{number}", 2, 4)
        wait_for(lambda: states(stage), ["Running"] * 3 + ["Suspended"], 30)
        noted["seconds"] = time.monotonic() - began
        stage.stays(lambda: states(stage), ["Running"] * 3 + ["Suspended"], 3)
        noted["happened"] = "3 run, 1 waits"


def test_a4_an_important_job_suspends_exactly_one_of_its_own_team(stage: Tutorial) -> None:
    with row("A4") as noted:
        stage.fill()
        began = time.monotonic()
        stage.submit("blue", "important", 2, 4, priority="high-priority")
        stage.until("blue", {"important": "Running"}, 15)
        noted["seconds"] = time.monotonic() - began
        wait_for(lambda: stage.preempted("blue"), {"normal-3": "InClusterQueue"}, 5)
        stage.stays(lambda: stage.preempted("blue"), {"normal-3": "InClusterQueue"}, 3)
        assert states(stage) == ["Running"] * 3 + ["Suspended"]
        noted["happened"] = "the newest normal job is preempted (InClusterQueue), the important one runs"


def test_a5a_a_job_of_sixteen_waits_while_the_other_team_borrows(stage: Tutorial) -> None:
    """The tutorial lets it start after one eviction; by Kueue's fair sharing it may not."""
    with row("A5a") as noted:
        stage.fill()
        stage.submit("red", "large", 4, 4)
        wait_for(lambda: stage.condition("red", "large", "QuotaReserved").get("status"), "False", 15)
        stage.stays(lambda: (states(stage), states(stage, "red")), (["Running"] * 3, ["Suspended"]), 12)
        assert stage.preempted("blue") == {}
        said = stage.condition("red", "large", "QuotaReserved")["message"]
        assert f"insufficient unused quota for {GPU}" in said
        assert "16 more needed" in said
        noted["happened"] = "it waits, nothing is evicted: insufficient unused quota, 16 more needed"
        noted["seconds"] = 12


def test_a5b_of_two_jobs_of_eight_the_first_gets_its_guarantee_back(stage: Tutorial) -> None:
    with row("A5b") as noted:
        stage.fill()
        wait_for(lambda: stage.usage("blue")[2], 667, 15)
        began = time.monotonic()
        stage.submit("red", "first", 2, 4)
        time.sleep(1.1)
        stage.submit("red", "second", 2, 4)
        stage.until("red", {"first": "Running"}, 15)
        noted["seconds"] = time.monotonic() - began
        wait_for(lambda: stage.usage("blue"), (16, 8, 334), 15)
        stage.stays(lambda: states(stage, "red"), ["Running", "Suspended"], 6)
        preempted = stage.preempted("blue")
        assert set(preempted) == {"normal-3"}
        assert preempted["normal-3"] in ("InCohortReclamation", "InCohortFairSharing")
        noted["happened"] = (
            f"the newest of blue is preempted ({preempted['normal-3']}), blue's share 667 → 334; the second waits"
        )


def test_a6_the_lowest_priority_goes_first_then_the_newest(stage: Tutorial) -> None:
    with row("A6") as noted:
        for name, priority in (("low", "low-priority"), ("old", _DEFAULT), ("new", _DEFAULT)):
            stage.submit("blue", name, 2, 4, priority=priority)
            stage.until("blue", {name: "Running"}, 30)
            time.sleep(1.1)
        began = time.monotonic()
        stage.submit("blue", "important", 2, 4, priority="high-priority")
        stage.until("blue", {"important": "Running"}, 15)
        assert set(stage.preempted("blue")) == {"low"}
        stage.submit("red", "own", 2, 4)
        stage.until("red", {"own": "Running"}, 15)
        noted["seconds"] = time.monotonic() - began
        assert set(stage.preempted("blue")) == {"low", "new"}
        assert stage.phases("blue")["important"] == "Running"
        noted["happened"] = "low goes for the important one, then the newest default for red"


def test_a6_work_without_a_priority_counts_as_zero(stage: Tutorial) -> None:
    """Kueue knows no default WorkloadPriorityClass: who names none is below everyone, `low-priority` included."""
    with row("A6, no priority named") as noted:
        began = time.monotonic()
        for name, options in (
            ("unnamed", {}),
            ("low", {"priority": "low-priority"}),
            ("old", {"priority": _DEFAULT}),
        ):
            stage.submit("blue", name, 2, 4, **options)
            stage.until("blue", {name: "Running"}, 30)
            time.sleep(1.1)
        stage.submit("blue", "important", 2, 4, priority="high-priority")
        stage.until("blue", {"important": "Running"}, 15)
        noted["seconds"] = time.monotonic() - began
        assert set(stage.preempted("blue")) == {"unnamed"}
        noted["happened"] = "the job that names no priority goes first: it has priority 0, low-priority has 1"


def test_a8_pods_keep_away_from_unhealthy_nodes(stage: Tutorial) -> None:
    """What AppWrapper writes into pods from the compiled health labels."""
    with row("A8") as noted:
        began = time.monotonic()
        stage.submit("blue", "job", 1, 1)
        wait_for(lambda: len(stage.pods("blue")), 1, 15)
        noted["seconds"] = time.monotonic() - began
        affinity = stage.pods("blue")[0]["spec"]["affinity"]["nodeAffinity"]
        (term,) = affinity["requiredDuringSchedulingIgnoredDuringExecution"]["nodeSelectorTerms"]
        bad = {
            value
            for each in term["matchExpressions"]
            if each["key"] == "autopilot.ibm.com/gpuhealth" and each["operator"] == "NotIn"
            for value in each["values"]
        }
        assert bad == {"ERR", "EVICT", "TESTING"}
        preferred = affinity["preferredDuringSchedulingIgnoredDuringExecution"]
        assert [e["values"] for p in preferred for e in p["preference"]["matchExpressions"]] == [["WARN"]]
        noted["happened"] = "required NotIn ERR, EVICT, TESTING; preferred NotIn WARN"


def lend(stage: Tutorial, limit: str | None) -> None:
    """Set the slack queue's lendingLimit of GPUs by hand, or take it away."""
    path = f"{KUEUE}/clusterqueues/{SLACK}"
    for _ in range(10):  # its status is written by Kueue meanwhile
        queue = stage.plane.client.must("GET", path)
        for each in queue["spec"]["resourceGroups"][0]["flavors"][0]["resources"]:
            if each["name"] == GPU:
                each.pop("lendingLimit", None)
                if limit is not None:
                    each["lendingLimit"] = limit
        if stage.plane.request("PUT", path, queue).code != 409:
            return
    raise AssertionError("the slack queue could not be written")


def test_a9_slack_that_is_not_lent_stops_borrowing(stage: Tutorial) -> None:
    with row("A9") as noted:
        lend(stage, "0")
        try:
            for number in range(1, 4):
                stage.submit("blue", f"normal-{number}", 2, 4)
            wait_for(lambda: states(stage), ["Running", "Running", "Suspended"], 30)
            stage.stays(lambda: stage.usage("blue")[0] <= 16, True, 3)
            began = time.monotonic()
            lend(stage, None)
            wait_for(lambda: states(stage), ["Running"] * 3, 15)
            noted["seconds"] = time.monotonic() - began
            lend(stage, "0")
            stage.stays(lambda: states(stage), ["Running"] * 3, 8)
            assert stage.preempted("blue") == {}
        finally:
            lend(stage, None)
        noted["happened"] = (
            "blue stops at 16; the third runs when slack lends again; lowering it evicts nobody"
        )


def test_a10_a_cordon_moves_nothing_and_pods_wait(stage: Tutorial) -> None:
    with row("A10") as noted:
        stage.fill()
        before = stage.plane.client.must("GET", f"{KUEUE}/clusterqueues/{SLACK}")["spec"]
        victim = stage.nodes_of("blue", "normal-1")[0]
        stage.plane.nodes.cordon(victim)
        try:
            stage.stays(lambda: states(stage), ["Running"] * 3, 5)
            assert stage.plane.client.must("GET", f"{KUEUE}/clusterqueues/{SLACK}")["spec"] == before
            stage.delete("blue", "normal-1")
            wait_for(lambda: "normal-1" in stage.phases("blue"), False, 30)
            stage.submit("blue", "next", 2, 4)
            wait_for(lambda: stage.condition("blue", "next", "Admitted").get("status"), "True", 15)
            wait_for(lambda: len(stage.nodes_of("blue", "next")), 2, 15)
            stage.stays(lambda: "" in stage.nodes_of("blue", "next"), True, 5)
            began = time.monotonic()
        finally:
            stage.plane.nodes.uncordon(victim)
        wait_for(lambda: "" in stage.nodes_of("blue", "next"), False, 30)
        noted["seconds"] = time.monotonic() - began
        stage.until("blue", {"next": "Running"}, 15)
        noted["happened"] = (
            "running jobs stay; a new one is admitted by quota, its pods wait until the uncordon"
        )


def test_a21_a_failing_job_is_retried_twice_then_fails(stage: Tutorial) -> None:
    with row("A21") as noted:
        began = time.monotonic()
        notes = {
            f"{PREFIX}/retryLimit": "2",
            f"{PREFIX}/retryPausePeriodDuration": "1s",
            f"{PREFIX}/failureGracePeriodDuration": "1s",
        }
        stage.submit("blue", "failing", 1, 1, seconds=0, exit_code=1, annotations=notes)
        stage.until("blue", {"failing": "Failed"}, 200)
        noted["seconds"] = time.monotonic() - began
        status = stage.plane.client.must("GET", stage.path("blue", "failing"))["status"]
        assert status["resettingCount"] == 2
        wait_for(lambda: stage.usage("blue")[:2], (0, 0), 15)
        noted["happened"] = "2 resets, then Failed; quota released"


def test_a21_a_terminal_exit_code_fails_at_once(stage: Tutorial) -> None:
    with row("A21, terminal exit code") as noted:
        began = time.monotonic()
        notes = {f"{PREFIX}/terminalExitCodes": "42", f"{PREFIX}/failureGracePeriodDuration": "1s"}
        stage.submit("blue", "failing", 1, 1, seconds=0, exit_code=42, annotations=notes)
        stage.until("blue", {"failing": "Failed"}, 90)
        noted["seconds"] = time.monotonic() - began
        assert (
            stage.plane.client.must("GET", stage.path("blue", "failing"))["status"].get("resettingCount", 0)
            == 0
        )
        noted["happened"] = "Failed without a reset"


def test_a22_a_component_deleted_by_hand_fails_the_job(stage: Tutorial) -> None:
    with row("A22") as noted:
        stage.submit("blue", "job", 2, 4)
        stage.until("blue", {"job": "Running"}, 30)
        began = time.monotonic()
        gone = {"propagationPolicy": "Background"}
        stage.plane.client.must("DELETE", "/apis/batch/v1/namespaces/blue/jobs/job", parameters=gone)
        stage.until("blue", {"job": "Failed"}, 70)
        noted["seconds"] = time.monotonic() - began
        status = stage.plane.client.must("GET", stage.path("blue", "job"))["status"]
        reasons = {each.get("reason") for each in status["conditions"]}
        assert "MissingComponent" in reasons, status["conditions"]
        wait_for(lambda: stage.usage("blue")[:2], (0, 0), 15)
        noted["happened"] = "Failed with reason MissingComponent; quota released"


def test_a23_fifty_appwrappers_of_two_pods(stage: Tutorial) -> None:
    with row("A23") as noted:
        began = time.monotonic()
        for number in range(50):
            stage.submit("blue", f"small-{number}", 2, 0)
        submitted = time.monotonic() - began
        wait_for(lambda: states(stage), ["Running"] * 50, max(120 - submitted, 30))
        noted["seconds"] = time.monotonic() - began
        noted["happened"] = f"all 50 run ({submitted:.0f} s of it submitting)"
