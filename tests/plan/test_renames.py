"""A new name is a rename where the old one is gone with the same change, and only there."""

from __future__ import annotations

import pytest
from plan_world import FILES, changed
from planned import planned

RED, BLUE, FLAVORS = "teams/red/team.yaml", "teams/blue/team.yaml", "queues/flavors.yaml"
CRIMSON = FILES[RED].replace("name: red", "name: crimson").replace("spec:", "spec:\n  previously: red")
PARTS = "apiVersion: kohort.dev/v1alpha1\nkind: Flavor\nmetadata: {name: parts}\nspec: {previously: mig}\n"


def renames(files, before=FILES):
    return [(one.kind, one.before, one.after) for one in planned(files, before).plan.renames]


def test_a_team_that_replaces_another_one_is_renamed():
    files = {**FILES, "teams/crimson/team.yaml": CRIMSON}
    del files[RED]
    assert renames(files) == [("Team", "red", "crimson")]
    assert renames(FILES, files) == []  # the way back says nothing of an old name


@pytest.mark.parametrize(
    "added",
    [{"teams/crimson/team.yaml": CRIMSON.replace("[red]", "[crimson]")}, {"queues/parts.yaml": PARTS}],
)
def test_beside_the_old_one_it_is_another_one(added):
    assert renames({**FILES, **added}) == []


def test_an_old_name_that_was_never_declared_renames_nothing():
    assert renames(changed({RED: [("spec:", "spec:\n  previously: scarlet")]})) == []
    assert renames(changed({BLUE: [("- name: train", "- name: learn\n    previously: fit")]})) == []


def test_a_queue_with_a_new_name():
    files = changed({BLUE: [("- name: train", "- name: learn\n    previously: train")]})
    assert renames(files) == [("Queue", "blue/train", "blue/learn")]


def test_one_that_was_there_before_takes_no_other_ones_name():
    before = {
        **FILES,
        "teams/crimson/team.yaml": CRIMSON.replace("  previously: red\n", "").replace("[red]", "[crimson]"),
    }
    after = {**before, "teams/crimson/team.yaml": CRIMSON}
    del after[RED]
    assert renames(after, before) == []
    before = {**FILES, "queues/parts.yaml": PARTS.replace("{previously: mig}", "{}")}
    after = {**before, "queues/parts.yaml": PARTS, FLAVORS: FILES[FLAVORS].rpartition("---\n")[0]}
    assert renames(after, before) == []
