"""A flavor that people count in several units: policies see a line of each, before, after and as a difference."""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path

import pytest

from kohort.compiler.build import build_cluster
from kohort.compiler.reaching import by_cluster
from kohort.engine.outcome import Settings
from kohort.engine.planning import plan_repositories
from kohort.engine.repository import check_repository, load_repository
from kohort.planner.delta import delta
from kohort.planner.state import State
from kohort.planner.view import view
from kohort.source.tree import MemoryTree

sys.path.insert(0, str(Path(__file__).parents[2] / "plan"))
from plan_world import FILES

ROOT = Path(__file__).parents[3]
SMALL, LARGE = "nvidia.com/mig-1g.10gb", "nvidia.com/mig-3g.40gb"
NVIDIA, AMD = "nvidia.com/gpu", "amd.com/gpu"
GREEN, VELA = "teams/green/team.yaml", "clusters/vela/cluster.yaml"
# The node of the flavor mig has 8 small and 2 large partitions; beside it a node of whole GPUs and one of another vendor.
POOLS = f"""\
  - name: mig
    flavor: mig
    nodes: 1
    gpusPerNode: 4
    labels: {{pool: mig}}
    perNode: {{cpu: 36, memory: 144Gi, {SMALL}: 8, {LARGE}: 2, pods: 108}}
    reserve: {{cpu: 4, memory: 16Gi, pods: 8}}
    share: {{{SMALL}: 1/4, {LARGE}: 1}}
"""
WHOLE = f"""\
  - name: whole
    flavor: mig
    nodes: 1
    accelerator: {NVIDIA}
    labels: {{pool: mig}}
    perNode: {{cpu: 36, memory: 144Gi, {NVIDIA}: 4, pods: 108}}
    reserve: {{cpu: 4, memory: 16Gi, pods: 8}}
  - name: other
    flavor: mig
    nodes: 1
    accelerator: {AMD}
    labels: {{pool: mig}}
    perNode: {{cpu: 36, memory: 144Gi, {AMD}: 6, pods: 108}}
    reserve: {{cpu: 4, memory: 16Gi, pods: 8}}
"""


def files(devices: str, whole: bool = True, policies: tuple[str, ...] = ()) -> dict[str, str]:
    text = FILES[VELA]
    start, end = text.index("  - name: mig"), text.index("  kueue:")
    pools = POOLS + (WHOLE if whole else "")
    green = FILES[GREEN].replace(f"{{{SMALL}: 4}}", devices)
    assert green != FILES[GREEN] or devices == f"{{{SMALL}: 4}}"
    shipped = {f"ci/policies/{p}.yaml": (ROOT / f"ci/policies/{p}.yaml").read_text("utf-8") for p in policies}
    return {**FILES, VELA: text[:start] + pools + text[end:], GREEN: green, **shipped}


def tree(found: dict[str, str]) -> MemoryTree:
    return MemoryTree({name: text.encode() for name, text in found.items()})


def seen(found: dict[str, str], usage=None):
    repo = load_repository(tree(found), Settings()).repo
    clusters = {name: build_cluster(reached, name)[0].cluster for name, reached in by_cluster(repo).items()}
    return view(repo, clusters, None if usage is None else {"vela": State((), usage)})


def lines(of_team, flavor="mig"):
    return {q["unit"]: q for q in of_team["quota"] if q["flavor"] == flavor}


def team(found, name="green"):
    return next(t for t in found["teams"] if t["name"] == name)


FOUR = f"{{{SMALL}: 4, {LARGE}: 1, {NVIDIA}: 2, {AMD}: 3}}"


def test_a_team_has_a_line_of_each_unit_with_the_word_of_plans():
    found = lines(team(seen(files(FOUR))))
    assert {unit: (q["unitName"], q["guarantee"]) for unit, q in found.items()} == {
        NVIDIA: (f"GPUs ({NVIDIA})", 2),
        AMD: (f"GPUs ({AMD})", 3),
        SMALL: (SMALL, 4),
        LARGE: (LARGE, 1),
    }
    assert [q["unit"] for q in team(seen(files(FOUR)))["quota"]][
        -4
    ] == NVIDIA  # the one that `gpus` would be first


def test_a_unit_that_a_team_has_nothing_of_has_no_line_but_the_first():
    found = lines(team(seen(files(f"{{{LARGE}: 1}}"))))
    assert {unit: q["guarantee"] for unit, q in found.items()} == {NVIDIA: 0, LARGE: 1}


def test_a_flavor_has_its_hardware_in_each_unit():
    there = seen(files(FOUR))["flavors"]["mig"]["clusters"]["vela"]
    assert (there["unit"], there["hardware"], there["guarantee"]) == (NVIDIA, 4, 2)
    assert {unit: (u["hardware"], u["guarantee"]) for unit, u in there["units"].items()} == {
        NVIDIA: (4, 2),
        AMD: (6, 3),
        SMALL: (8, 4),
        LARGE: (2, 1),
    }
    plain = seen(FILES)["flavors"]["h100"]["clusters"]["pokprod"]
    assert plain["unitName"] == "GPUs"
    assert plain["units"] == {NVIDIA: {key: plain[key] for key in plain["units"][NVIDIA]}}


def test_what_is_in_use_is_told_of_each_unit():
    usage = {"green-lab": {("mig", SMALL): 3, ("mig", AMD): 5}}
    found = lines(team(seen(files(FOUR), usage)))
    assert {unit: q["inUse"] for unit, q in found.items()} == {NVIDIA: 0, AMD: 5, SMALL: 3, LARGE: 0}


def test_a_difference_is_of_each_unit_under_its_own_key():
    before, after = (team(seen(files(d))) for d in (FOUR, f"{{{SMALL}: 1, {NVIDIA}: 4, {AMD}: 3}}"))
    found = delta(before, after)["quota"]
    assert {key: line["guarantee"] for key, line in found.items() if key.startswith("vela/mig")} == {
        "vela/mig": 2,
        f"vela/mig/{AMD}": 0,
        f"vela/mig/{SMALL}": -3,
        f"vela/mig/{LARGE}": -1,
    }


def test_units_are_never_subtracted_from_each_other():
    """The flavor's first unit changes with a pool of whole GPUs: 8 partitions do not become 4 GPUs less."""
    small = f"{{{SMALL}: 4}}"
    before, after = (seen(files(small, whole=whole)) for whole in (False, True))
    found = delta(team(before), team(after))["quota"]
    assert found["vela/mig"]["unit"] == {"before": None, "after": NVIDIA}
    assert (found["vela/mig"]["guarantee"], found[f"vela/mig/{SMALL}"]["guarantee"]) == (0, 0)
    there = delta(before, after)["flavors"]["mig"]["clusters"]["vela"]
    assert (there["unit"], there["hardware"]) == ({"before": SMALL, "after": NVIDIA}, 4)
    assert (there["units"][SMALL]["hardware"], there["units"][AMD]["hardware"]) == (0, 6)
    gone = delta(after, before)["flavors"]["mig"]["clusters"]["vela"]
    assert (gone["unit"], gone["hardware"]) == ({"before": NVIDIA, "after": SMALL}, 0)
    assert gone["units"][NVIDIA]["hardware"] == -4


@cache
def told(devices: str) -> list[str]:
    given = files(devices, policies=("share-of-a-flavor",))
    report = check_repository(tree(given), Settings())[0].report
    return [(f.message, f.primary.origin.path) for f in report.findings if f.code.startswith("POL")]


@pytest.mark.parametrize(
    ("devices", "words"),
    [
        (f"{{{SMALL}: 5, {LARGE}: 1, {NVIDIA}: 2, {AMD}: 4}}", None),
        (f"{{{SMALL}: 6, {LARGE}: 1}}", f"guaranteed 6 of 8 {SMALL} of mig on vela"),
        (f"{{{SMALL}: 1, {LARGE}: 2}}", f"guaranteed 2 of 2 {LARGE} of mig on vela"),
        (
            f"{{{AMD}: 5, {NVIDIA}: 3}}",
            f"guaranteed 3 of 4 GPUs ({NVIDIA}) of mig on vela, guaranteed 5 of 6 GPUs ({AMD}) of mig on vela",
        ),
    ],
)
def test_no_team_has_more_than_its_share_of_any_unit(devices, words):
    end = "; a team is guaranteed at most two thirds of a flavor"
    green = [each for each in told(devices) if each[0].startswith("team green")]
    assert green == ([(f"team green: {words}{end}", ("spec", "queues"))] if words else [])


BELOW = ("guarantee-below-use",)


@pytest.mark.parametrize(
    ("after", "words"),
    [
        (f"{{{SMALL}: 3, {LARGE}: 1, {NVIDIA}: 2, {AMD}: 3}}", None),
        (
            f"{{{SMALL}: 2, {LARGE}: 1, {NVIDIA}: 2, {AMD}: 3}}",
            f"would be guaranteed 2 {SMALL} of mig on vela while 3 are in use",
        ),
        (
            f"{{{SMALL}: 4, {LARGE}: 1, {NVIDIA}: 2}}",
            f"would be guaranteed 0 GPUs ({AMD}) of mig on vela while 2 are in use",
        ),
    ],
)
def test_a_guarantee_may_not_fall_below_use_in_any_unit(after, words):
    base, head = (files(devices, policies=BELOW) for devices in (FOUR, after))
    usage = {"green-lab": {("mig", SMALL): 3, ("mig", AMD): 2}}
    plan = plan_repositories(tree(base), tree(head), Settings(), snapshot={"vela": State((), usage)}).plan
    found = [f.message for f in plan.findings if f.code.startswith("POL")]
    assert found == ([f"team green: {words}"] if words else [])
