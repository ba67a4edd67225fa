"""Each approval names as data the teams whose amounts somebody agrees to, by their names after the change."""

from __future__ import annotations

import re
from dataclasses import replace

from authority_tree_cases import BLUE, EDITS
from plan_world import FILES
from test_authority import LESS_RED, MORE_BLUE, RED, edited, plan
from test_plan_crowds import team_plan

from kohort.engine.rendering_plan import render_plan
from kohort.planner.plan import Approval


def about(after, before=FILES):
    return {(one.rule, one.who): one.about for one in plan(after, before).approvals}


def test_a_guarantee_is_about_the_team_that_it_is_of_whoever_agrees():
    """Red names no admins, so that the organisation's speak for it."""
    done = plan(edited(MORE_BLUE, LESS_RED)).approvals
    assert [(one.rule, one.who, one.about) for one in done] == [
        ("guarantee-grows", "admins", ("blue",)),
        ("team-loses", "admins", ("red",)),
    ]


def test_what_a_team_states_itself_and_new_ground():
    typed = edited((RED, "gpus: 6", "gpus: 6, resources: {memory: 900Gi}"), (RED, "[red]", "[red, x]"))
    assert about(typed) == {("typed-amounts", "admins"): ("red",), ("new-ground", "admins"): ("red",)}


def test_who_comes_to_use_what_is_lent_is_among_them():
    found = about(edited(*EDITS["a queue moves to another cohort"]))
    asked = {rule: teams for (rule, _), teams in found.items() if rule in ("comes-closer", "lent-to-others")}
    assert asked
    assert all(len(teams) > 1 or who == "admins" for (rule, who), teams in found.items() if rule in asked)


def test_a_team_under_a_new_name_is_known_by_it():
    after = {name: text for name, text in FILES.items() if name != BLUE}
    after["teams/azure/team.yaml"] = (
        FILES[BLUE]
        .replace("name: blue", "name: azure")
        .replace("  namespaces", "  previously: blue\n  namespaces")
        .replace("gpus: 8}", "gpus: 6}")
    )
    assert about(after) == {("team-loses", "team blue"): ("azure",)}


def test_what_a_sentence_says_of_flavor_and_cluster_is_data_too():
    told = set()
    for edits in EDITS.values():
        for one in plan(edited(*edits)).approvals:
            for flavor, cluster in re.findall(r"\b(h100|a100|cpu) on ([a-z]+)\b", one.why):
                told.add(one.rule)
                assert (one.flavor, one.cluster) == (flavor, cluster), one
    assert told >= {"comes-closer", "lent-to-others", "share-falls", "team-loses"}
    both = plan(edited(MORE_BLUE, LESS_RED)).approvals
    assert [(one.flavor, one.cluster) for one in both] == [("h100", "pokprod")] * 2


def test_what_is_about_no_team_names_none():
    after = edited(("clusters/pokprod/cluster.yaml", "amount: 4", "amount: 2"))
    assert {teams for (rule, _), teams in about(after).items() if rule in ("slack-falls", "owned-files")} == {
        ()
    }


def test_a_sentence_that_only_mentions_a_team_asks_for_none():
    done = team_plan(40, [3])
    spoken = Approval("admins", "it accepts AUT103 until 2027-01-01: team t17 and team t18 agreed")
    done = replace(done, plan=replace(done.plan, approvals=(*done.plan.approvals, spoken)))
    text = render_plan(done, "terminal")
    assert text.count("needs agreement") == 1
    assert "  t03, needs agreement: guarantee 8 → 13 GPUs (+5)\n" in text
