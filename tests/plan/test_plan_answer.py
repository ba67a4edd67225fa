"""The first lines of a plan are its answer: who gains, who loses, what capacity changes, what runs, who must agree."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from planned import of_scenario
from test_plan_crowds import team_plan

from kohort.diagnostics import Finding
from kohort.engine.rendering_plan import render_plan
from kohort.planner.plan import Approval, Disruption, OverQuota, WorkAffected
from kohort.planner.render.answer import answer
from kohort.planner.render.crowds import over_lines
from kohort.planner.render.view import Sides, blocks
from kohort.semantics import UNLIMITED


def told(done) -> list[str]:
    lines = answer(done.plan, blocks(done.plan, Sides(done.base, done.head)))
    return [f"{line.word}: {line.text}" for line in lines]


# The numbers are those that plan_world works out: red has 6 of 18, blue may borrow the rest of the tree.
EXPECTED = {
    "blue takes four from red": [
        "gains: team blue: guarantee +4 GPUs (h100 on pokprod)",
        "loses: team red: guarantee -4 GPUs (h100 on pokprod)",
    ],
    "red leaves": [
        "loses: team red: guarantee -6 GPUs (h100 on pokprod)",
        "loses: team blue: may borrow -6 GPUs (h100 on pokprod)",
        "gains: team blue: share when all want all +2 GPUs (h100 on pokprod)",
    ],
    "a larger pool": [
        "gains: cohort research: own pool +2 GPUs (a100 on pokprod)",
        "gains: team blue: may borrow +2 GPUs (a100 on pokprod)",
        "gains: team blue: share when all want all +2 GPUs (a100 on pokprod)",
    ],
    "another administrator of one cluster": [
        "access: Group pokprod-ops may newly administer",
        "access: Group pokprod-admins may no longer administer",
    ],
    "a comment": [],
}


@pytest.mark.parametrize("name", EXPECTED)
def test_who_gains_and_who_loses_by_hand(name):
    assert told(of_scenario(name)) == EXPECTED[name]


def test_hardware_that_goes_is_told():
    # one of four nodes of 8
    assert "capacity: healthy hardware 32 → 24 GPUs (h100 on pokprod)" in told(
        of_scenario("a node in maintenance")
    )


def test_each_format_begins_with_it():
    done = of_scenario("blue takes four from red")
    lines = EXPECTED["blue takes four from red"]
    text = render_plan(done, "terminal").splitlines()
    assert [line.split(maxsplit=1)[1] for line in text[1:3]] == [line.split(": ", 1)[1] for line in lines]
    comment = render_plan(done, "markdown")
    gains = "- **gains** team blue: guarantee &#43;4 GPUs (h100 on pokprod)\n"
    assert comment.index(gains) < comment.index("**Amounts**")
    page = render_plan(done, "html")
    box = page.index("<dl><dt>gains</dt><dd><b>team blue: guarantee +4 GPUs".replace("<dl>", "<dl>\n"))
    assert page.index("<h1>") < box < page.index("<h2>Cohort tree</h2>")
    picture = render_plan(done, "svg")
    assert (
        '<text class="" x="0" y="42">gains: team blue: guarantee +4 GPUs (h100 on pokprod)</text>' in picture
    )


def test_many_are_counted_with_the_sum_and_the_most():
    # 40 teams of 8 get 2, 3, … 41 more: together 860
    (line, agree) = told(team_plan(40, [3, 17, 20, 21]))
    assert line == "gains: 40 teams: guarantee +2 to +41 GPUs, +860 in all (h100 on pokprod), most t39"
    assert agree == "must agree: 4 teams"
    admins = Approval("admins", "because")
    done = team_plan(2, [])
    asked = replace(done.plan, approvals=(admins, Approval("team red", "because")))
    assert told(replace(done, plan=asked))[-1] == "must agree: admins, team red"
    given = replace(done.plan, approvals=(replace(admins, given=True),))
    assert told(replace(done, plan=given))[-1] == "must agree: nobody else: the author may"
    assert told(done)[-1] == "must agree: nobody: this is self-service"


def test_what_has_no_bound_is_said_so():
    done = team_plan(4, [])
    endless = tuple(replace(each, after=UNLIMITED) for each in done.plan.effects)
    (line, _) = told(replace(done, plan=replace(done.plan, effects=endless)))
    assert line == "gains: 4 teams: guarantee up to unlimited (h100 on pokprod)"
    one = replace(done.plan, effects=endless[:1])
    assert (
        told(replace(done, plan=one))[0] == "gains: team t00: guarantee 8 → unlimited GPUs (h100 on pokprod)"
    )


def test_what_runs_is_told_where_a_snapshot_says_it():
    done = of_scenario("red leaves")
    work = tuple(
        WorkAffected("pokprod", "red", f"w{n}", "red", n < 5, Disruption.MAY_PREEMPT, "why") for n in range(7)
    )
    plan = replace(done.plan, snapshot=True, work=work)
    assert told(replace(done, plan=plan))[-1] == (
        "work: 5 running (red/w0, red/w1, red/w2 and 2 more) and 2 pending are concerned"
    )
    none = replace(done.plan, snapshot=True, work=())
    assert told(replace(done, plan=none))[-1] == "work: none of what runs or waits is concerned"


def test_errors_stand_in_the_first_line_of_every_format():
    done = of_scenario("red cannot be read any more")
    first = "cannot be read whole, 1 error; as read: cannot be applied in one step, 8 objects on pokprod"
    assert render_plan(done, "terminal").splitlines()[0].startswith(f"plan from base to head: {first}")
    assert render_plan(done, "markdown").startswith(f"### Kohort plan: {first}")
    assert f"<h1>Kohort plan: {first}" in render_plan(done, "html")
    assert json.loads(render_plan(done, "json"))["verdict"].startswith(first)
    assert "must agree: not judged while a side cannot be read whole" in told(done)
    assert "What cannot be read counts as if it were not there." in render_plan(done, "html")
    wrong = of_scenario("blue takes four from red")
    found = (*wrong.plan.findings, *_errors(done))
    both = replace(wrong, plan=replace(wrong.plan, findings=found))
    assert render_plan(both, "terminal").splitlines()[0].endswith(f", {len(_errors(done))} error")


def _errors(done) -> list[Finding]:
    return list(done.plan.head_errors)


def test_a_queue_above_its_guarantee_is_one_line_with_the_gpus_first():
    done = of_scenario("red leaves")
    rows = (("cpu", 432_000, 216_000), ("nvidia.com/gpu", 16, 8), ("pods", 9, 200))
    some = tuple(
        OverQuota("pokprod", "red", "h100", resource, used, before, 0, 0, ("red/a", "red/b"))
        for resource, used, before in rows
    )
    plan = replace(done.plan, over_quota=some)
    (line,) = over_lines(plan)
    assert line == (
        "queue red on pokprod uses 16 GPUs of h100, above its guarantee of 0 (before 8), 432 cpu above 0, 9 pods above 0: "
        "red/a, red/b"
    )
