"""Another quota for a while is exactly the world that would be built with it, and leaves no trace."""

import copy

from hypothesis import given, settings
from hypothesis import strategies as st

from kohort.objects.kube import KubeObject, Typed
from kohort.objects.kueue import read_cluster_queue, read_cohort
from kohort.semantics.settings import Settings
from kohort.semantics.state import State
from kohort.semantics.tree import Limits
from kohort.semantics.what_if import other_limits

PAIR = ("h100", "nvidia.com/gpu")
SIZES = st.one_of(st.integers(0, 9), st.sampled_from([2**62, 2**63 - 1]))
LIMIT = st.one_of(st.none(), st.integers(0, 9))


def thing(kind, name, spec, sizes):
    nominal, borrow, lend = sizes
    entry = {"name": PAIR[1], "nominalQuota": str(nominal)}
    if borrow is not None:
        entry["borrowingLimit"] = str(borrow)
    if lend is not None:
        entry["lendingLimit"] = str(lend)
    group = {"coveredResources": [PAIR[1]], "flavors": [{"name": PAIR[0], "resources": [entry]}]}
    data = {"metadata": {"name": name}, "spec": {**spec, "resourceGroups": [group]}}
    return KubeObject("kueue.x-k8s.io/v1beta2", kind, name, "", data, Typed("x"))


@st.composite
def trees(draw):
    """Cohorts 0..n−1, each below an earlier one; queues anywhere; each with quota, limits and usage."""
    limits = st.tuples(SIZES, LIMIT, LIMIT)
    cohorts = [
        (f"c{i}", f"c{draw(st.integers(0, i - 1))}" if i else "") for i in range(draw(st.integers(1, 4)))
    ]
    queues = [(f"q{i}", f"c{draw(st.integers(0, len(cohorts) - 1))}") for i in range(draw(st.integers(1, 4)))]
    sizes = {name: draw(limits) for name, _ in (*cohorts, *queues)}
    used = {name: draw(st.lists(st.integers(0, 12), max_size=3)) for name, _ in queues}
    return cohorts, queues, sizes, used


def state_of(cohorts, queues, sizes, used):
    state = State(
        Settings(),
        specs={
            n: read_cluster_queue(thing("ClusterQueue", n, {"cohortName": c}, sizes[n])) for n, c in queues
        },
        cohorts={
            n: read_cohort(thing("Cohort", n, {"parentName": p} if p else {}, sizes[n])) for n, p in cohorts
        },
    )
    state.rebuild()
    for name, amounts in used.items():
        for units in amounts:
            state.queues[name].add({PAIR: units})
    return state


def facts(state):
    nodes = {node.name: state.cell(node, PAIR) for node in state.ledger.tree.nodes()}
    return {
        name: (
            c.nominal,
            c.subtree,
            c.local,
            c.lent,
            c.borrowing,
            c.potential,
            c.used,
            c.available(),
            c.borrow_height(3),
        )
        for name, c in nodes.items()
    }


@settings(max_examples=150, deadline=None)
@given(trees(), st.integers(0, 7), st.tuples(SIZES, LIMIT, LIMIT))
def test_a_tried_quota_is_the_world_with_that_quota(tree, pick, sizes):
    cohorts, queues, before, used = tree
    names = [name for name, _ in (*cohorts, *queues)]
    name = names[pick % len(names)]
    state = state_of(cohorts, queues, before, used)
    expected = facts(state_of(cohorts, queues, {**before, name: sizes}, used))
    plain = copy.deepcopy(facts(state))
    node = {n.name: n for n in state.ledger.tree.nodes()}[name]
    limits = state_of(cohorts, queues, {**before, name: sizes}, used)
    wanted = {n.name: n for n in limits.ledger.tree.nodes()}[name].limits[PAIR]
    with other_limits(state, node, PAIR, wanted):
        assert facts(state) == expected
    assert facts(state) == plain


def test_usage_tried_within_is_undone_before_the_end():
    state = state_of(
        [("c0", "")],
        [("q0", "c0"), ("q1", "c0")],
        {"c0": (0, None, None), "q0": (4, None, None), "q1": (4, None, 1)},
        {},
    )
    queue = state.queues["q0"]
    before = facts(state)
    with other_limits(state, queue.node, PAIR, Limits(10, None, None)):
        queue.add({PAIR: 9})
        assert queue.cells[PAIR].room() == 2
        queue.remove({PAIR: 9})
    assert facts(state) == before
