"""Every changed object says in which part of the plan it is seen, and is seen there; or why it has no effect."""

from __future__ import annotations

from plan_world import changed
from planned import planned

BLUE, GREEN = "teams/blue/team.yaml", "teams/green/team.yaml"
SAME_AMOUNTS = "no effect: every amount comes out as before"
SAME_RIGHTS = "no effect: nobody may do more or less than before"


def seen(edits, before=None):
    plan = planned(changed(edits), changed(before or {})).plan
    return {str(one.ref): one.shows for one in plan.objects}


def test_what_changes_amounts_is_seen_among_them():
    assert seen({BLUE: [("gpus: 8", "gpus: 9")]}) == {"ClusterQueue blue-train": "amounts"}
    assert seen({"clusters/pokprod/cluster.yaml": [("amount: 4", "amount: 2")]}) == {
        "ClusterQueue slack-org-h100": "amounts"
    }


def test_a_limit_above_all_that_can_be_had_changes_no_amount():
    """Green may borrow 16 of the 20 that the tree has beside its own 4, whether 100 or 200 are allowed."""
    high = {GREEN: [("borrow: 4", "borrow: 100")]}
    assert seen({GREEN: [("borrow: 4", "borrow: 200")]}, high) == {"ClusterQueue green": "behaviour"}
    assert seen({GREEN: [("borrow: 4", "borrow: 15")]}, high) == {"ClusterQueue green": "amounts"}


def test_who_has_the_right_already_gains_nothing_by_another_binding():
    viewers = [
        (
            "members: {groups: [blue-devs], users: [alice]}",
            "members: {groups: [blue-devs], users: [alice]}\n    viewers: {users: [alice]}",
        )
    ]
    assert set(seen({BLUE: viewers}).values()) == {SAME_RIGHTS}
    others = [("users: [alice]}", "users: [alice, carol]}")]
    assert set(seen({BLUE: others}).values()) == {"access"}


def test_a_weight_where_nobody_shares_fairly_has_no_effect_and_says_so():
    heavier = [("  - name: lab\n", "  - name: lab\n    weight: 2\n")]
    assert seen({GREEN: heavier}) == {"ClusterQueue green-lab": SAME_AMOUNTS}
