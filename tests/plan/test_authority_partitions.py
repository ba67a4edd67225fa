"""What a line states by its own number is somebody's affair: each kind of partition, and amounts beside the GPUs."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from kohort.engine.outcome import Settings
from kohort.engine.planning import plan_repositories
from kohort.source.tree import MemoryTree

ROOT = Path(__file__).parents[2]
ROBOTS, BLUE, ORG = "teams/robots/team.yaml", "teams/blue/team.yaml", "kohort.yaml"
SMALL, LARGE = "nvidia.com/mig-1g.10gb", "nvidia.com/mig-3g.40gb"


@cache
def shipped() -> dict[str, bytes]:
    files = [ROOT / "kohort.yaml"]
    for folder in ("clusters", "queues", "teams", "workloads"):
        files += [f for f in sorted((ROOT / folder).rglob("*.yaml")) if "manifests" not in f.parts]
    return {file.relative_to(ROOT).as_posix(): file.read_bytes() for file in files}


def edited(*edits: tuple[str, str, str], files: dict[str, bytes] | None = None) -> dict[str, bytes]:
    found = dict(files or shipped())
    for file, old, new in edits:
        assert old.encode() in found[file], (file, old)
        found[file] = found[file].replace(old.encode(), new.encode(), 1)
    return found


def decided(before, after):
    made = plan_repositories(MemoryTree(before), MemoryTree(after), Settings()).plan
    return [(each.who, each.why) for each in made.approvals], made.self_service


@pytest.mark.parametrize(
    ("kind", "old", "new", "who", "why"),
    [
        (SMALL, 16, 20, "admins", f"team robots would be guaranteed 4 {SMALL} more of mig on vela"),
        (SMALL, 16, 4, "team robots", f"its guarantee falls by 12 {SMALL} (mig on vela: 16 to 4)"),
        (LARGE, 8, 6, "team robots", f"its guarantee falls by 2 {LARGE} (mig on vela: 8 to 6)"),
    ],
)
def test_every_kind_of_partition_asks_for_agreement(kind, old, new, who, why):
    asked, _ = decided(shipped(), edited((ROBOTS, f"{kind}: {old}", f"{kind}: {new}")))
    assert (who, why) in asked


@pytest.mark.parametrize(("trial", "free"), [(24, False), (28, True)])
def test_a_trial_size_is_of_all_kinds_together(trial, free):
    before = edited(
        (ORG, "\n  access:\n", f"\n  authority: {{selfService: {{upTo: {{mig: {trial}}}}}}}\n  access:\n")
    )
    asked, granted = decided(before, edited((ROBOTS, f"{SMALL}: 16", f"{SMALL}: 20"), files=before))
    what = f"team robots would be guaranteed 4 {SMALL} more of mig on vela"
    assert (("admins", what) in asked) is not free
    assert (f"{what}: up to {trial} is a trial size" in granted) is free


def test_a_team_agrees_to_less_beside_its_gpus_where_a_line_states_it():
    asked, _ = decided(
        shipped(), edited((BLUE, "gpus: 8}", "gpus: 8, resources: {cpu: 1, memory: 1Gi, pods: 1}}"))
    )
    assert ("team blue", "its guarantee falls by 215 cpu (h100 on pokprod: 216 to 1)") in asked
    assert ("team blue", "its guarantee falls by 199 pods (h100 on pokprod: 200 to 1)") in asked


def test_what_only_follows_from_the_gpus_is_said_once():
    asked, _ = decided(shipped(), edited((BLUE, "gpus: 8}", "gpus: 6}")))
    assert [why for who, why in asked if "guarantee falls" in why] == [
        "its guarantee falls by 2 GPUs (h100 on pokprod: 8 to 6)"
    ]
