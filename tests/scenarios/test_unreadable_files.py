"""A file of the shipped organisation that cannot be read is one error, not one for everybody who names what stands in it."""

from __future__ import annotations

from pathlib import Path

import pytest

from kohort.diagnostics import Severity
from kohort.engine.outcome import Settings
from kohort.engine.repository import check_repository
from kohort.model.unread import seems_declared
from kohort.source.tree import MemoryTree

ROOT = Path(__file__).parents[2]
SOURCES = [
    path.relative_to(ROOT).as_posix()
    for area in ("teams", "queues", "clusters", "ci/policies", "workloads")
    for path in sorted((ROOT / area).rglob("*.yaml"))
    if not {"manifests", "argocd"} & set(path.parts)
]
FILES = {name: (ROOT / name).read_bytes() for name in ("kohort.yaml", *SOURCES)}
# Objects that compiled ones name; their rules see objects, not files.
OBJECTS_NAME_THEM = {
    "queues/checks.yaml": {"REF402"},
    "queues/topologies.yaml": {"REF405"},
    "queues/priorities.yaml": {"REF417"},
}


def errors(files):
    outcome, _ = check_repository(MemoryTree(files), Settings())
    return [f for f in outcome.report.findings if f.severity is Severity.ERROR]


@pytest.mark.parametrize("name", FILES)
def test_one_error_and_it_is_in_the_file(name):
    found = errors({**FILES, name: FILES[name] + b"\n  bad: [unclosed\n"})
    here = [f for f in found if f.primary.origin.file == name]
    assert [f.code[:3] for f in here] == ["YAM"]
    assert {f.code for f in found if f not in here} == OBJECTS_NAME_THEM.get(name, set())


def test_what_nobody_declares_is_missed_all_the_same():
    """The broken file holds team red; nothing is guessed about others."""
    name = "teams/red/team.yaml"
    blue = FILES["teams/blue/team.yaml"].replace(b"cohort: default-cohort", b"cohort: elsewhere")
    assert blue != FILES["teams/blue/team.yaml"]
    found = errors({**FILES, name: FILES[name] + b"\n  bad: [unclosed\n", "teams/blue/team.yaml": blue})
    missed = [(f.primary.origin.file, f.message) for f in found if f.code == "SRC131"]
    assert [file for file, _ in missed] == ["teams/blue/team.yaml"]
    assert "there is no Cohort elsewhere" in missed[0][1]
    assert [f.code for f in found if f.primary.origin.file == name] == ["YAM001"]


def test_kinds_and_names_are_those_of_the_lines_that_say_so():
    text = """\
# kind: Team
kind: Flavor
metadata: {name: h100, title: "name: other"}
---
"kind": Cohort
kind: "Cohort"
metadata:
  name: 'root'
spec: {rename: x
"""
    assert seems_declared(text) == {
        (kind, name) for kind in ("Flavor", "Cohort") for name in ("h100", "other", "root")
    }
    assert seems_declared("kind: Team\nmetadata: {name: [") == frozenset()
