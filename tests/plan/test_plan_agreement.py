"""Who must agree, as people read it: everybody is named, many reasons of one rule are one line, few keep their order."""

from __future__ import annotations

from dataclasses import replace

import pytest
from test_plan_crowds import names as many_names
from test_plan_crowds import plan_of

from kohort.engine.rendering_plan import render_plan
from kohort.planner.plan import Approval
from kohort.planner.render.markdown import LIMIT


@pytest.fixture(scope="module")
def five_hundred(tmp_path_factory):
    """A plan with as much else to tell."""
    before = dict.fromkeys(many_names(500), 4)
    return plan_of(tmp_path_factory.mktemp("many"), before, dict.fromkeys(before, 5))


def test_a_few_reasons_keep_their_order_whatever_their_rule(five_hundred):
    # as the plan has them: admins, then teams by name; the rules are mixed
    asked = (
        Approval("admins", "slack falls", "slack-falls"),
        Approval("admins", "team a would be guaranteed more", "guarantee-grows"),
        Approval("team a", "its share falls", "share-falls"),
        Approval("team b or admins", "another comes closer", "comes-closer"),
        Approval("team b", "its guarantee falls", "team-loses"),
        Approval("team c", "its share falls", "share-falls"),
    )
    crowded = replace(five_hundred, plan=replace(five_hundred.plan, approvals=asked))
    for every in (False, True):
        text = render_plan(crowded, "terminal", every=every)
        told = text[text.index("\nwho must agree\n") :].splitlines()[2:8]
        assert told == [f"  {one.who}: {one.why}" for one in asked]


def test_either_a_team_or_admins_is_said_of_many_too(five_hundred):
    asked = tuple(Approval(f"team t{n} or admins", "another comes closer", "comes-closer") for n in range(8))
    crowded = replace(five_hundred, plan=replace(five_hundred.plan, approvals=asked))
    names = ", ".join(f"t{n}" for n in range(8))
    text = render_plan(crowded, "terminal")
    assert (
        f"  8 teams or admins ({names}): 8 reasons alike, such as: team t0 or admins: another comes closer (`--all`"
        in text
    )


def test_many_that_need_nobody_are_told_once(five_hundred):
    free = tuple(f"team t{n} asks for 1 GPU less" for n in range(9))
    plan = replace(five_hundred.plan, approvals=(), self_service=free)
    text = render_plan(replace(five_hundred, plan=plan), "terminal")
    assert (
        "  no approval needed: 9 parts of the change, such as: team t0 asks for 1 GPU less (`--all`" in text
    )
    assert text.count("asks for 1 GPU less") == 1


def test_everybody_who_must_agree_is_named_and_many_reasons_are_told_once(five_hundred):
    why = f"its guarantee falls {'x' * 40}"
    asked = [Approval(f"team t{n}", why, "team-loses") for n in range(500)]
    asked += [Approval("admins", f"slack {n} falls", "slack-falls") for n in range(3)]
    crowded = replace(five_hundred, plan=replace(five_hundred.plan, approvals=tuple(asked)))
    short = render_plan(crowded, "terminal")
    everybody = ", ".join(f"t{n}" for n in range(500))
    line = f"  500 teams ({everybody}): 500 reasons alike, such as: team t0: {why} (`--all` tells each)\n"
    assert line in short
    assert "  must agree  admins and 500 teams\n" in short
    assert short.count("its guarantee falls") == 1
    assert all(f"  admins: slack {n} falls\n" in short for n in range(3))
    long = render_plan(crowded, "terminal", every=True)
    assert all(f"  team t{n}: {why}\n" in long for n in range(500))
    text = render_plan(crowded, "markdown")
    assert len(text) <= LIMIT
    assert f"- 500 teams ({everybody}): 500 reasons alike" in text
    assert "<details><summary>Why, one by one: 500 reasons</summary>" in text
    page = render_plan(crowded, "html")
    assert all(f"<li>team t{n}: {why}</li>" in page for n in range(500))
