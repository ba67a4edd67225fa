"""Replayed without a server: what a real Kueue refused when it was asked, the rules refuse, at the same field."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
import yaml

from kohort.engine.verdicts import compare, read_verdicts

FOLDER = Path(__file__).parent / "webhooks"
FILES = sorted(FOLDER.glob("*.yaml"))  # `updates` are answers about changes, which form rules do not judge
# Places that differ and should: the server counts no element of ownerReferences, and names a field of the version
# that it converts to where the version itself is at fault.
_OTHER_PLACE = {
    ("metadata.ownerReferences.apiVersion", "metadata.ownerReferences[0].apiVersion"),
    ("spec", "apiVersion"),
    ("description", "apiVersion"),
}


def recorded(path: Path):
    return list(read_verdicts(yaml.load(path.read_text("utf-8"), yaml.CSafeLoader), path.name))


def replayed(path: Path):
    return [compare(each, "0.19.1") for each in recorded(path)]


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.stem}")
def test_the_rules_agree_with_the_server(path):
    results = replayed(path)
    assert results
    wrong = []
    for each in results:
        id_, said = each.verdict.id, each.first
        if not each.agrees:
            wrong.append(
                f"{id_}: the server says {each.verdict.message or 'yes'}, the rules {said and said.message}"
            )
        if each.path_agrees is False and said and (each.verdict.field, said.field) not in _OTHER_PLACE:
            wrong.append(f"{id_}: the server names {each.verdict.field}, {said.code} names {said.field}")
        if each.stored_agrees is False:
            wrong.append(f"{id_}: stored otherwise: {each.stored_difference}")
    assert wrong == []


def test_the_record_is_rich():
    """Counts, so that a reader that skips verdicts is noticed."""
    counts = Counter(each.accepted for path in FILES for each in recorded(path))
    assert counts[True] >= 894
    assert counts[False] >= 1369


def answers() -> dict[str, dict]:
    document = yaml.load((FOLDER / "updates/jobs.yaml").read_text("utf-8"), yaml.CSafeLoader)
    return {each["id"]: each for each in document["verdicts"]}


# What plan and docs may say of a job that is edited, by what the server answered (`waits`: suspended, `runs`: admitted).
REFUSED_WAITING = {"class-removed", "gate-added"}
REFUSED_RUNNING = {
    "queue",
    "queue-removed",
    "seconds",
    "class-added",
    "prebuilt",
    "gate-added",
    "elastic-added",
}


@pytest.mark.parametrize("kind", ["job", "jobset", "pytorch", "trainjob", "wrapper"])
def test_what_of_a_waiting_job_may_be_edited(kind):
    said = {key: each["accepted"] for key, each in answers().items() if key.startswith(f"{kind}-waits-")}
    refused = {key.removeprefix(f"{kind}-waits-") for key, accepted in said.items() if not accepted}
    own = {"elastic-added", "fewest-changed", "topology"} if kind == "job" else set()
    assert refused == REFUSED_WAITING | own
    assert {key.removeprefix(f"{kind}-waits-") for key in said} >= {"queue", "seconds", "class-changed"}


@pytest.mark.parametrize("kind", ["job", "jobset", "pytorch", "wrapper"])
def test_what_of_a_running_job_may_not_be_edited(kind):
    said = {key: each for key, each in answers().items() if key.startswith(f"{kind}-runs-")}
    assert all(each["running"] for each in said.values())
    refused = {key.removeprefix(f"{kind}-runs-") for key, each in said.items() if not each["accepted"]}
    own = {"class-removed", "parallelism-with-fewest", "equal-added"} if kind == "job" else set()
    assert refused == REFUSED_RUNNING | own
    assert said[f"{kind}-runs-nothing"]["accepted"]  # the control: it is the change that is refused
    assert "field is immutable" in said[f"{kind}-runs-queue"]["message"]
