"""Texts of `kohort explain` for teams and fields."""

from __future__ import annotations

import pytest
from model_support import CLUSTER, repo_of, team

from kohort.model.explain import explain_field, explain_team
from kohort.model.fieldtree import fields_of, item_type, plain_type
from kohort.model.kinds import KINDS, Strict


def test_a_team_shows_every_number_with_its_arithmetic():
    text = CLUSTER + team(
        "namespaces: [blue]\nclass: batch\ncohort: all\nquota: {lab: [{flavor: cpu, nodes: 1, borrow: 2, lend: none}]}"
    )
    assert (
        explain_team(repo_of(text), "blue")
        == """\
team blue: namespaces blue

queue blue: class batch, cohort all

  lab, flavor cpu: 1 node   teams/blue/team.yaml#spec.quota.lab[0]
    guarantee  cpu        64  1 node × 64 cpu = 64
    guarantee  memory  256Gi  1 node × 256Gi memory = 256Gi
    borrow     cpu       128  2 nodes × 64 cpu = 128
    borrow     memory  512Gi  2 nodes × 256Gi memory = 512Gi
    lend       cpu         0  lend: none
    lend       memory      0  lend: none"""
    )


def test_a_line_that_cannot_be_derived_says_why():
    text = CLUSTER + team("namespaces: [blue]\nclass: batch\nquota: {lab: [{flavor: cpu, gpus: 1}]}")
    assert "GPUs of flavor cpu cannot be counted on cluster lab: its nodes have none" in (
        explain_team(repo_of(text), "blue") or ""
    )


def test_without_a_cohort_there_are_no_limits_to_show():
    text = CLUSTER + team("namespaces: [blue]\nclass: batch\nquota: {lab: [{flavor: cpu, nodes: 1}]}")
    shown = explain_team(repo_of(text), "blue") or ""
    assert "no cohort: neither lends nor borrows" in shown
    assert "borrow " not in shown


def test_an_unknown_team_or_field_is_none():
    assert explain_team(repo_of(CLUSTER), "green") is None
    assert [
        explain_field(what)
        for what in ("Tema", "Team.spec.queue", "Team.spec.queues.quota.lab", "", "Team..")
    ] == [None] * 5


def test_a_field_inside_lists_and_mappings():
    shown = explain_field("team.spec.queues.quota.borrow")
    assert shown is not None
    assert shown.splitlines()[0] == "Team.spec.queues.quota.borrow: any, none or a whole number"
    assert "Default: any" in shown
    assert "    borrow: any" in shown


def test_a_choice_lists_its_words():
    shown = explain_field("QueueClass.spec.strategy") or ""
    assert "One of: BestEffortFIFO, StrictFIFO" in shown


def test_an_empty_example_is_not_shown_where_fields_are_required():
    assert "Example" not in (explain_field("Maintenance.spec") or "Example")
    assert "Example\n    spec: {}" in (explain_field("Flavor.spec") or "")


def _models(model: type[Strict], seen: set[type[Strict]]):
    if model in seen:
        return
    seen.add(model)
    for info in fields_of(model).values():
        inner = info.annotation
        while item_type(inner) is not None:
            inner = item_type(inner)
        bare = plain_type(inner)
        if isinstance(bare, type) and issubclass(bare, Strict):
            _models(bare, seen)


@pytest.mark.parametrize("kind", KINDS)
def test_every_field_has_a_meaning_and_an_example(kind):
    seen: set[type[Strict]] = set()
    _models(KINDS[kind], seen)
    assert len(seen) >= 3
    for model in seen:
        assert model.__doc__, model
        for name, info in fields_of(model).items():
            assert info.description, f"{model.__name__}.{name}"
            assert info.description.endswith("."), f"{model.__name__}.{name}"
            assert info.examples, f"{model.__name__}.{name}"
