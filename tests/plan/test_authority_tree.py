"""What gives one team access to the capacity of another asks those whose capacity it is, whichever file says it."""

from __future__ import annotations

import textwrap
from itertools import pairwise

import pytest
from authority_tree_cases import ASKED, BLUE, CLASSES, COHORTS, EDITS, GOLD, GREEN, RED
from plan_world import FILES
from test_authority import edited, plan, with_authority

ALL = "platform-admins, pokprod-admins"
MOVE = EDITS["a queue moves to another cohort"]


def lines(done):
    """As the cases write it."""
    return [
        f"{each.who} ({', '.join(p.removeprefix('Group ') for p in each.people)}): {each.why}".replace(
            ALL, "all admins"
        )
        for each in done.approvals
    ]


@pytest.mark.parametrize("name", EDITS)
def test_who_is_asked(name):
    assert lines(plan(edited(*EDITS[name]))) == textwrap.dedent(ASKED[name]).strip().splitlines()


@pytest.mark.parametrize("name", EDITS)
def test_nobody_of_it_is_self_service(name):
    rules = "{selfService: {shrinking: true, withoutAccelerators: true, upTo: {h100: 99}, percent: 100}}"
    base = with_authority(rules)
    done = plan(edited(*EDITS[name], files=base), base)
    assert lines(done) == textwrap.dedent(ASKED[name]).strip().splitlines()
    assert done.self_service == ()


@pytest.mark.parametrize(
    "edit",
    [
        pytest.param((BLUE, "    cohort: research\n", ""), id="it leaves its cohort"),
        pytest.param((BLUE, "gpus: 8}", "gpus: 8, borrow: 3}"), id="it borrows less"),
        pytest.param(
            (BLUE, "class: batch", "class: batch\n    weight: 1"), id="it states the default weight"
        ),
        pytest.param((BLUE, "class: batch", "class: batch\n    weight: 0.5"), id="it weighs less"),
        pytest.param((BLUE, "gpus: 8}", "gpus: 8, lend: none}"), id="it lends nothing"),
    ],
)
def test_what_takes_nothing_from_others_asks_no_other_team(edit):
    assert {each.who for each in plan(edited(edit)).approvals} <= {"team blue", "team blue or admins"}


def test_who_joins_and_borrows_nothing_takes_no_idle_capacity():
    after = edited(
        (GOLD, "class: production", "class: calm\n  cohort: products"),
        (GOLD, "gpus: 4", "gpus: 4, borrow: none"),
    )
    assert [why for why in lines(plan(after)) if "could use" in why or "would share" in why] == []


def test_a_queue_that_lends_nothing_loses_nothing_by_taking_nothing_back():
    before = edited(
        (BLUE, "h100, gpus: 8", "h100, gpus: 8, lend: none"),
        (BLUE, "a100, gpus: 2", "a100, gpus: 2, lend: none"),
    )
    assert lines(plan(edited((BLUE, "class: batch", "class: calm"), files=before), before)) == []


def test_a_share_that_falls_with_its_own_guarantee_is_nobody_elses_doing():
    """Blue's 9.5 fall by the 2 that it gives up; that red's limit is another one takes nothing from it."""
    after = edited((BLUE, "h100, gpus: 8", "h100, gpus: 6"), (RED, "gpus: 6", "gpus: 6, borrow: 20"))
    assert [why for why in lines(plan(after)) if "its share" in why] == []


def test_who_moves_and_borrows_nothing_shares_in_nothing():
    after = edited(*MOVE, (GREEN, "borrow: 4", "borrow: none"))
    assert [why for why in lines(plan(after)) if "would share" in why] == []


def test_a_cohort_that_is_only_renamed_asks_no_team():
    after = edited(
        (COHORTS, "name: research", "name: science"),
        *((file, "cohort: research", "cohort: science") for file in (BLUE, RED)),
    )
    assert lines(plan(after)) == [
        "admins (platform-admins): it changes flavors, cohorts, classes, sizes or priorities (queues/cohorts.yaml)"
    ]


def test_the_team_that_moves_cannot_agree_for_the_others():
    before = edited((GREEN, "access: {members", "access: {admins: {groups: [green-leads]}, members"))
    done = plan(edited(*MOVE, files=before), before, actor="greta", groups=["green-leads"])
    assert {each.who: each.given for each in done.approvals} == {
        "admins": False,
        "team blue or admins": False,
    }


@pytest.mark.parametrize(
    ("group", "given"), [("blue-leads", [False, False, True, True]), ("platform-admins", [True] * 4)]
)
def test_a_team_or_an_admin_agrees(group, given):
    done = plan(edited(*MOVE), actor="somebody", groups=[group, "green-devs"])
    own = [each for each in done.approvals if "own files" not in each.why]
    assert [each.given for each in own] == given


def test_a_claim_on_the_cohort_is_a_bound_and_no_agreement_of_its_teams():
    base = edited(
        (
            "kohort.yaml",
            "  access:\n",
            "  claims: [{teams: green, namespaces: ['*'], cohorts: ['*']}]\n  access:\n",
        )
    )
    assert lines(plan(edited(*MOVE, files=base), base)) == lines(plan(edited(*MOVE)))


def test_a_team_under_a_new_name_takes_nothing_from_itself():
    after = {name: text for name, text in FILES.items() if name != RED}
    text = (
        FILES[RED]
        .replace("name: red", "name: crimson")
        .replace("  namespaces", "  previously: red\n  namespaces")
    )
    after["teams/crimson/team.yaml"] = text
    assert not [why for why in lines(plan(after)) if "share" in why or "could use" in why]
    after["teams/crimson/team.yaml"] = text.replace("class: batch", "class: batch\n  weight: 5")
    assert [why for why in lines(plan(after)) if "share" in why] == [
        (
            "team blue or admins (blue-leads, all admins): its share under contention falls from 9.5 to 8.5 GPUs "
            "(h100 on pokprod)"
        )
    ]


def test_a_share_that_falls_by_a_trifle_is_told_with_digits_that_differ():
    (one,) = lines(plan(edited((RED, "class: batch", "class: batch\n  weight: 1.00001"))))
    assert "from 9.5 to 9.49999 GPUs" in one or "from 9.5 to 9.499996 GPUs" in one


def test_many_small_steps_ask_each_time():
    """Each keeps whole GPUs as they were; together they would take one."""
    weights = ("", "\n  weight: 1.1", "\n  weight: 1.2", "\n  weight: 1.3")
    steps = [edited((RED, "class: batch", f"class: batch{weight}")) for weight in weights]
    for before, after in pairwise(steps):
        assert [each.who for each in plan(after, before).approvals] == ["team blue or admins"]


def test_a_priority_threshold_that_rises_says_from_where_to_where():
    rise = "preemption: {borrowWithinCohort: {policy: LowerPriority, maxPriorityThreshold: %s}}"
    calm = "name: calm\nspec:\n  strategy: BestEffortFIFO"
    base = edited((CLASSES, calm, f"{calm}\n  {rise % 10}"))
    done = plan(edited((CLASSES, rise % 10, rise % 50), files=base), base)
    assert [each.why for each in done.approvals if each.who == "team blue or admins"] == [
        (
            "queue green on pokprod may preempt more of its work beyond its guarantee: "
            "borrowWithinCohort up to priority 10 to 50"
        )
    ]
    high = edited((CLASSES, rise % 10, rise % 50), files=base)
    assert [each.rule for each in plan(base, high).approvals] == ["owned-files"]


def test_who_comes_beside_a_queue_that_preempts_in_order_to_borrow_agrees():
    calm = "name: calm\nspec:\n  strategy: BestEffortFIFO"
    base = edited((CLASSES, calm, f"{calm}\n  preemption: {{borrowWithinCohort: {{policy: LowerPriority}}}}"))
    after = edited((GOLD, "class: production", "class: batch\n  cohort: products"), files=base)
    assert [each.why for each in plan(after, base).approvals if "preempt" in each.why] == [
        (
            "team gold, which names no admins: queue green on pokprod may preempt more of its work beyond its guarantee: "
            "borrowWithinCohort LowerPriority"
        )
    ]


@pytest.mark.parametrize("how", ["", "# kohort: allow wrong-place because it is ours\n"])
@pytest.mark.parametrize("kind", ["Cohort", "Priority", "QueueClass", "Exception"])
def test_a_team_file_that_declares_what_is_the_admins_is_neither_agreed_to_nor_self_service(kind, how):
    specs = {
        "Cohort": "{parent: org}",
        "Priority": "{value: 9, description: more}",
        "QueueClass": "{strategy: StrictFIFO}",
        "Exception": "{codes: [AUT103], owner: b, reason: r, expires: 2027-01-01}",
    }
    text = f"apiVersion: kohort.dev/v1alpha1\n{how}kind: {kind}\nmetadata: {{name: research}}\nspec: {specs[kind]}\n"
    done = plan({**FILES, "teams/blue/more.yaml": text})
    assert done.approvals is None
    assert "SRC109" in [f.code for f in done.head_errors]


@pytest.mark.parametrize(
    ("rule", "why"),
    [
        ("comes_closer", "1 queues come to another place at once (h100 on pokprod)"),
        ("lent_to_others", "1 queues change their place or limits at once (h100 on pokprod)"),
    ],
)
def test_where_too_many_move_to_be_told_apart_the_admins_are_asked(rule, why, monkeypatch):
    monkeypatch.setattr(f"kohort.planner.authority.rules.{rule}.MOST_PAIRS", 0)
    done = plan(edited(*MOVE))
    (asked,) = [each for each in done.approvals if each.why == why]
    assert (asked.who, asked.rule) == ("admins", rule.replace("_", "-"))
