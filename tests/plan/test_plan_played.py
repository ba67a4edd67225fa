"""Scenarios played before and after a change: figures, who is hurt, what was left out, errors at their line, every format."""

from __future__ import annotations

import json
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import jsonschema
import pytest
import yaml
from command_line import commit, edit, git, kohort, write
from plan_world import FILES
from test_plan_injection import ACTS, NAMES

from kohort import make_plan
from kohort.engine.comparing import plan_paths
from kohort.engine.outcome import Settings
from kohort.engine.playing_plans import SECONDS, Loads, with_loads
from kohort.engine.rendering_plan import render_plan
from kohort.engine.simulating import Asked, runs, stage
from kohort.engine.usage import UsageProblem
from kohort.planner.played import Played
from kohort.planner.playing import compared
from kohort.planner.render.played import rows, terminal, told
from kohort.planner.render.played_html import played_html
from kohort.simulator.compare.comparison import Difference
from kohort.simulator.compare.student import Interval
from kohort.source.tree import MemoryTree

SCHEMA = json.loads((Path(__file__).parents[2] / "ci" / "schemas" / "plan-v1.schema.json").read_text("utf-8"))
HOUR = 3_600_000
WAIT = HOUR / 2 + 1000


def manifests(quota, teams=("blue",)):
    """One GPU queue per team, no cohort."""
    made = [{"kind": "ResourceFlavor", "metadata": {"name": "f"}, "spec": {}}]
    for team in teams:
        quotas = {"name": "nvidia.com/gpu", "nominalQuota": str(quota)}
        group = {
            "coveredResources": ["nvidia.com/gpu"],
            "flavors": [{"name": "f", "resources": [quotas]}],
        }
        spec = {"namespaceSelector": {}, "resourceGroups": [group]}
        made += [
            {"kind": "ClusterQueue", "metadata": {"name": team}, "spec": spec},
            {
                "kind": "LocalQueue",
                "metadata": {"name": "lq", "namespace": team},
                "spec": {"clusterQueue": team},
            },
        ]
    return [{"apiVersion": "kueue.x-k8s.io/v1beta2", **each} for each in made]


def job(name, team="blue", **fields):
    """One GPU for an hour at once, and again after half an hour."""
    times = {"at": ["0s", "30m"], "duration": "1h", "gpus": 1}
    return {"name": name, "namespace": team, "queue": "lq", **times, **fields}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def write(before, after, *jobs, **spec):
        for name, objects in (("old", before), ("new", after)):
            Path(f"{name}.yaml").write_text(yaml.safe_dump_all(objects), "utf-8")
        value = {"manifests": ["old.yaml"], "horizon": "10h", "jobs": [*jobs], **spec}
        scenario = {"apiVersion": "kohort.dev/v1alpha1", "kind": "Scenario", "metadata": {"name": "small"}}
        Path("small.yaml").write_text(yaml.safe_dump({**scenario, "spec": value}, sort_keys=False), "utf-8")

    return write


def made(seeds=range(1, 4), scenario="small.yaml", **more):
    planned = plan_paths("old.yaml", "new.yaml", Settings()).planned
    return with_loads(planned, ("old.yaml", "new.yaml"), Loads((scenario,), seeds), Settings(), **more)


def measure(played: Played, name: str) -> Difference:
    return next(each for each in played.measures if each.name == name)


def test_a_job_that_waits_half_an_hour_longer_hurts_its_team(folder):
    folder(manifests(2), manifests(1), job("a"))
    planned = made()
    (played,) = planned.plan.played
    assert (played.scenario, played.cluster, played.horizon) == ("small", "", 10 * HOUR)
    assert played.seeds == (1, 2, 3)
    mean = measure(played, "mean wait of blue")
    # of two jobs one waits from minute 30 until the other's pods, there after a second, have run for an hour
    assert (mean.base, mean.head, mean.change) == (0, WAIT / 2, (WAIT / 2, 0))
    assert measure(played, "p95 wait of blue").head == WAIT
    assert mean.verdict == "worse"
    assert [each.name for each in played.teams("worse")["blue"]] == ["mean wait of blue", "p95 wait of blue"]
    assert played.teams("better") == {}
    assert told(played)[0] == (
        "hurt: team blue: mean wait 0s → 15m 1s (+15m 1s ± 0s); p95 wait 0s → 30m 1s (+30m 1s ± 0s)"
    )


def test_the_inverse_change_gains_what_the_change_lost(folder):
    folder(manifests(1), manifests(2), job("a"))
    (played,) = made().plan.played
    assert played.teams("worse") == {}
    assert measure(played, "mean wait of blue").change.mean == -WAIT / 2
    assert told(played) == [
        "hurt: nobody for certain; of 1 team none waits longer, or is preempted more, or has more jobs that never ran, beyond chance",
        "gains: team blue: mean wait 15m 1s → 0s (-15m 1s ± 0s); p95 wait 30m 1s → 0s (-30m 1s ± 0s)",
        *(f"left out: {text}" for text in played.left_out),
    ]


def test_one_seed_judges_nobody(folder):
    folder(manifests(2), manifests(1), job("a"))
    (played,) = made(range(7, 8)).plan.played
    assert played.seeds == (7,)
    assert measure(played, "mean wait of blue").change.half is None
    assert played.teams("worse") == {}
    assert "one seed cannot tell" in told(played)[0]


def test_ten_seeds_from_the_scenarios_own_on_unless_others_are_asked_for(folder):
    folder(manifests(2), manifests(1), job("a"), seed=5)
    (played,) = made(None).plan.played
    assert played.seeds == tuple(range(5, 15))


def test_a_team_that_starts_nothing_on_one_side_is_left_out_in_words(folder):
    teams = ("blue", "red")
    folder(manifests(2, teams), manifests(1, teams), job("a"), job("b", "red"))
    ready = stage(Asked("small.yaml"), Settings()).ready
    assert ready is not None
    (run,) = runs(ready, [1], Settings())
    stuck = replace(
        run, jobs=tuple(replace(one, attempts=[]) if one.team == "red" else one for one in run.jobs)
    )
    for base, head, where in ((stuck, run, "before"), (run, stuck, "after")):
        played = compared([base], [head], ["what the caller knows"])
        assert not any(each.name in {"mean wait of red", "p95 wait of red"} for each in played.measures)
        assert played.left_out[:2] == (
            "what the caller knows",
            f"the waits of team red: none of its jobs started {where} the change",
        )
        assert measure(played, "jobs that never ran of red").change.mean == (2 if where == "after" else -2)


def test_programs_get_it_as_data(folder):
    folder(manifests(2), manifests(1), job("a"))
    plan = make_plan("old.yaml", "new.yaml", scenarios=("small.yaml",), seeds=range(1, 4))
    assert plan.played == made().plan.played
    with pytest.raises(UsageProblem, match="give both sides as paths"):
        make_plan(MemoryTree({}), MemoryTree({}), scenarios=("small.yaml",))


def test_what_takes_too_long_stops_between_two_seeds_and_says_so(folder):
    folder(manifests(2), manifests(1), job("a"))
    moments = iter([0.0, SECONDS - 1, SECONDS + 1])
    (played,) = made(range(1, 9), clock=lambda: next(moments)).plan.played
    assert played.seeds == (1, 2)
    assert played.left_out[0] == "seeds 3 to 8: the 300 s that a plan plays for were over"


def test_nothing_is_played_where_nothing_changes(folder):
    folder(manifests(2), manifests(2), job("a"))
    assert made().plan.played == ()
    with pytest.raises(UsageProblem, match=r"other\.yaml does not exist"):
        made(scenario="other.yaml")


def test_an_error_of_the_scenario_is_a_finding_at_its_line(folder):
    folder(manifests(2), manifests(1), job("a", namespace="bleu"))
    planned = made()
    line = Path("small.yaml").read_text().splitlines().index("    queue: lq") + 1
    (found,) = planned.plan.findings
    assert found.severity.value == "error"
    assert "bleu" in found.message
    assert planned.head.span(found.primary.origin).line == line
    (played,) = planned.plan.played
    assert played.measures == ()
    assert played.left_out == (f"all of it: it cannot be played, 1 error ({found.code})",)
    assert f"{found.code}" in render_plan(planned, "terminal")
    assert f"small.yaml:{line}:" in render_plan(planned, "terminal")


def test_an_error_on_one_side_says_on_which(folder):
    folder(manifests(1), manifests(2, ("blue", "red")), job("a"), job("b", "red"))
    planned = made()
    (found,) = planned.plan.findings
    assert found.message.startswith("before the change: ")
    assert planned.plan.played[0].left_out == (
        f"all of it: before the change it cannot be played, 1 error ({found.code})",
    )


def test_a_scenario_that_cannot_be_read_is_a_finding_and_the_plan_is_made(folder):
    folder(manifests(2), manifests(1), job("a"), horizon="soon")
    planned = made()
    assert planned.plan.played == ()
    assert planned.plan.effects
    (found,) = planned.plan.findings
    assert (
        planned.head.span(found.primary.origin).line
        == Path("small.yaml").read_text().splitlines().index("  horizon: soon") + 1
    )


def test_every_format_holds_it(folder):
    folder(manifests(2), manifests(1), job("a"))
    planned = made()
    text = render_plan(planned, "terminal")
    assert "\nplayed before and after: scenario small, 10h, seeds 1 to 3\n" in text
    assert "\n  mean wait of blue " in text
    comment = render_plan(planned, "markdown")
    assert "**Played before and after: scenario small, 10h, seeds 1 to 3**" in comment
    assert "| mean wait of blue | 0s | 15m 1s | &#43;15m 1s | 0s | worse |" in comment, comment[
        comment.index("| mean wait of") :
    ][:200]
    value = json.loads(render_plan(planned, "json"))
    assert list(jsonschema.Draft202012Validator(SCHEMA).iter_errors(value)) == []
    (one,) = value["simulations"]
    assert (one["hurt"], one["gains"], one["seeds"], one["horizon"]) == (["blue"], [], [1, 2, 3], 36000)
    (mean,) = (each for each in one["measures"] if each["measure"] == "mean wait of blue")
    assert mean == {
        "measure": "mean wait of blue", "team": "blue", "unit": "s", "seeds": 3, "before": 0, "after": 900.5,
        "change": 900.5, "half": 0, "verdict": "worse",
    }  # fmt: skip
    page = render_plan(planned, "html")
    assert "<h2>Played before and after</h2>\n<h3>Scenario small, 10h, seeds 1 to 3</h3>" in page
    assert '<tr><th scope="row">mean wait of blue</th><td class="n">0s</td><td class="n">15m 1s</td>' in page
    assert "mean wait of blue +15m 1s ± 0s, worse" in page  # in the words of the chart
    without = json.loads(render_plan(plan_paths("old.yaml", "new.yaml", Settings()).planned, "json"))
    assert "simulations" not in without


def test_the_same_scenario_gives_the_same_plan(folder):
    folder(manifests(2), manifests(1), job("a", at=None, every={"poisson": "20m"}))
    assert made().plan.played == made().plan.played


class _Page(HTMLParser):
    def __init__(self):
        super().__init__()
        self.tags: list[str] = []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)


@pytest.mark.parametrize("name", NAMES)
def test_names_of_strangers_do_nothing(folder, name):
    folder(manifests(2), manifests(1), job("a"))
    planned = made()
    (played,) = planned.plan.played
    measures = tuple(replace(each, team=name, name=f"mean wait of {name}") for each in played.measures)
    acting = replace(played, scenario=name, cluster=name, measures=measures, left_out=(name,))
    for row in rows(acting):
        assert not ACTS.search("".join(row))
    assert not ACTS.search("".join(terminal([acting])))
    page = _Page()
    page.feed("".join(played_html([acting])))
    assert set(page.tags) <= {
        "h2",
        "h3",
        "ul",
        "li",
        "div",
        "table",
        "caption",
        "thead",
        "tbody",
        "tr",
        "th",
        "td",
        *("svg", "title", "line", "circle", "text"),
    }
    comment = render_plan(replace(planned, plan=replace(planned.plan, played=(acting,))), "markdown")
    assert not ACTS.search(comment)
    assert comment.count("<details>") == comment.count("</details>")
    assert "<script" not in comment


def test_many_teams_are_cut_and_the_hurt_ones_come_first():
    def one(team, half):
        change = Interval(1000.0, half)
        return Difference(f"mean wait of {team}", "time", 3, 0.0, 1000.0, change, "less", team)

    teams = [one(f"t{number:02d}", 1001.0) for number in range(40)]
    played = Played("s", "c", HOUR, (1, 2, 3), (*teams, one("last", 10.0)))
    assert [row[0] for row in rows(played)][:2] == ["mean wait of last", "mean wait of t00"]
    assert len(rows(played)) == 12
    assert told(played)[-1] == "no certain change: t00, t01, t02, t03, t04, t05 and 34 more"


SCENARIO = """\
apiVersion: kohort.dev/v1alpha1
kind: Scenario
metadata: {name: week}
spec:
  cluster: pokprod
  horizon: 10h
  jobs:
  - {name: a, team: red, at: [0s, 30m, 31m], duration: 1h, gpus: 4}
"""


@pytest.fixture
def repo(tmp_path):
    root = tmp_path / "org"
    root.mkdir()
    write(root, {**FILES, "workloads/scenarios/week.yaml": SCENARIO})
    git(root, "init", "-q", "-b", "main")
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "base")
    return root


def test_the_command_plays_the_working_tree_and_commits(repo):
    edit(repo, "gpus: 6", "gpus: 1")
    live = kohort(repo, "plan", "--scenario", "week", "--seeds", "1..2")
    assert "played before and after: scenario week on cluster pokprod, 10h, seeds 1 to 2" in live.stdout
    commit(repo)
    bound = kohort(
        repo, "plan", "--base", "main~1", "--head", "main", "--scenario", "week", "--seeds", "1..2"
    )
    part = "played before and after"
    assert bound.stdout[bound.stdout.index(part) :] == live.stdout[live.stdout.index(part) :]
    saved = kohort(
        repo, "plan", "--base", "main~1", "--no-merge-base", "--head", "main", "--scenario", "week", "--seeds", "1..1",
        "--out", "plan.json",
    )  # fmt: skip
    assert saved.returncode == 0, saved.stderr
    assert json.loads((repo / "plan.json").read_text())["plan"]["simulations"][0]["seeds"] == [1]
    held = kohort(repo, "verify-plan", "plan.json")
    assert held.returncode == 0, held.stdout + held.stderr


@pytest.mark.parametrize("elsewhere", ["another repository", "no repository"])
def test_a_scenario_from_elsewhere_is_played_on_the_commits_of_the_plan(repo, elsewhere):
    edit(repo, "gpus: 6", "gpus: 1")
    own = kohort(repo, "plan", "--scenario", "workloads/scenarios/week.yaml", "--seeds", "1..2")
    other = repo.parent / "loads"
    write(other, {"week.yaml": SCENARIO})
    if elsewhere == "another repository":
        write(other, FILES)
        git(other, "init", "-q", "-b", "main")
        git(other, "add", "-A")
        git(other, "commit", "-q", "-m", "theirs")
    done = kohort(repo, "plan", "--scenario", "../loads/week.yaml", "--seeds", "1..2")
    part = "played before and after"
    assert part in done.stdout, done.stdout + done.stderr
    assert done.stdout[done.stdout.index(part) :] == own.stdout[own.stdout.index(part) :]
    assert "\n  mean wait of red" in done.stdout
    commit(repo)
    bound = kohort(
        repo,
        "plan",
        "--base",
        "main~1",
        "--head",
        "main",
        "--scenario",
        "../loads/week.yaml",
        "--seeds",
        "1..2",
    )
    assert bound.stdout[bound.stdout.index(part) :] == own.stdout[own.stdout.index(part) :]


def test_a_scenario_of_manifests_says_why_a_plan_of_a_repository_cannot_play_it(repo):
    edit(repo, "gpus: 6", "gpus: 1")
    plain = SCENARIO.replace("cluster: pokprod", "manifests: [kueue.yaml]").replace(
        "team: red", "namespace: red, queue: lq"
    )
    write(repo.parent / "loads", {"week.yaml": plain, "kueue.yaml": yaml.safe_dump_all(manifests(2))})
    done = kohort(repo, "plan", "--scenario", "../loads/week.yaml", "--seeds", "1..2")
    assert (
        "left out: all of it: it plays on manifests of its own, and this plan compares clusters that are declared; "
        "a scenario with `cluster: pokprod` can be played" in done.stdout
    ), done.stdout + done.stderr


def test_words_for_what_cannot_be_played(repo):
    edit(repo)
    unknown = kohort(repo, "plan", "--scenario", "weak")
    assert unknown.returncode == 2
    assert "there is no scenario weak; did you mean week? (there are: week)" in unknown.stderr
    seeds = kohort(repo, "plan", "--seeds", "1..3")
    assert (seeds.returncode, "--seeds are those of a --scenario" in seeds.stderr) == (2, True)
    wrong = kohort(repo, "plan", "--scenario", "week", "--seeds", "3..1")
    assert (wrong.returncode, "the smaller number first" in wrong.stderr) == (2, True)
    detailed = kohort(repo, "plan", "--scenario", "weak", "--detailed-exitcode")
    assert detailed.returncode == 1
    write(repo, {"week.yaml": SCENARIO.replace("team: red", "team: rod")})
    broken = kohort(repo, "plan", "--scenario", "week.yaml")
    assert broken.returncode == 1
    assert "there is no Team rod; did you mean `red`?   week.yaml:8:" in broken.stdout
