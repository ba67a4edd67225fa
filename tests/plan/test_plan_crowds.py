"""Many that change alike are told once, with number and extremes; who must agree and what disturbs work is never left out."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st
from planned import of_scenario

from kohort.cli.plan import command
from kohort.diagnostics import Audience, Consequence, Finding, Label, Severity
from kohort.engine.comparing import plan_paths
from kohort.engine.outcome import Settings
from kohort.engine.rendering_plan import render_plan
from kohort.planner.plan import Approval, Disruption, Measure, WorkAffected
from kohort.planner.render.gathering import FEW, Crowd, gathered
from kohort.planner.render.markdown import LIMIT
from kohort.planner.render.view import Sides, blocks


def cohort(name: str, gpus: int) -> str:
    return (
        f"---\napiVersion: kueue.x-k8s.io/v1beta2\nkind: Cohort\nmetadata: {{name: {name}}}\nspec:\n"
        "  parentName: org\n  resourceGroups:\n  - coveredResources: [nvidia.com/gpu]\n"
        f"    flavors: [{{name: h100, resources: [{{name: nvidia.com/gpu, nominalQuota: {gpus}}}]}}]\n"
    )


def queue(name: str, above: str) -> str:
    return (
        f"---\napiVersion: kueue.x-k8s.io/v1beta2\nkind: ClusterQueue\nmetadata: {{name: {name}}}\nspec:\n"
        f"  cohortName: {above}\n  namespaceSelector: {{}}\n  preemption: {{reclaimWithinCohort: Any}}\n"
        "  resourceGroups:\n  - coveredResources: [nvidia.com/gpu]\n"
        "    flavors: [{name: h100, resources: [{name: nvidia.com/gpu, nominalQuota: 8}]}]\n"
    )


def plan_of(folder, before: dict[str, int], after: dict[str, int], *, queues: bool = False):
    for file, amounts in (("old.yaml", before), ("new.yaml", after)):
        text = "".join(cohort(n, g) + (queue(f"q-{n}", n) if queues else "") for n, g in amounts.items())
        (folder / file).write_text(text, "utf-8")
    return plan_paths(str(folder / "old.yaml"), str(folder / "new.yaml"), Settings()).planned


def names(count: int) -> list[str]:
    return [f"c{n:03}" for n in range(count)]


@pytest.fixture(scope="module")
def five_hundred(tmp_path_factory):
    folder = tmp_path_factory.mktemp("many")
    before = {name: 4 + n % 5 for n, name in enumerate(names(500))}
    after = {name: gpus + 1 + n % 3 for n, (name, gpus) in enumerate(before.items())}
    return plan_of(folder, before, after, queues=True)


def test_a_crowd_is_a_line_a_measure_with_its_extremes(tmp_path):
    # by hand: 7 cohorts of 4 below org, which reaches 28; they get 1 to 7 more, together 28 more: 56
    done = plan_of(tmp_path, dict.fromkeys(names(7), 4), {name: 5 + n for n, name in enumerate(names(7))})
    text = render_plan(done, "terminal")
    assert (
        "7 cohorts, h100: c000, c001, c002, c003, c004, c005 and 1 more (`--all` tells each)\n"
        "  guarantee    +1 to +7 GPUs: c000 4 → 5, c006 4 → 11\n"
        "  own pool     +1 to +7 GPUs: c000 4 → 5, c006 4 → 11\n"
        "  may borrow   +21 to +27 GPUs: c006 24 → 45, c000 24 → 51\n"
        "  lends up to  +1 to +7 GPUs: c000 4 → 5, c006 4 → 11\n"
    ) in text
    # without a queue nobody can be preempted: these may be counted
    assert (
        "  ~ 7 objects of kind Cohort: re-queues pending work\n"
        "      pending work is considered again at once\n"
        "      c000, c001, c002, c003, c004, c005 and 1 more (`--all` tells each)\n"
        "      for example c000: h100 nvidia.com/gpu: nominalQuota: 4 → 5 "
    ) in text
    rows = render_plan(done, "markdown")
    assert (
        "| **7 cohorts, h100** | guarantee, GPUs | 4 | 5 to 11 | **+1 to +7** least c000, most c006 |\n"
        in rows
    )
    assert "|  | may borrow, GPUs | 24 | 45 to 51 | **+21 to +27** least c006, most c000 |\n" in rows


def test_all_alike_is_told_as_each(tmp_path):
    done = plan_of(tmp_path, dict.fromkeys(names(9), 4), dict.fromkeys(names(9), 6))
    assert "  guarantee    4 → 6 GPUs each (+2)\n" in render_plan(done, "terminal")
    assert "| **9 cohorts, h100** | guarantee, GPUs | 4 | 6 | **+2 each** |" in render_plan(done, "markdown")


def test_a_few_are_told_one_by_one(tmp_path):
    done = plan_of(tmp_path, dict.fromkeys(names(FEW), 4), dict.fromkeys(names(FEW), 6))
    text = render_plan(done, "terminal")
    assert "--all" not in text
    assert all(f"cohort {name}, h100\n" in text for name in names(FEW))


def test_losers_and_winners_are_no_crowd(tmp_path):
    after = {name: 6 if n % 2 else 2 for n, name in enumerate(names(20))}
    done = plan_of(tmp_path, dict.fromkeys(names(20), 4), after)
    crowds = [
        part
        for part in gathered(done.plan, blocks(done.plan, Sides(done.base, done.head)))
        if isinstance(part, Crowd)
    ]
    assert [len(crowd.blocks) for crowd in crowds] == [10, 10]
    for crowd in crowds:
        signs = {row.effect.delta > 0 for block in crowd.blocks for row in block.rows[:1]}
        assert len(signs) == 1


def test_five_hundred_cohorts_are_a_page_and_every_one_that_disturbs_work_is_named(five_hundred):
    text = render_plan(five_hundred, "terminal")
    assert len(text.splitlines()) < 560  # one line for each of the 500 that may preempt
    told = re.findall(r"^      (c[0-9]{3}): h100 nvidia\.com/gpu: nominalQuota: ", text, re.MULTILINE)
    assert sorted(told) == names(500)
    assert "  ~ 500 objects of kind Cohort: may preempt running work\n" in text


def test_all_tells_each_by_itself(five_hundred, tmp_path):
    text = render_plan(five_hundred, "terminal", every=True)
    assert "--all" not in text
    assert all(f"\ncohort {name}, h100\n" in text for name in names(500))
    assert text.count("  ~ Cohort c") == 500
    (tmp_path / "old.yaml").write_text("".join(cohort(name, 4) for name in names(8)), "utf-8")
    (tmp_path / "new.yaml").write_text("".join(cohort(name, 6) for name in names(8)), "utf-8")
    both = [str(tmp_path / "old.yaml"), str(tmp_path / "new.yaml"), "-q"]
    short = CliRunner().invoke(command, both, standalone_mode=False).output
    long = CliRunner().invoke(command, [*both, "--all"], standalone_mode=False).output
    assert "8 cohorts, h100: " in short
    assert "cohort c000, h100\n" in long
    assert "8 cohorts, h100" not in long


def test_a_comment_keeps_its_limit_and_says_what_is_left_out(five_hundred):
    for every in (False, True):
        text = render_plan(five_hundred, "markdown", every=every)
        assert len(text) <= LIMIT
        assert text.count("<details") == text.count("</details>")
    assert re.search(r"… and [0-9]+ more objects\n", text)


def test_the_page_holds_all_of_a_crowd_folded(five_hundred):
    page = render_plan(five_hundred, "html")
    assert "<summary>All 500 cohorts, h100</summary>" in page
    assert all(f'<th scope="row">{name}</th>' in page for name in names(500))
    assert page.count("<details><summary>~ Cohort c") == 500
    assert len(page.encode()) < 1_500_000


def team_plan(teams: int, asked: list[int], change: int = 2):
    """A plan of many teams whose guarantee grows, of which some need agreement."""
    done = of_scenario("red leaves")
    like = next(
        e
        for e in done.plan.effects
        if e.key.kind == "team" and e.key.measure is Measure.GUARANTEE and e.key.resource == "nvidia.com/gpu"
    )
    effects = tuple(
        replace(
            like,
            key=like.key._replace(name=f"t{n:02}"),
            before=8,
            after=8 + change + n,
            gone=False,
            origin=None,
        )
        for n in range(teams)
    )
    approvals = tuple(
        Approval(f"team t{n:02}", f"its guarantee changes {'x' * 60}", about=(f"t{n:02}",)) for n in asked
    )
    plan = replace(
        done.plan,
        effects=effects,
        approvals=approvals,
        objects=(),
        access=(),
        members=(),
        runbooks=(),
        findings=(),
    )
    return replace(done, plan=plan)


def test_who_is_asked_keeps_a_line_of_its_own():
    text = render_plan(team_plan(40, [3, 17]), "terminal")
    assert (
        "40 teams, h100 on pokprod: t00, t01, t02, t03, t04, t05 and 34 more (`--all` tells each)\n" in text
    )
    assert "  guarantee  +2 to +41 GPUs: t00 8 → 10, t39 8 → 49\n" in text
    assert "  t03, needs agreement: guarantee 8 → 13 GPUs (+5)\n" in text
    assert "  t17, needs agreement: guarantee 8 → 27 GPUs (+19)\n" in text
    assert text.count("needs agreement") == 2
    rows = render_plan(team_plan(40, [3, 17]), "markdown")
    assert "| **team t17, h100 on pokprod** | guarantee, GPUs | 8 | 27 | **+19** |\n" in rows
    page = render_plan(team_plan(40, [3, 17]), "html")
    assert '<th scope="rowgroup" colspan="4">team t17, h100 on pokprod, in GPUs</th>' in page
    assert page.count('<span class="place">needs agreement</span>') == 2


@pytest.mark.parametrize("elsewhere", [("a100", "pokprod"), ("h100", "vela")])
def test_who_is_asked_about_another_flavor_or_cluster_is_not_asked_about_this_one(elsewhere):
    flavor, cluster = elsewhere
    done = team_plan(40, [])
    like = next(each for each in done.plan.effects if each.key.name == "t03")
    there = replace(like, key=like.key._replace(flavor=flavor, cluster=cluster))

    def told(**about: str) -> str:
        asked = (Approval("team t03", "it would lose", about=("t03",), **about),)
        plan = replace(done.plan, effects=(*done.plan.effects, there), approvals=asked)
        return render_plan(replace(done, plan=plan), "terminal")

    assert "needs agreement" not in told(flavor=flavor, cluster=cluster)
    for about in ({"flavor": "h100", "cluster": "pokprod"}, {"flavor": "h100"}, {"cluster": "pokprod"}, {}):
        assert "t03, needs agreement: " in told(**about), about


def test_one_is_singular_where_all_change_by_one(tmp_path):
    before = {name: 4 + n for n, name in enumerate(names(9))}
    done = plan_of(tmp_path, before, {name: gpus + 1 for name, gpus in before.items()})
    text = render_plan(done, "terminal")
    assert "  guarantee    +1 GPU each: c000 4 → 5, c008 12 → 13\n" in text
    assert "  gains  9 cohorts: own pool +1 GPU each, +9 in all (h100)\n" in text


def test_the_most_of_those_who_lose_is_who_loses_the_most(tmp_path):
    # of 12 each loses 1 to 9
    done = plan_of(tmp_path, dict.fromkeys(names(9), 12), {name: 11 - n for n, name in enumerate(names(9))})
    text = render_plan(done, "terminal")
    assert "  own pool     -1 to -9 GPUs: c000 12 → 11, c008 12 → 3\n" in text
    assert "  loses  9 cohorts: own pool -1 to -9 GPUs, -45 in all (h100), most c008\n" in text
    rows = render_plan(done, "markdown")
    assert "|  | own pool, GPUs | 12 | 3 to 11 | **-1 to -9** least c000, most c008 |\n" in rows


def test_a_comment_that_is_cut_says_first_what_and_where_the_rest_is(five_hundred):
    text = render_plan(five_hundred, "markdown", every=True)
    (said,) = re.findall(r"\*\*Too long for a comment\*\*: (.*) are left out below", text)
    counts = {what: int(number) for number, what in re.findall(r"([0-9]+) ([a-z]+)", said)}
    assert set(counts) == {"findings", "holders", "objects"}
    assert text.index("Too long") < text.index("**Findings**") < text.index("**Amounts**")
    # every one is there or counted: 500 cohorts as objects, and the holders that the terminal tells one by one
    assert (
        len(re.findall(r"^- changed \*\*Cohort c[0-9]{3}\*\*", text, re.MULTILINE)) + counts["objects"] == 500
    )
    for number, what in ((counts["holders"], "holders"), (counts["objects"], "objects")):
        assert f"… and {number} more {what}\n" in text
    assert "`kohort plan --all` tells everything" in text
    assert "Too long" not in render_plan(of_scenario("red leaves"), "markdown")


def on_clusters(count: int):
    """Two teams on each of so many clusters gain 2 GPUs: on each of them they are a few."""
    done = team_plan(2, [])
    objects = [one for one in of_scenario("red leaves").plan.objects if one.ref.kind == "ClusterQueue"][:1]
    effects = tuple(
        replace(each, key=each.key._replace(cluster=f"k{n:02}"), after=10)
        for n in range(count)
        for each in done.plan.effects
    )
    changed = tuple(
        replace(one, cluster=f"k{n:02}", ref=one.ref._replace(name=name))
        for n in range(count)
        for name in ("q0", "q1")
        for one in objects
    )
    return replace(done, plan=replace(done.plan, effects=effects, objects=changed))


def test_the_same_on_many_clusters_is_told_once():
    few = render_plan(on_clusters(20), "terminal")
    assert few.count("\nteam t00, h100 on k") == 20
    text = render_plan(on_clusters(30), "terminal")
    assert (
        "\n2 teams, h100 on 30 clusters: t00 on k00, t00 on k01, t00 on k02, t00 on k03, t00 on k04, t00 on k05 and "
        "54 more (`--all` tells each)\n  guarantee  8 → 10 GPUs each (+2)\n" in text
    )
    assert "objects of kind ClusterQueue on 30 clusters: " in text
    assert all(f"      q1 on k{n:02}\n" in text for n in range(30))
    page = render_plan(on_clusters(30), "html")
    assert '<th scope="row">t01 on k29</th>' in page
    assert render_plan(on_clusters(30), "terminal", every=True).count("\nteam t0") == 60


def test_running_work_is_all_named_and_pending_work_counted():
    done = of_scenario("red leaves")
    work = tuple(
        WorkAffected("pokprod", "red", f"w{n}", "red", n < 30, Disruption.MAY_PREEMPT, "others take it back")
        for n in range(60)
    )
    crowded = replace(done, plan=replace(done.plan, work=work))
    text = render_plan(crowded, "terminal")
    (running,) = re.findall(r"^  30 running in queue red on pokprod: (.*)$", text, re.MULTILINE)
    assert running == "may preempt running work; others take it back: " + ", ".join(
        f"red/w{n}" for n in range(30)
    )
    assert (
        "  30 pending in queue red on pokprod: may preempt running work; others take it back: red/w30, "
        in text
    )
    assert "red/w35 and 24 more\n" in text
    assert render_plan(crowded, "terminal", every=True).count("  running red/w") == 30
    assert all(f"red/w{n}" in render_plan(crowded, "html") for n in range(60))
    comment = render_plan(crowded, "markdown")
    assert ", ".join(f"red/w{n}" for n in range(30)) in comment, (
        "a long line is not cut where it names running work"
    )


def test_errors_are_all_told_and_warnings_of_one_code_counted(five_hundred):
    place = Label(five_hundred.plan.objects[0].after.at())
    warning = Finding(
        "XXX111", "odd", Severity.WARNING, Consequence.UNSAFE, Audience.ADMIN, "it is odd", place
    )
    many = tuple(replace(warning, message=f"number {n} is odd") for n in range(20))
    errors = tuple(replace(one, severity=Severity.ERROR, code="XXX999") for one in many)
    crowded = replace(five_hundred, plan=replace(five_hundred.plan, new=(*many, *errors)))
    for name in ("terminal", "markdown"):
        text = render_plan(crowded, name)
        assert text.count("is odd") == 3 + 20
        assert re.search(rf"… and 17 more of {warning.code}", text)
        assert render_plan(crowded, name, every=True).count("is odd") == 40
    assert render_plan(crowded, "html").count("is odd") == 40


@settings(max_examples=30, deadline=None)
@given(st.lists(st.sampled_from(list(Disruption)), min_size=1, max_size=60))
def test_nothing_that_may_disturb_work_is_left_out(classes):
    done = of_scenario("red leaves")
    like = next(one for one in done.plan.objects if one.ref.kind == "ClusterQueue")
    objects = tuple(
        replace(like, ref=like.ref._replace(name=f"q{n}x"), disruption=each) for n, each in enumerate(classes)
    )
    crowded = replace(done, plan=replace(done.plan, objects=objects))
    text = render_plan(crowded, "terminal")
    page = render_plan(crowded, "html")
    for n, each in enumerate(classes):
        if each.rank >= Disruption.MAY_PREEMPT.rank:
            assert re.search(rf"\bq{n}x\b", text)
        assert f"q{n}x" in page
