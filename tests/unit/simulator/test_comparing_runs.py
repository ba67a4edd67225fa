"""Means over seeds and paired differences, with Student's intervals."""

from __future__ import annotations

import json
import math
import re
from dataclasses import replace
from random import Random

import pytest
from small_world import WORLD, node, scenario

from kohort.engine.outcome import Settings
from kohort.engine.simulating import Asked, runs, stage
from kohort.simulator.compare.comparison import differences, spreads
from kohort.simulator.compare.student import interval, quantile
from kohort.simulator.reports.comparison import (
    lines_of_difference,
    lines_of_seeds,
    table_of_difference,
    table_of_seeds,
)

SPEC = (
    "jobs:\n"
    "- {name: a, namespace: blue, queue: lq, every: {poisson: 20m}, duration: {lognormal: {median: 40m, sigma: 1}}, gpus: 8}\n"
    "- {name: b, namespace: red, queue: lq, every: {poisson: 30m}, duration: {uniform: {from: 10m, to: 1h}}, gpus: 8}\n"
)


@pytest.fixture(scope="module")
def sides(tmp_path_factory):
    folder = tmp_path_factory.mktemp("compare")
    (folder / "kueue.yaml").write_text(WORLD, "utf-8")
    more = folder / "more"
    more.mkdir()
    larger = WORLD + node("m0") + node("m1")
    (more / "kueue.yaml").write_text(larger.replace("nominalQuota: 16", "nominalQuota: 32"), "utf-8")
    file = folder / "small.yaml"
    file.write_text(scenario(SPEC, "12h"), "utf-8")
    base = stage(Asked(str(file)), Settings())
    head = stage(Asked(str(file), on=str(more)), Settings())
    assert base.ready is not None
    assert head.ready is not None
    return [runs(side.ready, range(1, 7), Settings(), timeline=False) for side in (base, head)]


ACTING = "a\x9b2J\u202eb\u2028c\x1b[31m"


def test_names_do_nothing_in_any_format(sides):
    base, head = (
        [
            replace(
                run,
                scenario=ACTING,
                cluster=ACTING,
                notes=(ACTING,),
                jobs=(replace(run.jobs[0], team=ACTING),),
            )
            for run in side
        ]
        for side in sides
    )
    texts = [
        table_of_seeds(base),
        lines_of_seeds(base),
        table_of_difference(base, head, (ACTING, ACTING)),
        lines_of_difference(base, head, (ACTING, ACTING)),
    ]
    for text in texts:
        assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]", text)
        assert re.search(r"a\\(x|u00)9b2J\\u202eb\\u2028c\\(x|u00)1b\[31m", text)
    assert json.loads(texts[3].splitlines()[0])["of"] == ACTING


def test_both_sides_play_the_same_jobs_for_each_seed(sides):
    base, head = sides
    for one, other in zip(base, head, strict=True):
        assert [(j.key, j.submitted, j.duration, j.amount) for j in one.jobs] == [
            (j.key, j.submitted, j.duration, j.amount) for j in other.jobs
        ]
    assert base[0].jobs != base[1].jobs


def test_more_hardware_shortens_waits_and_the_interval_says_so(sides):
    found = {each.name: each for each in differences(*sides)}
    wait = found["mean wait"]
    assert wait.head < wait.base
    assert wait.change.mean == pytest.approx(wait.head - wait.base)
    assert wait.change.certain
    assert wait.runs == 6


def test_a_configuration_beside_itself_does_not_differ(sides):
    base, _ = sides
    for each in differences(base, base):
        assert (each.change.mean, each.change.certain) == (0, False)


def test_the_table_names_both_sides_the_seeds_and_the_method(sides):
    base, head = sides
    text = table_of_difference(base, head, ("old", "new"))
    assert "scenario small on the given manifests: 12h, seeds 1 to 6 (6 runs)" in text
    assert "base old, head new" in text
    assert "Student's 95 % interval" in text
    (line,) = [line for line in text.splitlines() if line.startswith("  mean wait  ")]
    assert line.rstrip().endswith("*")
    assert re.search(r" -[0-9]", line)  # the sign that plans and all other tables write


def test_lines_hold_every_run_and_every_difference(sides):
    base, head = sides
    lines = [json.loads(line) for line in lines_of_difference(base, head, ("old", "new")).splitlines()]
    assert [(line["side"], line["seed"]) for line in lines if line["type"] == "summary"] == [
        (side, seed) for side in ("base", "head") for seed in range(1, 7)
    ]
    wait = next(line for line in lines if line.get("measure") == "mean wait")
    assert wait["unit"] == "s"
    assert wait["certain"]
    means = [json.loads(line) for line in lines_of_seeds(sides[0]).splitlines()]
    assert sum(line["type"] == "mean" for line in means) == len(spreads(sides[0]))


def test_seeds_are_shown_as_means(sides):
    text = table_of_seeds(sides[0])
    assert "seeds 1 to 6 (6 runs)" in text
    assert "utilisation" in text


@pytest.mark.parametrize(("degrees", "factor"), [(1, 12.706), (9, 2.262), (22, 2.086), (500, 1.980)])
def test_quantiles(degrees, factor):
    assert quantile(degrees) == factor


def test_an_interval_of_known_values():
    found = interval([1.0, 2.0, 3.0, 4.0, 5.0])
    assert found.mean == 3
    assert found.half == pytest.approx(2.776 * math.sqrt(2.5) / math.sqrt(5))
    assert interval([7.0]) == (7.0, None)


def test_intervals_hold_the_true_mean_about_as_often_as_they_say():
    random = Random(11)
    held = 0
    for _ in range(1000):
        found = interval([random.normalvariate(10, 3) for _ in range(6)])
        assert found.half is not None
        held += abs(found.mean - 10) <= found.half
    assert 930 <= held <= 970
