"""The JSON report: complete, valid by its published schema, harmless in a log."""

from __future__ import annotations

import json
from dataclasses import fields
from pathlib import Path
from typing import Any, get_args, get_type_hints

import jsonschema
import pytest
from diagnostics_samples import Memory, finding, sample

from kohort.diagnostics import (
    Audience,
    Consequence,
    Edit,
    Finding,
    Fix,
    Label,
    Report,
    Severity,
    Term,
    line_origin,
)
from kohort.diagnostics.render import FORMATS, RenderOptions
from kohort.diagnostics.visible import visible
from kohort.spans import Origin

SCHEMA = Path(__file__).parents[3] / "ci" / "schemas" / "report-v1.schema.json"


@pytest.fixture(scope="module")
def validator() -> jsonschema.Draft202012Validator:
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def rendered(report: Report, places: Memory | None = None) -> dict[str, Any]:
    return json.loads(FORMATS["json"](report, places or Memory({}), RenderOptions(version="0.1.0")))


def test_the_sample_is_valid_by_the_schema(validator):
    assert list(validator.iter_errors(rendered(*sample()))) == []


def test_an_empty_report_is_valid_and_keeps_every_list(validator):
    value = rendered(Report(()))
    assert list(validator.iter_errors(value)) == []
    assert (value["findings"], value["hidden"], value["unchecked"], value["summary"]) == ([], [], [], [])


@pytest.mark.parametrize("change", ["extra", "missing", "severity", "column"])
def test_the_schema_refuses_what_is_no_report(validator, change):
    value = rendered(*sample())
    found = value["findings"][-1]
    if change == "extra":
        found["invented"] = 1
    elif change == "missing":
        del found["consequence"]
    elif change == "severity":
        found["severity"] = "fatal"
    else:
        found["primary"]["place"]["span"]["column"] = 0
    assert len(list(validator.iter_errors(value))) == 1


def test_every_closed_list_of_the_schema_is_the_one_of_the_code(validator):
    defs = validator.schema["$defs"]
    found = defs["finding"]["properties"]
    assert found["severity"]["enum"] == [one.value for one in Severity]
    assert found["consequence"]["enum"] == [one.value for one in Consequence]
    assert found["audience"]["enum"] == [one.value for one in Audience]
    assert defs["edit"]["properties"]["action"]["enum"] == list(get_args(get_type_hints(Edit)["action"]))
    assert defs["term"]["properties"]["sign"]["enum"] == list(get_args(get_type_hints(Term)["sign"]))


def test_no_field_of_a_finding_is_lost():
    value = rendered(*sample())["findings"][-1]
    assert {field.name for field in fields(Finding)} <= set(value)
    assert set(value) - {field.name for field in fields(Finding)} == {"fingerprint"}
    assert value["code"] == "CAP901"
    assert value["consequence"] == "stuck"
    assert value["clusters"] == ["pokprod", "vela"]
    assert value["subject"] == "ClusterQueue nlp-train"
    assert value["primary"] == {
        "place": {
            "file": "teams/nlp.yaml",
            "document": 0,
            "path": ["spec", "queues", 0, "quota", "h100"],
            "field": "spec.queues[0].quota.h100",
            "part": "value",
            "span": {"line": 8, "column": 15, "endLine": 8, "endColumn": 17},
        },
        "text": "nlp raises its guarantee by 16 in this change",
    }
    assert [label["place"]["file"] for label in value["related"]] == [
        "clusters/vela/nodes.yaml",
        "teams/nlp.yaml",
    ]
    assert [(term["sign"], term["amount"]) for term in value["terms"]] == [
        ("+", "64"),
        ("+", "48"),
        ("+", "24"),
        ("=", "136"),
        (">", "120"),
        (" ", ""),
    ]
    assert value["terms"][0]["place"]["span"]["column"] == 15
    assert value["terms"][1]["place"] is None
    assert len(value["help"]) == 2


def test_a_fix_keeps_its_edits(validator):
    edits = (Edit("move", Origin("a.yaml"), order=(2, 0, 1)), Edit("insert", Origin("a.yaml", 1), "x: 1\n"))
    value = rendered(Report((finding(fix=Fix("sort", edits, safe=False)),)))
    assert list(validator.iter_errors(value)) == []
    fix = value["findings"][0]["fix"]
    assert (fix["title"], fix["safe"]) == ("sort", False)
    assert [(e["action"], e["text"], e["order"], e["place"]["document"]) for e in fix["edits"]] == [
        ("move", "", [2, 0, 1], 0),
        ("insert", "x: 1\n", [], 1),
    ]


def test_a_place_that_is_a_line_shows_no_inner_path():
    places = Memory({"a.yaml": "one: 1\ntwo: 2  # note  \n"})
    place = rendered(Report((finding(origin=line_origin("a.yaml", 2)),)), places)["findings"][0]["primary"][
        "place"
    ]
    assert (place["path"], place["field"]) == ([], "")
    assert place["span"] == {"line": 2, "column": 1, "endLine": 2, "endColumn": 15}


def test_a_finding_without_text_has_no_span():
    assert rendered(Report((finding(),)))["findings"][0]["primary"]["place"]["span"] is None


def test_half_characters_of_a_file_name_are_written_as_bytes():
    value = rendered(Report((finding(primary=Label(Origin("caf\udce9.yaml"))),)))
    assert value["findings"][0]["primary"]["place"]["file"] == "caf\\xe9.yaml"


@pytest.mark.parametrize(
    "text", ["\x1b[2J", "\u202ename", "\x7f", "\u2028", "\U000e0041", "##[group]", "::add-mask::x", "\x00"]
)
def test_what_identifies_is_kept_and_the_text_is_harmless(text):
    found = finding(f"name {text}", subject=f"ClusterQueue {text}", field=f"metadata.labels[{text}]")
    output = FORMATS["json"](Report((found,)), Memory({}), RenderOptions())
    value = json.loads(output)["findings"][0]
    assert value["subject"] == f"ClusterQueue {text}"
    assert value["field"] == f"metadata.labels[{text}]"
    assert value["message"] == f"name {visible(text)}"
    assert "##[" not in output
    assert all(char == "\n" or char.isprintable() for char in output)
    assert not any(line.lstrip().startswith("::") for line in output.splitlines())
