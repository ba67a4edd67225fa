"""Heights of cohorts: what is inactive is left out, as in Kueue's snapshot; without anything inactive they are the tree's own."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "simulator"))
from small_cluster import Cluster, cohort, queue

PAIR = ("f", "gpu")


def heights(cluster):
    state = cluster.machine.world.state
    return {
        node.name: state.cell(node, PAIR).height
        for node in state.ledger.tree.nodes()
        if state.cell(node, PAIR)
    }


def tree(policy="None"):
    return Cluster(
        cohort("root"),
        cohort("x", parent="root"),
        cohort("below", parent="x"),
        cohort("y", parent="root"),
        queue("deep", 0, "below", stopPolicy=policy),
        queue("own", 0, "x"),
        queue("idle-x", 4, "x"),
        queue("other", 0, "y"),
        queue("idle-y", 4, "y"),
        queue("z", 0, "root"),
    )


def test_an_inactive_queue_is_no_leaf():
    world = tree()
    assert heights(world) == {
        "root": 3, "x": 2, "below": 1, "y": 1, "deep": 0, "own": 0, "idle-x": 0, "other": 0, "idle-y": 0, "z": 0,
    }  # fmt: skip
    world.apply(queue("deep", 0, "below", stopPolicy="Hold"))
    assert [heights(world)[name] for name in ("root", "x", "below", "y")] == [2, 1, 0, 1]
    world.apply(queue("deep", 0, "below"))
    assert [heights(world)[name] for name in ("root", "x", "below", "y")] == [3, 2, 1, 1]


@pytest.mark.parametrize(("policy", "first"), [("None", "w1"), ("Hold", "w2")])
def test_the_lower_cohort_goes_first_whatever_the_priority(policy, first):
    """As in `height-decides-with-a-…-queue-below`."""
    world = tree(policy)
    for name, to, priority in (("z1", "z", 0), ("z2", "z", 0), ("w1", "other", 0), ("w2", "own", 5)):
        world.submit(name, to, 4, priority)
    assert world.admitted() == {"z1", "z2"}
    world.finish("z2")
    assert world.admitted() == {"z1", first}
