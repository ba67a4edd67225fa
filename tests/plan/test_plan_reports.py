"""Changes after public reports: what was worked out by hand, the whole plan as a reviewed file, and every form of the input."""

from __future__ import annotations

import json
import os
import random
import re
from pathlib import Path

import pytest
import report_queue_scenarios
import report_spelling_scenarios
import report_tree_scenarios
import yaml
from planned import line
from report_objects import Report

from kohort.capacity.words import is_device
from kohort.diagnostics import Severity
from kohort.engine.comparing import plan_paths
from kohort.engine.outcome import Settings
from kohort.planner.render.markdown import render
from kohort.planner.render.view import Sides

GOLDEN = Path(__file__).parents[1] / "golden" / "plan-reports"
REPORTS = (
    *report_queue_scenarios.REPORTS,
    *report_tree_scenarios.REPORTS,
    *report_spelling_scenarios.REPORTS,
)


@pytest.fixture(params=REPORTS, ids=lambda one: one.name.replace(" ", "-"))
def report(request) -> Report:
    return request.param


@pytest.fixture
def planned(report, tmp_path, monkeypatch):
    """The plan as somebody makes it who has two files, and a third one of what runs."""
    monkeypatch.chdir(tmp_path)
    for name, objects in (("before", report.before), ("after", report.after)):
        Path(f"{name}.yaml").write_text(yaml.safe_dump_all(objects, sort_keys=False))
    return plan_paths("before.yaml", "after.yaml", Settings(), _snapshot(report)).planned


def _snapshot(report: Report) -> list[str]:
    if report.works is None:
        return []
    Path("runs.json").write_text(
        json.dumps({"apiVersion": "v1", "kind": "List", "items": list(report.works)})
    )
    return ["runs.json"]


def essence(plan):
    return (
        sorted((str(one.ref), one.how, one.disruption.value) for one in plan.objects),
        [(one.name, one.disruption.value) for one in plan.work],
        sorted((one.code, one.message) for one in plan.findings),
        [one.title for one in plan.runbooks],
        sorted((one.key, one.before, one.after) for one in plan.effects),
    )


def test_the_plan_says_what_was_worked_out_by_hand(report, planned):
    plan = planned.plan
    assert plan.disruption.value == report.worst, [(str(one.ref), one.why) for one in plan.objects]
    assert {one.name: one.disruption.value for one in plan.work} == report.work
    assert tuple(one.code for one in plan.findings) == report.findings
    assert tuple(one.title for one in plan.runbooks) == report.steps
    amounts = {line(one) for one in plan.effects if is_device(one.key.resource)}
    assert set(report.amounts) <= amounts
    weighty = {one.code for one in plan.new if one.severity is not Severity.INFO}
    assert sorted(weighty) == sorted(report.new)
    assert plan.empty == (report in report_spelling_scenarios.REPORTS and report.worst == "nothing")


def test_the_whole_plan_is_as_reviewed(report, planned):
    name = re.sub(r"[^a-z0-9]+", "-", report.name.lower())
    text = f"<!-- {report.source} -->\n{render(planned.plan, Sides(planned.base, planned.head))}"
    path = GOLDEN / f"{name}.md"
    if os.environ.get("KOHORT_UPDATE_GOLDENS"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, "utf-8")
    assert path.read_text("utf-8") == text, f"{path.name}: KOHORT_UPDATE_GOLDENS=1 rewrites it for review"


def test_it_tells_what_a_person_needs(report, planned):
    plan = planned.plan
    told = [text for one in plan.findings for text in (one.message, *one.help)]
    told += [text for book in plan.runbooks for step in book.steps for text in (step.text, *step.commands)]
    told += [one.why for one in plan.objects]
    missing = [part for part in report.says if not any(part in text for text in told)]
    assert missing == []


def test_every_form_of_the_input_says_the_same(report, planned):
    whole = essence(planned.plan)
    for name, objects in (("before", report.before), ("after", report.after)):
        Path(name).mkdir()
        shuffled = list(objects)
        random.Random(7).shuffle(shuffled)
        for number, obj in enumerate(shuffled):
            Path(name, f"{number:02d}.yaml").write_text(yaml.safe_dump(obj))
        listed = {"apiVersion": "v1", "kind": "List", "items": [one for one in objects if "items" not in one]}
        rest = [one for one in objects if "items" in one]
        Path(f"{name}.json").write_text(
            json.dumps(listed if not rest else rest[0] if len(rest) == 1 else listed)
        )
    assert essence(plan_paths("before", "after", Settings(), _snapshot(report)).planned.plan) == whole
    if not any("items" in one for one in (*report.before, *report.after)):
        assert (
            essence(plan_paths("before.json", "after.json", Settings(), _snapshot(report)).planned.plan)
            == whole
        )
    assert plan_paths("after.yaml", "after", Settings()).planned.plan.empty


@pytest.mark.parametrize(("kueue", "worst"), [("0.16.5", "recreate"), ("0.17.0", "requeues-pending")])
def test_taints_of_a_flavor_with_a_topology_are_frozen_in_older_versions(tmp_path, kueue, worst):
    """kubernetes-sigs/kueue#9427."""
    (report,) = (one for one in REPORTS if one.name == "taints of a flavor with a topology may change")
    for name, objects in (("before", report.before), ("after", report.after)):
        (tmp_path / f"{name}.yaml").write_text(yaml.safe_dump_all(objects))
    old, new = (str(tmp_path / f"{name}.yaml") for name in ("before", "after"))
    assert plan_paths(old, new, Settings(kueue=kueue)).planned.plan.disruption.value == worst


def test_names_and_goldens_agree():
    names = {re.sub(r"[^a-z0-9]+", "-", one.name.lower()) for one in REPORTS}
    assert len(names) == len(REPORTS)
    assert {path.stem for path in GOLDEN.iterdir()} == names


JOB = """\
apiVersion: batch/v1
kind: Job
metadata: {name: %s, namespace: team%s}
spec:
  suspend: true
  parallelism: %d
  completions: %d
  template:
    spec:
      restartPolicy: Never
      containers: [{name: main, image: "registry.example/job:1", resources: {requests: {nvidia.com/gpu: 1}}}]
"""


def test_manifests_of_jobs_stand_in_for_what_is_not_known_to_run(tmp_path, monkeypatch):
    """kubernetes-sigs/kueue#5176: of three jobs two fit into 8 GPUs, and the quota falls to 4."""
    monkeypatch.chdir(tmp_path)
    tree = report_tree_scenarios
    for name, quota in (("before", 8), ("after", 4)):
        objects = (tree.F, tree.of("a", quota, ""), report_queue_scenarios.local("a"))
        Path(f"{name}.yaml").write_text(yaml.safe_dump_all(objects))
    named = ", labels: {kueue.x-k8s.io/queue-name: a}"
    jobs = [JOB % ("first", named, 3, 3), JOB % ("large", named, 6, 6), JOB % ("last", named, 5, 5)]
    Path("jobs.yaml").write_text("---\n".join([*jobs, JOB % ("free", "", 1, 1)]))
    plan = plan_paths("before.yaml", "after.yaml", Settings(), ["jobs.yaml"]).planned.plan
    (over,) = plan.over_quota
    assert (over.used, over.before, over.after, over.workloads) == (8, 8, 4, ("team/last", "team/first"))
    assert [(one.code, one.message) for one in plan.findings] == [
        (
            "PLN006",
            (
                "the snapshot holds 4 jobs and no Workload: played one after the other before the change, 2 would run and "
                "1 wait, 1 without a queue left out"
            ),
        ),
        (
            "PLN003",
            "a/f nvidia.com/gpu: usage 8 > new guarantee 4; nothing is evicted, 4 must finish before anything else is admitted",
        ),
    ]
