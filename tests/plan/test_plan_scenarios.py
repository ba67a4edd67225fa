"""Every scenario: the numbers that were worked out by hand first, then the whole plan as a reviewed file."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest
from planned import amounts, classes, of_scenario
from scenario import Scenario

from kohort.diagnostics import Severity
from kohort.planner.render.json_v1 import document
from kohort.planner.render.markdown import render as markdown
from kohort.planner.render.sentences import access, member
from kohort.planner.render.terminal import render as terminal
from kohort.planner.render.view import Sides
from scenarios import SCENARIOS

GOLDEN = Path(__file__).parents[1] / "golden" / "plan"


@pytest.fixture(params=SCENARIOS, ids=lambda s: s.name.replace(" ", "-"))
def scenario(request) -> Scenario:
    return request.param


def test_the_plan_says_what_was_worked_out_by_hand(scenario):
    plan = of_scenario(scenario.name).plan
    found = amounts(plan)
    if scenario.some:
        assert scenario.lines() <= found
    else:
        assert found == scenario.lines()
    assert scenario.others() <= amounts(plan, devices=False)
    assert plan.disruption.value == scenario.worst
    told = classes(plan)
    assert {name: told.get(name) for name in scenario.classes} == scenario.classes
    assert [member(one) for one in plan.members] == list(scenario.people)
    assert set(scenario.access) <= {access(one) for one in plan.access}
    assert [one.code for one in plan.findings] == list(scenario.findings)
    assert [one.title for one in plan.runbooks] == list(scenario.steps)
    weighty = [one.code for one in plan.new if one.severity is not Severity.INFO]
    assert sorted(set(weighty)) == sorted(scenario.new)


def one_entry_a_line(value: dict) -> str:
    """JSON that a person can review: each entry of a list on a line of its own."""
    parts = []
    for key, held in value.items():
        if isinstance(held, list) and held:
            entries = ",\n  ".join(json.dumps(entry, ensure_ascii=False) for entry in held)
            parts.append(f'"{key}": [\n  {entries}\n]')
        else:
            parts.append(f'"{key}": {json.dumps(held, ensure_ascii=False)}')
    return "{" + ",\n".join(parts) + "}\n"


def test_the_whole_plan_is_as_reviewed(scenario):
    done = of_scenario(scenario.name)
    sides = Sides(done.base, done.head)
    name = re.sub(r"[^a-z0-9]+", "-", scenario.name.lower())
    texts = {
        f"{name}.md": markdown(done.plan, sides),
        f"{name}.json": one_entry_a_line(document(done.plan, sides, version="0")),
    }
    for file, text in texts.items():
        path = GOLDEN / file
        if os.environ.get("KOHORT_UPDATE_GOLDENS"):
            path.write_text(text, "utf-8")
        assert path.read_text("utf-8") == text, f"{file}: KOHORT_UPDATE_GOLDENS=1 rewrites it for review"
    json.loads(texts[f"{name}.json"])
    assert terminal(done.plan, sides).endswith("\n")


def test_names_and_goldens_agree():
    names = {re.sub(r"[^a-z0-9]+", "-", scenario.name.lower()) for scenario in SCENARIOS}
    assert len(names) == len(SCENARIOS)
    assert {path.stem for path in GOLDEN.iterdir()} == names
