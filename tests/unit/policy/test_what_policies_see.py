"""The keys that docs/policies.md lists are those that policies see, no more and no fewer; and what a delta looks like."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kohort.compiler.build import build_cluster
from kohort.compiler.reaching import by_cluster
from kohort.engine.outcome import Settings
from kohort.engine.planning import plan_repositories
from kohort.engine.repository import load_repository
from kohort.planner.delta import delta
from kohort.planner.effects.owner import team_of
from kohort.planner.state import State
from kohort.planner.view import view
from kohort.source.tree import MemoryTree

sys.path.insert(0, str(Path(__file__).parents[2] / "plan"))
from plan_world import FILES

ROOT = Path(__file__).parents[3]
DOCS = (ROOT / "docs/policies.md").read_text("utf-8")
SEES = " ".join(DOCS[DOCS.index("## What an expression sees") : DOCS.index("## What never happens")].split())


def documented(begin):
    """The names of the first `{a, b}` after some words; a comma ends a name."""
    found = re.compile(re.escape(begin) + r"[^{]*\{([^}]*)\}").search(SEES)
    assert found, f"docs/policies.md has no list after {begin!r}"
    return [name.strip("` ") for name in found.group(1).split(",")]


def seen(files=FILES):
    repo = load_repository(MemoryTree({k: v.encode() for k, v in files.items()}), Settings()).repo
    clusters = {name: build_cluster(reached, name)[0].cluster for name, reached in by_cluster(repo).items()}
    return view(repo, clusters)


def test_what_is_in_use_keeps_fractions_as_all_amounts_do():
    repo = load_repository(MemoryTree({k: v.encode() for k, v in FILES.items()}), Settings()).repo
    clusters = {name: build_cluster(reached, name)[0].cluster for name, reached in by_cluster(repo).items()}
    plain = view(repo, clusters)
    lines = {(t["name"], q["cluster"], q["unit"]): q for t in plain["teams"] for q in t["quota"]}
    team, cluster, _ = next(key for key in lines if key[2] == "cpu")
    queue = next(n for n, q in clusters[cluster].queues.items() if team_of(q) == team)
    flavor = lines[team, cluster, "cpu"]["flavor"]
    for milli, shown in ((1500, 1.5), (2000, 2), (1, 0.001), (0, 0)):
        state = State((), {queue: {(flavor, "cpu"): milli}, "another": {(flavor, "cpu"): 9000}})
        found = view(repo, clusters, {cluster: state})
        uses = {
            (t["name"], q["cluster"], q["flavor"]): q["inUse"]
            for t in found["teams"]
            for q in t["quota"]
            if "inUse" in q
        }
        assert uses.pop((team, cluster, flavor)) == shown
        assert set(uses.values()) <= {0}
    assert not any("inUse" in q for t in plain["teams"] for q in t["quota"])


@pytest.fixture(scope="module")
def whole():
    text = "overcommit: [{flavor: h100, resource: memory, percent: 120, reason: pages}]\n  slack:"
    file = "clusters/pokprod/cluster.yaml"
    return seen({**FILES, file: FILES[file].replace("slack:", text)})


def all_keys(maps):
    keys = {tuple(each) for each in maps}
    assert len(keys) == 1, keys
    return list(keys.pop())


def test_a_team(whole):
    assert all_keys(whole["teams"]) == documented("`repository.teams`: list of")
    queues = [queue for team in whole["teams"] for queue in team["queues"]]
    assert all_keys(queues) == documented("A queue is")
    assert all_keys(line for queue in queues for line in queue["quota"]) == documented("with lines")
    circles = [team[circle] for team in whole["teams"] for circle in ("admins", "members", "viewers")]
    assert all_keys(circles) == documented("Circles of people are")


def test_quota_of_teams_and_cohorts(whole):
    lines = documented("one line per cluster, flavor and unit,")
    assert all_keys(line for team in whole["teams"] for line in team["quota"]) == lines
    assert all_keys(whole["cohorts"].values()) == documented("`repository.cohorts[NAME]`:")
    words = SEES[SEES.index("`repository.cohorts[NAME]`") :]
    more = re.search(r"lines of the same kind with `([^`]*)`", words).group(1).split(", ")
    keys = all_keys(line for cohort in whole["cohorts"].values() for line in cohort["quota"])
    assert keys == ["cluster", "flavor", "unit", "unitName", *more]


def test_flavors_and_clusters(whole):
    assert all_keys(whole["flavors"].values()) == documented("`repository.flavors[NAME]`:")
    lines = [line for flavor in whole["flavors"].values() for line in flavor["clusters"].values()]
    assert all_keys(lines) == documented("`clusters[NAME]` is")
    each = [unit for line in lines for unit in line["units"].values()]
    assert all_keys(each) == documented("`units[UNIT]` is")
    assert all_keys(whole["clusters"].values()) == documented("`repository.clusters[NAME]`:")
    over = [one for cluster in whole["clusters"].values() for one in cluster["overcommit"]]
    assert all_keys(over) == documented("`repository.clusters[NAME].overcommit`: list of")


def test_the_repository_itself(whole):
    named = {*re.findall(r"`repository\.([a-z]+)", SEES)}
    assert set(whole) == named


def test_amounts_are_in_the_unit_that_people_count_in(whole):
    by_team = {
        team["name"]: {(q["cluster"], q["flavor"]): q for q in team["quota"]} for team in whole["teams"]
    }
    blue, green = by_team["blue"]["pokprod", "h100"], by_team["green"]
    assert (blue["unit"], blue["guarantee"], blue["borrow"]) == ("nvidia.com/gpu", 8, 12)
    assert green["vela", "cpu"]["guarantee"] == 32
    assert green["vela", "mig"]["unit"] == "nvidia.com/mig-1g.10gb"
    h100 = whole["flavors"]["h100"]["clusters"]["pokprod"]
    assert (h100["hardware"], h100["healthy"], h100["slack"]) == (32, 32, 4)


@pytest.mark.parametrize(
    "change",
    [
        {"clusters/pokprod/cluster.yaml": "kind: [\n"},
        {"queues/flavors.yaml": "kind: [\n"},
        {"queues/cohorts.yaml": "kind: [\n"},
        {"clusters/vela/cluster.yaml": None},
        {"clusters/vela/cluster.yaml": None, "clusters/pokprod/cluster.yaml": None},
        {"kohort.yaml": None},
        {
            "teams/red/team.yaml": "apiVersion: kohort.dev/v1alpha1\nkind: Team\nmetadata: {name: red}\nspec: {namespaces: [red]}\n"
        },
        {"teams/red/team.yaml": FILES["teams/red/team.yaml"].replace("flavor: h100", "flavor: a100000")},
        {"teams/red/team.yaml": FILES["teams/red/team.yaml"].replace("flavor: h100", "flavor: cpu")},
    ],
)
def test_what_is_broken_or_in_no_cluster_is_seen_without_amounts(change):
    files = {name: text for name, text in {**FILES, **change}.items() if text is not None}
    assert set(seen(files)) == set(seen())
    plan_repositories(
        *(MemoryTree({k: v.encode() for k, v in side.items()}) for side in (FILES, files)), Settings()
    )


def test_a_cohort_and_a_flavor_that_no_cluster_has_are_seen_without_lines():
    api = "apiVersion: kohort.dev/v1alpha1\n"
    more = f"{api}kind: Cohort\nmetadata: {{name: lonely}}\nspec: {{}}\n---\n{api}kind: Flavor\nmetadata: {{name: bare}}\nspec: {{}}\n"
    found = seen({**FILES, "queues/more.yaml": more})
    assert found["cohorts"]["lonely"] == {"name": "lonely", "parent": "", "quota": []}
    assert found["flavors"]["bare"] == {"name": "bare", "elastic": False, "checks": [], "clusters": {}}


@pytest.mark.parametrize(
    ("before", "after", "difference"),
    [
        (3, 5, 2),
        (None, 5, 5),
        (5, None, -5),
        (-(2**63), 2**63, 2**63 - 1),
        (0.5, 2, 1.5),
        ("a", "a", None),
        ("a", "b", {"before": "a", "after": "b"}),
        (True, False, {"before": True, "after": False}),
        (["a", "b"], ["b", "c"], {"added": ["c"], "removed": ["a"]}),
        (["a", "b"], ["b", "a"], None),
        (None, {"name": "x", "n": 1}, {"n": 1}),
        (
            [{"name": "x", "n": 1}],
            [{"name": "x", "n": 4}, {"name": "y", "n": 2}],
            {"x": {"n": 3}, "y": {"n": 2}},
        ),
        (
            [{"cluster": "pokprod", "flavor": "h100", "n": 1}],
            [],
            {"pokprod/h100": {"n": -1}},
        ),
        (
            [{"flavor": "h100", "resource": "cpu", "percent": 110}],
            [
                {"flavor": "h100", "resource": "cpu", "percent": 120},
                {"flavor": "h100", "resource": "memory", "percent": 105},
            ],
            {
                "h100/cpu": {"percent": 10},
                "h100/memory": {"resource": {"before": None, "after": "memory"}, "percent": 105},
            },
        ),
    ],
)
def test_what_a_delta_looks_like(before, after, difference):
    assert delta(before, after) == difference


VALUES = st.recursive(
    st.integers(-100, 100)
    | st.sampled_from("abc")
    | st.booleans()
    | st.lists(st.sampled_from("abc"), max_size=3),
    lambda inner: st.dictionaries(st.sampled_from(["x", "y", "z"]), inner, max_size=3),
    max_leaves=8,
)


@given(VALUES)
def test_what_is_alike_differs_by_zeros_alone(value):
    waiting = [delta(value, value)]
    while waiting:
        each = waiting.pop()
        if isinstance(each, dict):
            waiting += each.values()
        else:
            assert each in (None, 0)
