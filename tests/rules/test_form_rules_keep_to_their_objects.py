"""Rules of form judge Kueue's own objects only, and what webhooks refuse only where the schema has no complaint."""

from __future__ import annotations

import inspect
import re
import sys

import pytest

from kohort.engine.outcome import Settings
from kohort.engine.plain import check_plain
from kohort.rules.base import Stage
from kohort.rules.catalogue import catalogue
from kohort.rules.registry import all_rules
from kohort.source.tree import MemoryTree

DOCS = catalogue()
GROUPS = re.compile(r"(?<=apiVersion: )(kueue\.x-k8s\.io|workload\.codeflare\.dev)(?=/)")
FORM = {
    rule.code: rule
    for rule in all_rules()
    if rule.stage is Stage.FORM and rule.code.startswith(("KUE", "AWR"))
}
# A version or kind that the group does not have: no schema, so the object cannot be made worse.
WITHOUT_SCHEMA = {"KUE209", "KUE210"}


def found(text: str, example: str) -> list[str]:
    version = re.search(r"^# kueue: (\S+)$", example, re.MULTILINE)
    settings = Settings(kueue=version.group(1) if version else "0.19.1")
    report = check_plain([MemoryTree({"a.yaml": text.encode()})], settings).report
    return [f.code for f in report.findings]


@pytest.mark.parametrize("code", FORM)
def test_objects_of_another_group_are_somebody_elses(code):
    text = f"{DOCS[code].bad}\n"
    assert code in found(text, text)
    other, count = GROUPS.subn("example.com", text)
    assert count
    assert [each for each in found(other, text) if each.startswith(("KUE", "AWR"))] == []


def judges_what_the_schema_accepts(code: str) -> bool:
    return "clean(" in inspect.getsource(sys.modules[FORM[code].module])


@pytest.mark.parametrize("code", [code for code in FORM if judges_what_the_schema_accepts(code)])
def test_webhooks_are_asked_only_about_what_the_schema_accepts(code):
    """The server stops at the schema; a finding about what it never came to would be a second one for one refusal."""
    text = f"{DOCS[code].bad}\n"
    worse = re.sub(r"^metadata: \{", "unheardOf: 1\nmetadata: {", text, flags=re.MULTILINE)
    assert worse != text
    codes = found(worse, text)
    assert code not in codes
    assert "KUE201" in codes


def test_the_rules_that_wait_for_the_schema_are_many():
    assert sum(map(judges_what_the_schema_accepts, FORM)) > 20
