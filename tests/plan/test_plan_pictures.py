"""What is drawn: bars by one function, to scale, seen however small, cut where there is no bound; texts by their columns."""

from __future__ import annotations

import re
from dataclasses import replace
from xml.etree import ElementTree as ET

import yaml
from planned import of_scenario
from test_plan_played import job, manifests
from test_plan_trees import cohort, organisation, plan_of, queue

from kohort.engine.comparing import plan_paths
from kohort.engine.outcome import Settings
from kohort.engine.playing_plans import Loads, with_loads
from kohort.engine.rendering_plan import render_plan
from kohort.planner.render import bar_svg
from kohort.planner.render.escaped import coded, shortened
from kohort.planner.render.tree_bars import amount_bars, amount_scale, bars
from kohort.planner.render.tree_html import OPEN
from kohort.planner.trees.tree import Branch, Stand
from kohort.semantics import UNLIMITED

SPACE = "{http://www.w3.org/2000/svg}"


def test_what_has_no_bound_is_filled_and_cut():
    endless = Branch("queue", "q", "", 0, Stand(8, 0, 8), Stand(UNLIMITED, 0, UNLIMITED), "changed")
    was, now = bars(endless, 16)
    assert (was.guarantee, was.cut) == (0.5, False)
    assert (now.guarantee, now.reach, now.lend, now.cut) == (1.0, 1.0, 0.0, True)
    assert amount_scale([8, UNLIMITED, None]) == 8
    assert [(bar.side, bar.guarantee, bar.cut) for bar in amount_bars(8, UNLIMITED, 16)] == [
        ("was", 0.5, False),
        ("now", 1.0, True),
    ]
    assert [bar.side for bar in amount_bars(None, 8, 16)] == ["now"]
    assert amount_bars(-8, 4, 16)[0].guarantee == 0.0


def test_what_is_small_is_seen_and_what_is_nothing_is_not():
    small = Branch("queue", "q", "", 0, Stand(0, 0, 0), Stand(1, 0, 1), "changed")
    was, now = bars(small, 1_000_000)
    assert was.guarantee == 0.0
    assert 0.003 < now.guarantee < 0.01


def test_page_and_picture_draw_the_same_bars():
    done = of_scenario("red leaves")

    def drawn(text: str) -> list[str]:
        return re.findall(
            r'<svg class="bars" (?:x="[0-9]+" y="[0-9]+" width="[0-9]+" )?(height=.*?)</svg>', text
        )

    page, picture = (drawn(render_plan(done, name)) for name in ("html", "svg"))
    legend = 5
    rows = page[legend:]
    assert len(rows) == 8
    assert picture[: len(rows)] == rows
    assert bar_svg.STYLE in render_plan(done, "html")
    assert bar_svg.STYLE in render_plan(done, "svg")


def test_amounts_of_different_resources_have_their_own_scale():
    # 2 MIG partitions more of 8 beside 32 GPUs: the whole width is the larger side of each
    done = of_scenario("parts of GPUs")
    svg = ET.fromstring(render_plan(replace(done, clusters=({}, {})), "svg"))
    widths: dict[str, list[float]] = {}
    for group in svg.iter(f"{SPACE}g"):
        name = group.find(f"{SPACE}title").text
        unit = "mig" if "mig-1g" in name else "other"
        for rect in group.iter(f"{SPACE}rect"):
            widths.setdefault(unit, []).append(float(rect.get("width").removesuffix("%")))
    assert max(widths["mig"]) == 100.0
    assert all(0 <= width <= 100 for some in widths.values() for width in some)


def test_texts_are_cut_by_what_their_letters_take():
    # in sizes of the font: 0.65 a letter, 0.4 a narrow one, 1 a wide one and the mark of the cut, 1.05 a wide character
    assert shortened("aaaa", 2.6) == "aaaa"
    assert shortened("aaaaa", 2.6) == "aa…"
    assert shortened("iiiiii", 2.4) == "iiiiii"
    assert shortened("mmmm", 3.9) == "mm…"
    assert shortened("東京研究所", 5.25) == "東京研究所"
    assert shortened("東京研究所", 5.2) == "東京研究…"


def test_what_one_types_is_set_apart_and_nothing_of_a_stranger_acts():
    assert coded("set `stop: Hold` <now>") == "set <code>stop: Hold</code> &lt;now&gt;"
    assert coded("`<b>`") == "<code>&lt;b&gt;</code>"
    assert coded("one ` alone") == "one ` alone"
    page = render_plan(of_scenario("red leaves"), "html")
    assert "<li>set <code>stop: Hold</code> on the queue of ClusterQueue red" in page


def test_the_first_trees_are_open_and_later_ones_folded(tmp_path):
    def many(gpus: int) -> str:
        flavors = "".join(
            queue(f"q{n}-{f}", gpus, "org").replace("h100", f"f{f}") for f in range(9) for n in range(12)
        )
        return cohort("org", "top") + flavors

    page = render_plan(plan_of(tmp_path, many(8), many(9)), "html")
    trees = page[page.index("<h2>Cohort tree</h2>") : page.index("<h2>Amounts</h2>")]
    rows = trees.count('<li class="row ')
    folded = trees[trees.index("<details>") :].count('<li class="row ')
    assert 0 < rows - folded <= OPEN
    assert trees.count("<details><summary><b>f") == trees.count("</details>") > 3
    assert (
        "<details><summary>"
        not in render_plan(
            plan_of(tmp_path, organisation(lambda n: 8), organisation(lambda n: 8 + (n == 5))), "html"
        ).split("<h2>Amounts")[0]
    )


def test_the_picture_shows_played_loads(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, quota in (("old", 2), ("new", 1)):
        (tmp_path / f"{name}.yaml").write_text(yaml.safe_dump_all(manifests(quota)), "utf-8")
    spec = {"manifests": ["old.yaml"], "horizon": "10h", "jobs": [job("a")]}
    scenario = {
        "apiVersion": "kohort.dev/v1alpha1",
        "kind": "Scenario",
        "metadata": {"name": "small"},
        "spec": spec,
    }
    (tmp_path / "small.yaml").write_text(yaml.safe_dump(scenario), "utf-8")
    planned = plan_paths("old.yaml", "new.yaml", Settings()).planned
    assert "Played" not in render_plan(planned, "svg")
    done = with_loads(planned, ("old.yaml", "new.yaml"), Loads(("small.yaml",), range(1, 4)), Settings())
    svg = ET.fromstring(render_plan(done, "svg"))
    texts = [each.text for each in svg.iter(f"{SPACE}text")]
    hurt = "hurt: team blue: mean wait 0s → 15m 1s (+15m 1s ± 0s); p95 wait 0s → 30m 1s (+30m 1s ± 0s)"
    assert "Played before and after: scenario small, 10h, seeds 1 to 3" in texts
    assert hurt in texts
    assert "+15m 1s ± 0s, worse" in texts
    assert hurt in svg.find(f"{SPACE}desc").text
    # nothing is drawn below the picture, and the chart below all that was drawn before
    (chart,) = [each for each in svg.iter(f"{SPACE}svg") if each.get("viewBox") and each is not svg]
    bottom = float(chart.get("y")) + float(chart.get("height"))
    assert float(svg.get("height")) > bottom > 150
    above = [float(each.get("y")) for each in svg.findall(f"{SPACE}text") if each.text == hurt]
    assert above[0] < float(chart.get("y"))
