"""The YAML and Python that pages show is what Kohort takes: each block is put where its page says, and checked or run."""

from __future__ import annotations

import json
import re
from datetime import date
from pathlib import Path

import pytest
import yaml

from kohort.diagnostics import Severity
from kohort.engine.outcome import Settings
from kohort.engine.repository import check_repository
from kohort.source.tree import MemoryTree

ROOT = Path(__file__).resolve().parents[2]
SOURCES = ("clusters", "queues", "teams", "workloads", "ci/policies", "ci/exceptions")
SHIPPED = {
    file.relative_to(ROOT).as_posix(): file.read_bytes()
    for folder in SOURCES
    for file in (ROOT / folder).rglob("*.yaml")
    if "manifests" not in file.parts and "argocd" not in file.parts
} | {"kohort.yaml": (ROOT / "kohort.yaml").read_bytes()}


def blocks(page, language="yaml"):
    return re.findall(rf"```{language}\n(.*?)```", (ROOT / page).read_text("utf-8"), re.DOTALL)


def findings(files, at=None):
    """Errors and warnings that the shipped organisation does not have."""
    known = {(f.code, f.message) for f in _report(SHIPPED, None)}
    found = _report(SHIPPED | {name: text.encode() for name, text in files.items()}, at)
    return [(f.code, f.message) for f in found if (f.code, f.message) not in known]


def _report(files, at):
    report = check_repository(MemoryTree(files), Settings(at=at))[0].report
    return [f for f in report.findings if f.severity is not Severity.INFO]


def merged(one, other):
    """A mapping with another laid over it."""
    both = dict(one)
    for key, value in other.items():
        both[key] = merged(both[key], value) if isinstance(both.get(key), dict) else value
    return both


def test_the_team_of_the_readme_is_one():
    (text,) = blocks("README.md")
    assert findings({"teams/blue/team.yaml": text}) == []


def test_authority_and_guard_rails():
    first, second, waiver, grant = blocks("docs/authority.md")
    organisation = yaml.safe_load(SHIPPED["kohort.yaml"])
    for block in (first, second):
        assert findings({"kohort.yaml": yaml.safe_dump(merged(organisation, yaml.safe_load(block)))}) == []
    name = waiver.splitlines()[0].removeprefix("# ")
    assert findings({name: waiver}) == []
    team = yaml.safe_load(SHIPPED["teams/climate/team.yaml"])
    team["spec"]["queues"][0]["quota"] = yaml.safe_load(grant)["quota"]
    changed = {"teams/climate/team.yaml": yaml.safe_dump(team)}
    assert not [code for code, _ in findings(changed) if code.startswith(("SRC", "CMP"))]
    assert "AUT202" in [code for code, _ in findings(changed, date(2026, 12, 20))]
    assert "AUT201" in [code for code, _ in findings(changed, date(2027, 1, 5))]


def test_a_policy_and_its_examples():
    policy, examples = blocks("docs/policies.md")
    for text in (policy, examples):
        assert text.startswith("apiVersion: kohort.dev/v1alpha1\n")
    files = {"ci/policies/two-admins.yaml": f"{policy}---\n{examples}"}
    gone = {name: "" for name in SHIPPED if name.startswith("ci/policies/two-admins") and name not in files}
    assert not [(code, text) for code, text in findings({**gone, **files}) if code.startswith(("SRC", "POL"))]


def test_a_scenario():
    (text,) = blocks("docs/simulation.md")
    assert findings({"workloads/scenarios/week.yaml": text}) == []


def test_a_question_from_python(tmp_path, monkeypatch, capsys):
    (code,) = blocks("docs/why.md", "python")
    objects = yaml.safe_load((ROOT / "docs/snapshots/pokprod.yaml").read_text("utf-8"))
    (tmp_path / "now.json").write_text(json.dumps(objects), "utf-8")
    empty = {"apiVersion": "v1", "kind": "List", "items": []}
    (tmp_path / "config.json").write_text(json.dumps(empty), "utf-8")
    monkeypatch.chdir(tmp_path)
    exec(f"import kohort\n{code}", {})
    assert "waits" in capsys.readouterr().out


@pytest.mark.parametrize(
    "page", ["README.md", *sorted(p.relative_to(ROOT).as_posix() for p in (ROOT / "docs").glob("*.md"))]
)
def test_links_between_pages_lead_somewhere(page):
    text = re.sub(r"```.*?```", "", (ROOT / page).read_text("utf-8"), flags=re.DOTALL)
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        path, _, anchor = target.partition("#")
        if "://" in target:
            continue
        file = (ROOT / page).parent / path if path else ROOT / page
        assert file.exists(), (page, target)
        if anchor and file.suffix == ".md":
            assert anchor in anchors(file), (page, target)


def anchors(file):
    """The names that forges give to headings."""
    headings = re.findall(r"^#+ (.+)$", file.read_text("utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}
