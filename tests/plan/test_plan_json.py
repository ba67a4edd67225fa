"""The JSON of every scenario is valid by the published schema, and the schema is strict."""

from __future__ import annotations

import copy
import json
from pathlib import Path

import jsonschema
import pytest
from planned import of_scenario

from kohort.planner.plan import Approval, Disruption, Measure
from kohort.planner.render.json_v1 import document, render
from kohort.planner.render.view import Sides
from scenarios import SCENARIOS

SCHEMA = json.loads((Path(__file__).parents[2] / "ci" / "schemas" / "plan-v1.schema.json").read_text("utf-8"))


@pytest.fixture(scope="module")
def validator():
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    return jsonschema.Draft202012Validator(SCHEMA)


def value(name: str) -> dict:
    done = of_scenario(name)
    return json.loads(render(done.plan, Sides(done.base, done.head), version="0.1.0"))


@pytest.mark.parametrize("name", [scenario.name for scenario in SCENARIOS])
def test_every_scenario_is_valid(validator, name):
    assert [error.message for error in validator.iter_errors(value(name))] == []


@pytest.mark.parametrize("break_", ["extra", "missing", "measure", "class", "line", "approval"])
def test_the_schema_refuses_what_is_no_plan(validator, break_):
    plan = copy.deepcopy(value("red leaves"))
    assert not list(validator.iter_errors(plan))
    if break_ == "extra":
        plan["objects"][0]["invented"] = 1
    elif break_ == "missing":
        del plan["effects"][0]["delta"]
    elif break_ == "measure":
        plan["effects"][0]["measure"] = "luck"
    elif break_ == "class":
        plan["disruption"] = "explodes"
    elif break_ == "line":
        plan["members"][0]["place"]["line"] = 0
    else:
        plan["approvals"] = [{"who": "admins"}]
    assert list(validator.iter_errors(plan))


def test_the_schema_lists_every_measure_and_class():
    effect = SCHEMA["properties"]["effects"]["items"]["properties"]
    assert effect["measure"]["enum"] == [measure.value for measure in Measure]
    assert SCHEMA["properties"]["disruption"]["enum"] == [one.value for one in Disruption]


def test_every_description_says_something():
    waiting, seen = [SCHEMA], 0
    while waiting:
        node = waiting.pop()
        if isinstance(node, dict):
            for name, one in node.get("properties", {}).items():
                assert one.get("description") or "$ref" in one, name
                seen += 1
            waiting += node.values()
        elif isinstance(node, list):
            waiting += node
    assert seen > 100


def test_approvals_are_told_where_somebody_decided(validator):
    from dataclasses import replace

    done = of_scenario("red leaves")
    plan = replace(
        done.plan, approvals=(Approval("team red", "its guarantee falls", people=("Group red-devs",)),)
    )
    told = document(plan, Sides(done.base, done.head), version="0")
    assert told["approvals"] == [
        {
            "who": "team red",
            "why": "its guarantee falls",
            "rule": "",
            "people": ["Group red-devs"],
            "given": False,
        }
    ]
    assert not list(validator.iter_errors(told))
