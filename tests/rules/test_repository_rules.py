"""Rules on declarations: place, words, and what stays silent."""

from __future__ import annotations

from pathlib import Path

import pytest

from kohort.diagnostics import Severity
from kohort.engine.outcome import Settings
from kohort.engine.repository import check_repository
from kohort.rules.repository import required_version
from kohort.source.tree import MemoryTree

HEAD = "apiVersion: kohort.dev/v1alpha1\n"
FILES = {
    "kohort.yaml": f"{HEAD}kind: Organisation\nmetadata: {{name: x}}\nspec: {{}}\n",
    "clusters/lab/cluster.yaml": f"{HEAD}kind: Cluster\nmetadata: {{name: lab}}\nspec:\n  versions: {{kubernetes: 1.36.2, kueue: 0.19.1}}\n"
    "  nodePools:\n  - {name: h100, flavor: h100, nodes: 1, accelerator: a.com/gpu, perNode: {cpu: 64, memory: 1Ti, a.com/gpu: 8}}\n",
    "queues/flavors.yaml": f"{HEAD}kind: Flavor\nmetadata: {{name: h100}}\nspec: {{}}\n",
    "queues/classes.yaml": f"{HEAD}kind: QueueClass\nmetadata: {{name: batch}}\nspec: {{}}\n",
    "queues/cohorts.yaml": f"{HEAD}kind: Cohort\nmetadata: {{name: all}}\nspec: {{}}\n---\n{HEAD}kind: Cohort\nmetadata: {{name: research}}\nspec: {{parent: all}}\n",
    "teams/blue/team.yaml": f"{HEAD}kind: Team\nmetadata: {{name: blue}}\nspec:\n  namespaces: [blue]\n  access: {{members: {{groups: [blue]}}}}\n"
    "  class: batch\n  cohort: research\n  quota: {lab: [{flavor: h100, gpus: 4}]}\n",
}


def judged(**changes):
    """Findings of the family and a function that gives the line of one; `changes` edit files by their stem."""
    files = dict(FILES)
    for stem, (old, new) in changes.items():
        name = next(n for n in files if Path(n).stem == stem)
        assert old in files[name]
        files[name] = files[name].replace(old, new)
    outcome = check_repository(MemoryTree({n: t.encode() for n, t in files.items()}), Settings())[0]
    found = [f for f in outcome.report.findings if f.code.startswith("SRC2")]
    return found, [(f.code, f.primary.origin.file, outcome.places.span(f.primary.origin).line) for f in found]


def test_a_whole_organisation_is_silent():
    assert judged()[1] == []


@pytest.mark.parametrize(
    ("kind", "spec"),
    [
        ("QueueClass", "{}"),
        ("Size", "{gpus: 4}"),
        ("Flavor", "{}"),
        ("Topology", "{levels: [kubernetes.io/hostname]}"),
    ],
)
def test_what_nothing_uses(kind, spec):
    found, places = judged(
        classes=(
            "spec: {}\n",
            f"spec: {{}}\n---\n{HEAD}kind: {kind}\nmetadata: {{name: other}}\nspec: {spec}\n",
        )
    )
    assert places == [("SRC201", "queues/classes.yaml", 8)]
    assert found[0].message == f"{kind} other is used by nothing"
    assert found[0].severity is Severity.INFO


def test_nothing_is_called_unused_where_a_file_cannot_be_read():
    assert judged(team=("namespaces: [blue]", "namespaces: 7"))[1] == []


def test_a_cohort_is_filled_from_below():
    found, places = judged(team=("  cohort: research\n", ""))
    assert places == [("SRC202", "queues/cohorts.yaml", 3), ("SRC202", "queues/cohorts.yaml", 8)]
    assert found[1].message == "Cohort research has no queue below it"


def test_a_cohort_that_a_queue_misspells():
    found, _ = judged(team=("cohort: research", "cohort: reserch"))
    assert found[-1].help[0] == "a queue names reserch, which is not declared: is this one meant?"


def test_a_team_of_viewers_only():
    found, places = judged(team=("members:", "viewers:"))
    assert places == [("SRC203", "teams/blue/team.yaml", 5)]
    assert found[0].message == "Team blue has neither admins nor members"


def claims(text):
    return ("spec: {}", f"spec:\n  claims:\n  - {text}")


def test_claims_bound_what_a_team_file_says():
    own = "{teams: blue, namespaces: [blue], cohorts: [research]}"
    assert judged(kohort=claims(own))[1] == []
    found, places = judged(kohort=claims(own), team=("[blue]\n  access", "[blue, red]\n  access"))
    assert places == [("SRC204", "teams/blue/team.yaml", 5)]
    assert found[0].message == "Team blue claims namespace red, which is not its own"
    assert found[0].severity is Severity.ERROR
    assert (found[0].related[0].origin.file, found[0].related[0].origin.path) == (
        "kohort.yaml",
        ("spec", "claims", 0),
    )


def test_a_cohort_is_claimed_too():
    found, places = judged(kohort=claims("{teams: blue, namespaces: [blue]}"))
    assert places == [("SRC204", "teams/blue/team.yaml", 8)]
    assert "a place in cohort research" in found[0].message


def test_teams_without_a_claim_are_free_and_patterns_match():
    assert judged(kohort=claims("{teams: red, namespaces: []}"))[1] == []
    assert judged(kohort=claims("{teams: 'b*', namespaces: ['bl*'], cohorts: ['*']}"))[1] == []


@pytest.mark.parametrize(
    ("wanted", "messages"),
    [
        (">=0.1,<1", []),
        ("~=0.1.0", []),
        ("==0.1.0", []),
        ("0.1", []),
        ("!=0.1.0", ["this repository requires Kohort !=0.1.0; this is 0.1.0"]),
        (">=0.2", ["this repository requires Kohort >=0.2; this is 0.1.0"]),
        (
            ">=0.2,<0.1",
            [
                "this repository requires Kohort >=0.2; this is 0.1.0",
                "this repository requires Kohort <0.1; this is 0.1.0",
            ],
        ),
        ("latest", ['requiredVersion: "latest" is no comparison such as >=0.1']),
    ],
)
def test_the_required_version(monkeypatch, wanted, messages):
    monkeypatch.setattr(required_version, "__version__", "0.1.0")
    found, places = judged(kohort=("spec: {}", f"spec: {{requiredVersion: '{wanted}'}}"))
    assert sorted(f.message for f in found) == sorted(messages)
    assert {(code, line) for code, _, line in places} <= {("SRC205", 4)}


@pytest.mark.parametrize(
    ("old", "new", "codes"),
    [
        ("  class: batch\n", "  class: batch\n  class: other\n", ["YAM003"]),
        ("namespaces: [blue]", "namespaces: [blue]\n  namespaces: [red]", ["YAM003"]),
        ("  class: batch\n", "", ["SRC103"]),
        ("  class: batch\n", "  clas: batch\n", ["SRC101"]),
    ],
)
def test_a_field_that_stands_twice_is_not_missed_too(old, new, codes):
    assert old in FILES["teams/blue/team.yaml"]
    files = {**FILES, "teams/blue/team.yaml": FILES["teams/blue/team.yaml"].replace(old, new)}
    report = check_repository(MemoryTree(files), Settings())[0].report
    assert [f.code for f in report.findings if f.severity is Severity.ERROR] == codes
