"""Every documented code fires on its bad example and is silent on its good one: no-op and always-firing rules fail."""

from __future__ import annotations

import re
from datetime import date

import pytest

from kohort.diagnostics import Severity
from kohort.engine.outcome import Settings
from kohort.engine.plain import check_plain
from kohort.engine.repository import check_repository
from kohort.rules.catalogue import catalogue
from kohort.rules.docs import document
from kohort.rules.registry import all_rules
from kohort.source.tree import MemoryTree

FILE = re.compile(r"^# file: (\S+)$", re.MULTILINE)
KUEUE = re.compile(r"^# kueue: (\S+)$", re.MULTILINE)
BASELINE = re.compile(r"^# baseline: (.+)$", re.MULTILINE)
AT = re.compile(r"^# at: (\S+)$", re.MULTILINE)
DOCS = catalogue()
# Faults of a file's bytes: the example is text, written in this encoding.
ENCODED = {"YAM004": "latin-1", "YAM005": "utf-16"}
# Faults of the file system (a pipe, a link loop, a file too large) have tests of their own in tests/unit/source.
# Faults of a change have tests of their own in tests/unit/planner.
OF_CHANGES = {code for code, doc in DOCS.items() if doc.bad.startswith("(") and code[:3] in {"AUT", "PLN"}}
OF_FILES = {code for code, doc in DOCS.items() if doc.bad.startswith("(")} - OF_CHANGES


def run(example: str, encoding: str = "utf-8"):
    """Judge an example: with `# file:` lines it is a repository, else plain YAML."""
    version, at, baseline = KUEUE.search(example), AT.search(example), BASELINE.search(example)
    settings = Settings(
        kueue=version.group(1) if version else "0.19.1",
        at=date.fromisoformat(at.group(1)) if at else None,
        baseline=baseline.group(1).encode() if baseline else None,
    )
    parts = FILE.split(example)
    if len(parts) > 1:
        files = {parts[i]: (parts[i + 1].lstrip("\n") + "\n").encode() for i in range(1, len(parts), 2)}
        return check_repository(MemoryTree(files), settings)[0].report
    return check_plain([MemoryTree({"example.yaml": (example + "\n").encode(encoding)})], settings).report


@pytest.mark.parametrize("code", sorted(DOCS.keys() - OF_FILES - OF_CHANGES))
def test_bad_example_gives_the_code(code):
    doc = DOCS[code]
    assert doc.bad, f"{code} has no bad example"
    report = run(doc.bad, ENCODED.get(code, "utf-8"))
    assert code in {f.code for f in report.findings}, [f"{f.code} {f.message}" for f in report.findings]


@pytest.mark.parametrize("code", sorted(DOCS.keys() - OF_CHANGES))
def test_good_example_is_silent_and_without_errors(code):
    doc = DOCS[code]
    assert doc.good, f"{code} has no good example"
    report = run(doc.good)
    assert code not in {f.code for f in report.findings}
    errors = [f"{f.code} {f.message}" for f in report.findings if f.severity is Severity.ERROR]
    assert not errors


@pytest.mark.parametrize("code", DOCS)
def test_documentation_is_complete(code):
    doc = DOCS[code]
    assert re.fullmatch(r"[A-Z]{3}\d{3}", code)
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", doc.name)
    assert doc.summary.endswith(".")
    assert doc.why


def test_names_are_unique():
    names = [doc.name for doc in DOCS.values()]
    assert sorted(set(names)) == sorted(names)


def test_few_examples_need_a_file_system():
    assert sorted(OF_FILES) == ["YAM022", "YAM023", "YAM024", "YAM025", "YAM026", "YAM027"]


def test_sections_of_a_docstring_are_read_by_their_headings():
    doc = document(next(rule for rule in all_rules() if rule.code == "KUE214"))
    assert doc.summary == "A quota or limit below zero."
    assert doc.why == "The webhook refuses negative amounts."
    assert doc.bad.startswith("apiVersion: kueue.x-k8s.io/v1beta2\nkind: ClusterQueue\n")
    assert doc.good.endswith('nominalQuota: "1"}]}]')
    assert doc.source.startswith("Kueue 0.15 to 0.19, ClusterQueue and Cohort webhooks")
