"""Cohort trees of a plan: who stands where with how much, what is folded with its count, and how large a page gets."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plan_world import FILES, changed
from planned import of_scenario, planned

from kohort.engine.comparing import plan_paths
from kohort.engine.outcome import Settings
from kohort.engine.rendering_plan import render_plan
from kohort.planner.render.tree_bars import bars, scale_of
from kohort.planner.render.tree_words import sentence, summary
from kohort.planner.trees import grow
from kohort.planner.trees.fold import MOST, WHOLE
from kohort.planner.trees.grow import trees
from kohort.planner.trees.tree import Branch, Fold, Stand
from kohort.semantics import UNLIMITED

PAGE = 3_000_000  # bytes: what docs/plan.md says of a page


def grown(done):
    return {(tree.cluster, tree.flavor): tree for tree in trees(done.plan, *done.clusters)}


def lines(tree) -> list[str]:
    return ["  " * row.depth + sentence(row, tree.resource) for row in tree.rows]


def test_a_small_tree_is_whole_with_sums_and_reach():
    tree = grown(of_scenario("red leaves"))["pokprod", "h100"]
    # by hand: 8 + 6 + 4 less red's 6, slack not counted; at the root 20 count with it (green keeps 2), so blue may
    # borrow 12, then 6
    reach = "may borrow otherwise"
    assert lines(tree) == [
        "cohort org, sum changes: guarantee 18 → 12 (-6), may borrow 0, lends up to 0",
        "  cohort products, in org, may borrow otherwise: guarantee 4, may borrow 18 → 12 (-6), lends up to 2",
        "    queue green, in products: guarantee 4, may borrow 4, lends up to 2",
        "  cohort research, in org, sum changes: guarantee 14 → 8 (-6), may borrow 6, lends up to 14 → 8 (-6)",
        f"    queue blue-train of team blue, in research, {reach}: guarantee 8, may borrow 12 → 6 (-6), lends up to 8",
        "    queue red, in research, removed: guarantee 6 → –, may borrow 14 → –, lends up to 6 → –",
        "  slack slack-org-h100, in org, may borrow otherwise: slack 4, may borrow 16 → 10 (-6), lends up to 4",
        "queue gold: guarantee 4, may borrow 0, lends up to 0",
    ]
    assert summary(tree) == "1 of 8 queues and cohorts changes, and with it the sums of 2 cohorts."


def test_each_mark_is_told():
    done = planned(
        changed(
            {
                "teams/blue/team.yaml": [("flavor: h100, gpus: 8", "flavor: h100, gpus: 10")],
                "teams/green/team.yaml": [("cohort: products\n    quota:", "cohort: research\n    quota:")],
            }
        )
    )
    marks = {row.name: row.mark for row in grown(done)["pokprod", "h100"].rows}
    assert marks["blue-train"] == "changed"
    assert marks["green"] == "moved"
    assert marks["research"] == marks["org"] == "sum"
    (green,) = [r for r in grown(done)["pokprod", "h100"].rows if r.name == "green"]
    assert (green.above, green.came_from) == ("research", "products")
    assert "green, in research, moved from products" in sentence(green, "nvidia.com/gpu")


def test_amounts_are_those_of_the_effects():
    done = of_scenario("red leaves")
    effects = {
        (e.key.cluster, e.key.name, e.key.measure.value): (e.before, e.after)
        for e in done.plan.effects
        if e.key.kind == "queue" and e.key.resource == "nvidia.com/gpu" and e.key.flavor == "h100"
    }
    tree = grown(done)["pokprod", "h100"]
    for row in tree.rows:
        if isinstance(row, Branch) and row.kind == "queue":
            for measure, part in (("guarantee", 0), ("borrow", 1), ("lend", 2)):
                ends = tuple(None if side is None else side[part] for side in (row.before, row.after))
                expected = effects.get(("pokprod", row.name, measure))
                assert (ends[0] or 0, ends[1] or 0) == (
                    (expected[0] or 0, expected[1] or 0) if expected else (ends[0] or 0, ends[0] or 0)
                )


def test_a_setting_alone_shows_where_it_is():
    tree = grown(of_scenario("research weighs as much as products"))["pokprod", "a100"]
    assert [row.name for row in tree.rows if row.mark] == ["research"]
    assert summary(tree).startswith("1 of ")


def test_a_change_without_queues_draws_no_tree():
    assert grown(of_scenario("a comment")) == {}
    assert "Cohort tree" not in render_plan(of_scenario("a comment"), "html")


def test_nothing_changes_between_the_same_two():
    assert grown(planned(FILES)) == {}


def queue(name: str, gpus: int, cohort: str) -> str:
    return (
        "---\napiVersion: kueue.x-k8s.io/v1beta2\nkind: ClusterQueue\n"
        f"metadata: {{name: {name}}}\nspec:\n  cohortName: {cohort}\n  namespaceSelector: {{}}\n  resourceGroups:\n"
        "  - coveredResources: [nvidia.com/gpu]\n"
        f"    flavors: [{{name: h100, resources: [{{name: nvidia.com/gpu, nominalQuota: {gpus}}}]}}]\n"
    )


def cohort(name: str, parent: str) -> str:
    return (
        "---\napiVersion: kueue.x-k8s.io/v1beta2\nkind: Cohort\n"
        f"metadata: {{name: {name}}}\nspec: {{parentName: {parent}}}\n"
    )


def organisation(gpus) -> str:
    """1,000 queues in 100 groups of 10 departments."""
    text = "".join(cohort(f"dept-{a}", "org") for a in range(10))
    for group in range(100):
        text += cohort(f"group-{group:02}", f"dept-{group // 10}")
        text += "".join(
            queue(f"team-{n:03}", gpus(n), f"group-{group:02}") for n in range(group * 10, group * 10 + 10)
        )
    return text


def plan_of(tmp_path: Path, before: str, after: str):
    for name, text in (("old.yaml", before), ("new.yaml", after)):
        (tmp_path / name).write_text(text, "utf-8")
    return plan_paths(str(tmp_path / "old.yaml"), str(tmp_path / "new.yaml"), Settings()).planned


def test_what_runs_in_a_circle_is_left_out_and_not_removed(tmp_path):
    rest = cohort("a", "b") + queue("q", 8, "a")
    done = plan_of(tmp_path, rest + cohort("b", "org"), rest + cohort("b", "a"))
    marks = {row.name: row.mark for row in grown(done)["", "h100"].rows}
    assert marks == {"org": "removed", "b": "loop", "a": "loop", "q": "loop"}
    assert "queue q, in a, left out: its cohorts run in a circle: guarantee 8 → –" in "\n".join(
        line.strip() for line in lines(grown(done)["", "h100"])
    )


def test_a_cluster_that_changes_elsewhere_says_that_its_tree_does_not():
    page = render_plan(of_scenario("another administrator of one cluster"), "html")
    assert "<p>No queue or cohort changes on pokprod.</p>" in page
    assert '<ul class="rows"' not in page


def test_of_a_thousand_queues_only_what_changes_is_drawn(tmp_path):
    done = plan_of(tmp_path, organisation(lambda n: 8), organisation(lambda n: {500: 16}.get(n, 8)))
    tree = grown(done)["", "h100"]
    gpus = "guaranteed {} GPUs together"
    assert lines(tree)[1:] == [
        "  cohort dept-5, in org, sum changes: guarantee 800 → 808 (+8), may borrow 7200, lends up to 800 → 808 (+8)",
        "    cohort group-50, in dept-5, sum changes: guarantee 80 → 88 (+8), may borrow 7920, lends up to 80 → 88 (+8)",
        "      queue team-500, in group-50, changed: guarantee 8 → 16 (+8), may borrow 7992, lends up to 8 → 16 (+8)",
        f"      9 queues are unchanged but for what they may borrow (+8 each), {gpus.format(72)}",
        f"    90 queues and 9 cohorts are unchanged but for what they may borrow (+8 each), {gpus.format(720)}",
        f"  900 queues and 99 cohorts are unchanged but for what they may borrow (+8 each), {gpus.format(7200)}",
    ]
    assert summary(tree) == "1 of 1111 queues and cohorts changes, and with it the sums of 3 cohorts."
    page = render_plan(done, "html")
    assert len(page.encode()) < 200_000
    assert "900 queues and 99 cohorts are unchanged but" in page


@pytest.mark.slow
def test_where_all_of_a_thousand_change_the_page_stays_readable(tmp_path):
    done = plan_of(tmp_path, organisation(lambda n: 8), organisation(lambda n: 9 + n % 7))
    tree = grown(done)["", "h100"]
    assert MOST <= len(tree.rows) <= MOST + 4
    counted = sum(r.queues + r.cohorts if isinstance(r, Fold) else 1 for r in tree.rows)
    assert counted == tree.nodes == 1111
    changed_ = sum(r.changed if isinstance(r, Fold) else r.mark == "changed" for r in tree.rows)
    assert changed_ == tree.changed == 1000
    assert len(render_plan(done, "html").encode()) < PAGE
    assert len(render_plan(done, "svg").encode()) < PAGE


def test_a_chain_of_a_thousand_cohorts_is_drawn_without_recursion(tmp_path):
    chain = "".join(cohort(f"c{n}", f"c{n - 1}") for n in range(1, 1000))
    done = plan_of(tmp_path, chain + queue("q", 8, "c999"), chain + queue("q", 9, "c999"))
    (tree,) = grown(done).values()
    assert tree.nodes == 1001
    assert sum(r.queues + r.cohorts if isinstance(r, Fold) else 1 for r in tree.rows) == 1001
    ET.fromstring(render_plan(done, "svg"))


@settings(max_examples=25, deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 3), st.integers(0, 9)), min_size=WHOLE + 1, max_size=60),
    st.data(),
)
def test_every_node_is_drawn_or_counted_once(tmp_path_factory, places, data):
    folder = tmp_path_factory.mktemp("trees")
    before = "".join(queue(f"q{n}", gpus, f"c{c}") for n, (c, gpus) in enumerate(places))
    after = "".join(
        queue(f"q{n}", data.draw(st.sampled_from([gpus, gpus, gpus, gpus + 1])), f"c{c}")
        for n, (c, gpus) in enumerate(places)
    )
    done = plan_of(folder, before, after)
    for tree in grown(done).values():
        counted = sum(r.queues + r.cohorts if isinstance(r, Fold) else 1 for r in tree.rows)
        assert counted == tree.nodes
        own = sum(r.changed if isinstance(r, Fold) else r.mark == "changed" for r in tree.rows)
        assert own == tree.changed > 0


def test_bars_hold_what_they_say_and_say_where_they_are_cut():
    row = Branch("queue", "q", "", 0, Stand(8, 16, 4), Stand(16, 8, 16), "changed")
    assert scale_of([row]) == 24
    was, now = bars(row, 24)
    assert (was.side, was.guarantee, was.reach, was.lend, was.cut) == ("was", 8 / 24, 1.0, 4 / 24, False)
    assert (now.side, now.guarantee, now.reach, now.lend) == ("now", 16 / 24, 1.0, 0.0)
    large = Branch("cohort", "c", "", 0, Stand(9000, 0, 0), Stand(9008, 0, 0), "sum")
    assert scale_of([large, row]) == 16 * 6
    assert all(bar.cut and bar.guarantee == 1.0 for bar in bars(large, 96))
    endless = Branch("queue", "q", "", 0, None, Stand(UNLIMITED, 0, UNLIMITED), "added")
    assert bars(endless, scale_of([endless]))[0].cut
    same = Branch("queue", "q", "", 0, Stand(8, 0, 0), Stand(8, 0, 0), "")
    assert [bar.side for bar in bars(same, 8)] == ["now"]


def test_the_picture_says_in_words_what_it_draws():
    done = of_scenario("red leaves")
    svg = ET.fromstring(render_plan(done, "svg"))
    space = "{http://www.w3.org/2000/svg}"
    said = svg.find(f"{space}desc").text
    assert "queue red, in research, removed: guarantee 6 → –, may borrow" in said
    assert svg.get("role") == "img"
    names = {each.get("id") for each in svg.iter()}
    assert {svg.get("aria-labelledby"), svg.get("aria-describedby")} <= names
    page = render_plan(done, "html")
    assert re.search(r'<b class="name">red</b>.*?<span class="mark">- removed</span>', page)
    for drawing in re.findall(r"<svg class=[^>]*>", page):
        assert 'aria-hidden="true"' in drawing


def test_unlimited_quota_is_told_in_words():
    row = Branch("queue", "q", "", 0, Stand(8, UNLIMITED, 8), Stand(8, 4, 8), "changed")
    assert "may borrow unlimited → 4," in sentence(row, "nvidia.com/gpu")


def test_a_plan_without_clusters_draws_bars_of_its_amounts():
    done = of_scenario("red leaves")
    bare = replace(done, clusters=({}, {}))
    assert "team red, h100 on pokprod" in render_plan(bare, "svg")


def test_of_a_flavor_its_gpus_are_drawn_else_its_other_devices_else_one_resource():
    pairs = {
        ("h100", "nvidia.com/gpu"),
        ("h100", "nvidia.com/roce_gdr"),
        ("h100", "cpu"),
        ("mig", "nvidia.com/mig-1g.10gb"),
        ("mig", "nvidia.com/mig-3g.40gb"),
        ("cpu", "memory"),
        ("cpu", "cpu"),
    }
    assert grow._drawn(pairs) == [
        ("cpu", "cpu"),
        ("h100", "nvidia.com/gpu"),
        ("mig", "nvidia.com/mig-1g.10gb"),
        ("mig", "nvidia.com/mig-3g.40gb"),
    ]
