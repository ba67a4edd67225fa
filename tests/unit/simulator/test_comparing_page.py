"""The page of two configurations and of many seeds: numbers of the table, who is hurt, and nothing that breaks out."""

from __future__ import annotations

import re
from dataclasses import replace
from xml.etree import ElementTree as ET

import pytest
from small_world import WORLD, scenario

from kohort.engine.outcome import Settings
from kohort.engine.simulating import Asked, runs, stage
from kohort.simulator.compare.comparison import Difference, differences, spreads
from kohort.simulator.compare.student import Interval
from kohort.simulator.reports.html.comparing import page_of_difference, page_of_seeds
from kohort.simulator.reports.html.forest import MOST, forest, told
from kohort.simulator.reports.measured import shown

SPEC = (
    "jobs:\n"
    "- {name: a, namespace: blue, queue: lq, every: {poisson: 11m}, duration: {uniform: {from: 20m, to: 1h}}, gpus: 8}\n"
    "- {name: b, namespace: red, queue: lq, every: {poisson: 30m}, duration: {uniform: {from: 10m, to: 1h}}, gpus: 8}\n"
)
EVIL = "</title><script>alert(1)</script>\"' onload=x \x1b[31m\x9b\u202e"


@pytest.fixture(scope="module")
def sides(tmp_path_factory):
    """Red loses its guarantee and blue gets it; there are no nodes, so that quota alone decides."""
    folder = tmp_path_factory.mktemp("compare")
    quota = WORLD[: WORLD.index("---\napiVersion: v1\nkind: Node")].replace(
        "withinClusterQueue: LowerPriority", "withinClusterQueue: Never"
    )
    (folder / "kueue.yaml").write_text(quota, "utf-8")
    other = folder / "other"
    other.mkdir()
    for old, new in (("nominalQuota: 16", "nominalQuota: 24"), ("nominalQuota: 8}", "nominalQuota: 0}")):
        assert old in quota
        quota = quota.replace(old, new)
    (other / "kueue.yaml").write_text(quota, "utf-8")
    file = folder / "small.yaml"
    file.write_text(scenario(SPEC, "12h"), "utf-8")
    made = [stage(Asked(str(file), on=on), Settings()).ready for on in ("", str(other))]
    return [runs(ready, range(1, 6), Settings(), timeline=False) for ready in made]


def text_of(html: str) -> ET.Element:
    return ET.fromstring(html.removeprefix("<!DOCTYPE html>\n"))


def rows(page: ET.Element, name: str) -> list[list[str]]:
    (table,) = [each for each in page.iter("div") if each.get("aria-label") == name and each.find("table")]
    return [["".join(cell.itertext()) for cell in row] for row in table.iter("tr")]


def test_the_page_has_every_measure_with_both_sides_and_its_verdict(sides):
    found = differences(*sides)
    head, *lines = rows(text_of(page_of_difference(sides[0], sides[1], ("old", "new"))), "All measures")
    assert head == ["measure", "before", "after", "change", "±", "verdict", "seeds"]
    assert [line[0] for line in lines] == [each.name for each in found]
    for line, each in zip(lines, found, strict=True):
        assert line[1:3] == [shown(each.kind, each.base), shown(each.kind, each.head)]
        assert line[5:] == [each.verdict, "5"] or each.runs < 5


def test_a_team_that_surely_loses_is_named_first_with_the_numbers(sides):
    page = text_of(page_of_difference(sides[0], sides[1], ("old", "new")))
    (_, first, *_) = rows(page, "Who is hurt, who gains")
    assert first[:2] == ["red", "hurt"]
    worse = [each for each in differences(*sides) if each.verdict == "worse" and each.team == "red"]
    assert "jobs that never ran of red" in [each.name for each in worse]
    for each in worse:
        name = each.name.removesuffix(" of red")
        numbers = f"{shown(each.kind, each.base)} → {shown(each.kind, each.head)} ({told(each)})"
        assert f"{name} {numbers}" in first[2]


def test_a_configuration_beside_itself_hurts_nobody(sides):
    html = page_of_difference(sides[0], sides[0], ("a", "a"))
    assert "Nobody for certain: of 2 teams no change is beyond chance." in html
    assert {line[5] for line in rows(text_of(html), "All measures")[1:]} == {"alike"}


def test_one_seed_says_that_it_cannot_tell(sides):
    html = page_of_difference(sides[0][:1], sides[1][:1], ("a", "b"))
    assert "One seed cannot tell a difference from chance: give more with --seeds 1..10." in html
    verdicts = {line[5] for line in rows(text_of(html), "All measures")[1:]}
    assert verdicts <= {"may be chance", "alike"}


@pytest.mark.parametrize(
    ("better", "mean", "half", "verdict"),
    [
        ("less", 5.0, 1.0, "worse"),
        ("less", -5.0, 1.0, "better"),
        ("more", 5.0, 1.0, "better"),
        ("more", -5.0, 1.0, "worse"),
        ("less", 5.0, 5.0, "may be chance"),
        ("less", 5.0, None, "may be chance"),
        ("less", 5.0, 0.0, "worse"),
        ("less", 0.0, 0.0, "alike"),
        ("less", 0.0, None, "alike"),
    ],
)
def test_verdicts(better, mean, half, verdict):
    assert Difference("x", "number", 2, 0, mean, Interval(mean, half), better).verdict == verdict


def test_a_chart_of_many_teams_keeps_the_whole_and_those_that_differ_most():
    many = [
        Difference(f"mean wait of t{n}", "time", 4, 0, n * 1000.0, Interval(n * 1000.0, 1.0), "less", f"t{n}")
        for n in range(100)
    ]
    whole = Difference("mean wait", "time", 4, 0, 1.0, Interval(1.0, 2.0))
    svg = ET.fromstring(forest([*many, whole], "Waits"))
    names = [each.text for each in svg.iter("text") if each.get("text-anchor") is None]
    assert names == ["mean wait", *(f"mean wait of t{n}" for n in range(99, 100 - MOST, -1))]
    marks = [each.get("fill") for each in svg.iter("circle")]
    assert marks == ["var(--paper)", *["var(--bad)"] * (MOST - 1)]


def test_a_team_whose_jobs_never_run_is_not_left_out(sides):
    base, _ = sides
    never = [
        replace(run, jobs=tuple(replace(j, attempts=()) if j.team == "red" else j for j in run.jobs))
        for run in base
    ]
    (_, first, *_) = rows(text_of(page_of_difference(base, never, ("old", "new"))), "Who is hurt, who gains")
    assert first[0] == "red"
    assert "jobs that never ran" in first[2]


def test_seeds_have_a_page_of_means(sides):
    page = text_of(page_of_seeds(sides[0]))
    lines = rows(page, "All measures")
    assert [line[0] for line in lines[1:]] == [each.name for each in spreads(sides[0])]
    assert len(list(page.iter("svg"))) == 2


def test_names_cannot_break_out_of_the_pages_and_nothing_is_fetched(sides):
    evil = [
        [
            replace(
                run,
                scenario=EVIL,
                cluster=EVIL,
                notes=(EVIL,),
                jobs=tuple(replace(job, team=f"{job.team}{EVIL}") for job in run.jobs),
            )
            for run in side
        ]
        for side in sides
    ]
    for html in (page_of_difference(evil[0], evil[1], (EVIL, EVIL)), page_of_seeds(evil[0])):
        page = text_of(html)
        assert not [each for each in page.iter() if each.tag == "script" or "onload" in each.attrib]
        assert not re.search(r"<script|https?://|src=|href=|@import|url\(", html)
        assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e]", html)
        assert "default-src 'none'" in html
        assert len(html) < 300_000
