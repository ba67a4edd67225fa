"""JSON that the project writes: the same value when parsed, nothing raw that acts, and one place that makes it."""

from __future__ import annotations

import ast
import json
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kohort.diagnostics.json_text import as_json, json_entry, json_line

PACKAGE = Path(__file__).parents[3] / "validator" / "kohort"
TEXTS = st.text(st.characters(exclude_categories=["Cs"]))
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=12,
)
# Who makes JSON by other means, and why that is right.
OTHERS = {
    "forge/http.py": "the body of a request, plain ASCII",
    "lab/client.py": "the body of a request, plain ASCII",
    "lab/recording/session.py": "the developer's own configurations, plain ASCII",
    "lab/standing.py": "a file of the lab's own, plain ASCII",
    "policy/ask.py": "part of a message that renderers make visible",
    "policy/cel/evaluator.py": "between two processes, plain ASCII",
    "policy/cel/worker.py": "between two processes, plain ASCII",
    "engine/shipped.py": "published schemas, made of the project's own words",
    "engine/saved_plan.py": "what a digest is made of",
    "objects/schema/unique.py": "a key of a mapping",
    "planner/runbook/case.py": "a patch in a command, plain ASCII, which renderers make visible",
    "rules/quota/namespaces.py": "a key of a mapping",
    "semantics/flavors/plan.py": "a key of a mapping",
    "semantics/queues/shape.py": "a key of a mapping",
    "source/edit.py": "a key of a mapping",
    "source/patches.py": "a scalar of a YAML file that is edited",
    "source/wording.py": "a scalar of a YAML file that is edited",
    "diagnostics/json_text.py": "the one place",
}


@given(VALUES)
def test_what_is_written_reads_back_and_holds_nothing_that_acts(value):
    for text in (as_json(value), json_line(value), json_entry(value)):
        assert json.loads(text) == value
        bad = [c for c in text if unicodedata.category(c) in {"Cc", "Cf", "Zl", "Zp", "Cs"} and c != "\n"]
        assert bad == []
    assert json_line(value).count("\n") == 1
    assert "\n" not in json_entry(value)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("\x9b31m", r'"\u009b31m"'),
        ("\u202egnp.exe\u2069", r'"\u202egnp.exe\u2069"'),
        ("a\u2028b", r'"a\u2028b"'),
        ("é 東京 →", '"é 東京 →"'),
        ("\x7f", r'"\u007f"'),
        ("\U000e0041", r'"\udb40\udc41"'),
    ],
)
def test_letters_stay_and_the_rest_is_escaped(value, text):
    assert json_entry(value) == text
    assert json_entry({value: [value]}) == f"{{{text}: [{text}]}}"


def test_half_characters_are_texts_that_every_reader_takes():
    assert json.loads(as_json({"caf\udce9": ("x\udc80",)})) == {"caf\\xe9": ["x\\x80"]}


def test_no_module_makes_json_for_people_by_other_means():
    found = set()
    for file in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Attribute) and node.attr in {"dumps", "dump"}:
                of = node.value
                if isinstance(of, ast.Name) and of.id == "json":
                    found.add(file.relative_to(PACKAGE).as_posix())
    assert found == set(OTHERS)
