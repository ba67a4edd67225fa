"""The quota tree against worked numbers: a three-level example, and the situations of Kueue's own table test."""

from __future__ import annotations

import pytest

from kohort.objects.kube import KubeObject, Typed
from kohort.objects.kueue import read_cluster_queue, read_cohort
from kohort.semantics import UNLIMITED, QuotaTree, Usage

GPU = ("h100", "example.com/gpu")


def _spec(nominal, borrow=None, lend=None):
    if nominal is None:
        return {}
    quota = {"name": GPU[1], "nominalQuota": nominal}
    if borrow is not None:
        quota["borrowingLimit"] = borrow
    if lend is not None:
        quota["lendingLimit"] = lend
    flavor = {"name": GPU[0], "resources": [quota]}
    return {"resourceGroups": [{"coveredResources": [GPU[1]], "flavors": [flavor]}]}


def _object(kind, name, spec):
    data = {"apiVersion": "kueue.x-k8s.io/v1beta2", "kind": kind, "metadata": {"name": name}, "spec": spec}
    return KubeObject(data["apiVersion"], kind, name, "", data, Typed("t.yaml"))


def queue(name, cohort, nominal, borrow=None, lend=None):
    spec = _spec(nominal, borrow, lend) | ({"cohortName": cohort} if cohort else {})
    return read_cluster_queue(_object("ClusterQueue", name, spec))


def cohort(name, parent="", nominal=None, borrow=None, lend=None):
    spec = _spec(nominal, borrow, lend) | ({"parentName": parent} if parent else {})
    return read_cohort(_object("Cohort", name, spec))


def tree_of(*members):
    queues = {m.name: m for m in members if m.obj.kind == "ClusterQueue"}
    cohorts = {m.name: m for m in members if m.obj.kind == "Cohort"}
    return QuotaTree.of(queues, cohorts)


def node(tree, name):
    return tree.queues[name] if name in tree.queues else tree.cohorts[name]


def used(tree, **units):
    usage = Usage()
    for name, amount in units.items():
        usage.add(tree.queues[name], GPU, amount)
    return usage


@pytest.fixture
def example():
    return tree_of(
        cohort("org", nominal=20),
        cohort("research", "org", nominal=10, borrow=15, lend=12),
        cohort("prod", "org"),
        queue("a1", "research", 16, lend=6),
        queue("a2", "research", 8, borrow=4),
        queue("b1", "prod", 30, lend=10),
        queue("b2", "prod", 0),
    )


WORKED = [  # node, Sub, Local, Pot, U, Avail
    ("a1", 16, 10, 49, 14, 24),
    ("a2", 8, 0, 12, 11, 1),
    ("research", 24, 12, 39, 15, 24),
    ("b1", 30, 20, 62, 25, 25),
    ("b2", 0, 0, 42, 9, 25),
    ("prod", 10, 0, 42, 14, 25),
    ("org", 42, 0, 42, 17, 25),
]


@pytest.mark.parametrize(("name", "subtree", "local", "potential", "use", "available"), WORKED)
def test_worked_example(example, name, subtree, local, potential, use, available):
    usage = used(example, a1=14, a2=11, b1=25, b2=9)
    found = node(example, name)
    assert found.subtree(GPU) == subtree
    assert found.local(GPU) == local
    assert found.potential(GPU) == potential
    assert usage.used(found, GPU) == use
    assert usage.available(found, GPU) == available


def test_order_of_reservations_does_not_matter_and_removal_restores(example):
    forwards = used(example, a1=14, a2=11, b1=25, b2=9)
    backwards = used(example, b2=9, b1=25, a2=11, a1=14)
    for name, *_ in WORKED:
        assert forwards.used(node(example, name), GPU) == backwards.used(node(example, name), GPU)
    for name, units in (("a1", 14), ("b1", 25), ("a2", 11), ("b2", 9)):
        forwards.remove(example.queues[name], GPU, units)
    assert [forwards.used(node(example, name), GPU) for name, *_ in WORKED] == [0] * 7


CASES = [
    (  # 1: borrowing and lending limits under a cohort with quota of its own
        [
            cohort("c", nominal=10),
            queue("q1", "c", 10),
            queue("q2", "c", 10, borrow=2),
            queue("q3", "c", 10, lend=5),
        ],
        {"q1": 20, "q2": 10, "q3": 6},
        {"q1": 4, "q2": 2, "q3": 4},
        {"q1": 35, "q2": 12, "q3": 40},
    ),
    (  # 2: two subtrees, one queue keeps everything
        [
            cohort("root"),
            cohort("left", "root", 10),
            cohort("right", "root", 10),
            queue("l", "left", 10),
            queue("r", "right", 10, lend=0),
        ],
        {"l": 10, "r": 5},
        {"l": 20, "r": 25},
        {"l": 30, "r": 40},
    ),
    (  # 3: a borrowing limit on a cohort caps its subtree
        [
            cohort("root"),
            cohort("left", "root", 10, borrow=5),
            cohort("right", "root", 10),
            queue("l1", "left", 10),
            queue("l2", "left", 10, borrow=5),
            queue("r", "right", 10),
        ],
        {},
        {"l1": 35, "l2": 15, "r": 50},
        {"l1": 35, "l2": 15, "r": 50},
    ),
    (  # 4: lending limits at two levels
        [
            cohort("root"),
            cohort("left", "root", 0, lend=5),
            cohort("right", "root", 0),
            queue("l1", "left", 10, lend=5),
            queue("l2", "left", 10),
            queue("r", "right", 0),
            queue("q", "root", 0),
        ],
        {},
        {"l1": 20, "l2": 15, "r": 5, "q": 5},
        {"l1": 20, "l2": 15, "r": 5, "q": 5},
    ),
    (  # 5: overuse of one queue reaches one that neither lends nor borrows
        [cohort("c", nominal=10), queue("q1", "c", 10), queue("q2", "c", 10, borrow=0, lend=0)],
        {"q1": 31},
        {"q1": -11, "q2": -1},
        {"q1": 20, "q2": 10},
    ),
    (  # 6: borrowing from the cohort's own quota
        [cohort("c", nominal=10), queue("q1", "c", 10)],
        {"q1": 11},
        {"q1": 9},
        {"q1": 20},
    ),
]


@pytest.mark.parametrize(("members", "use", "available", "potential"), CASES)
def test_upstream_situations(members, use, available, potential):
    tree = tree_of(*members)
    usage = used(tree, **use)
    assert {n: usage.available(tree.queues[n], GPU) for n in available} == available
    assert {n: tree.queues[n].potential(GPU) for n in potential} == potential


def test_lending_zero_is_not_borrowing_zero():
    tree = tree_of(queue("prod", "org", 8, lend=0), queue("dev", "org", 4), queue("ci", "org", 4, borrow=0))
    assert {n: q.potential(GPU) for n, q in tree.queues.items()} == {"prod": 16, "dev": 8, "ci": 4}
    assert tree.cohorts["org"].implicit
    assert tree.cohorts["org"].subtree(GPU) == 8


def test_queue_without_cohort_is_its_own_tree():
    tree = tree_of(queue("alone", "", 3))
    assert [root.name for root in tree.roots] == ["alone"]
    assert tree.queues["alone"].potential(GPU) == 3
    usage = used(tree, alone=2)
    assert usage.available(tree.queues["alone"], GPU) == 1
    assert usage.borrowing(tree.queues["alone"], GPU, 1) is False
    assert usage.borrowing(tree.queues["alone"], GPU, 2) is True


def test_queue_and_cohort_may_share_a_name():
    tree = tree_of(cohort("blue", nominal=5), queue("blue", "blue", 3))
    assert tree.queues["blue"].parent is tree.cohorts["blue"]
    assert tree.cohorts["blue"].subtree(GPU) == 8


def test_cycle_starts_with_the_first_declared_and_excludes_what_hangs_below():
    tree = tree_of(
        cohort("root", "leaf"),
        cohort("mid", "root"),
        cohort("leaf", "mid"),
        cohort("hanger", "mid"),
        cohort("fine", "absent"),
        queue("a", "leaf", 4),
        queue("b", "hanger", 4),
        queue("c", "fine", 4),
    )
    assert tree.cycles == (("root", "leaf", "mid", "root"),)
    assert tree.excluded_queues == {"a", "b"}
    assert tree.excluded_cohorts == {"root", "mid", "leaf", "hanger"}
    assert set(tree.queues) == {"c"}
    assert tree.queues["c"].root().name == "absent"


def test_cycle_entered_from_outside_is_listed_once_from_its_own_first_member():
    tree = tree_of(cohort("outside", "x"), cohort("y", "x"), cohort("x", "y"))
    assert tree.cycles == (("y", "x", "y"),)
    assert tree.excluded_cohorts == {"outside", "x", "y"}


def test_self_parent_is_a_cycle():
    tree = tree_of(cohort("me", "me"), queue("q", "me", 1))
    assert tree.cycles == (("me", "me"),)
    assert tree.excluded_queues == {"q"}
    assert tree.roots == ()


def test_thousand_levels_without_recursion():
    chain = [cohort(f"c{i}", f"c{i - 1}" if i else "", 1) for i in range(1000)]
    tree = tree_of(*chain, queue("deep", "c999", 1))
    assert tree.queues["deep"].potential(GPU) == 1001
    assert used(tree, deep=7).available(tree.queues["deep"], GPU) == 994
    ring = tree_of(*(cohort(f"c{i}", f"c{(i + 1) % 1000}") for i in range(1000)), queue("q", "c5", 1))
    assert len(ring.cycles[0]) == 1001
    assert ring.excluded_queues == {"q"}


def test_unlimited_quota_saturates():
    tree = tree_of(
        queue("big", "org", "9223372036854775807"), queue("small", "org", 4), queue("shy", "org", 1, borrow=2)
    )
    assert tree.cohorts["org"].subtree(GPU) == UNLIMITED
    assert tree.queues["small"].potential(GPU) == UNLIMITED
    assert tree.queues["shy"].potential(GPU) == 3
    usage = used(tree, big=10**15)
    assert usage.available(tree.queues["small"], GPU) == UNLIMITED


def test_unlimited_that_is_lent_completely_keeps_nothing():
    tree = tree_of(
        queue("q", "org", "9223372036854775807", lend="9223372036854775807"),
        queue("p", "org", "9223372036854775807", lend=1),
    )
    assert tree.queues["q"].local(GPU) == 0
    assert tree.queues["p"].local(GPU) == UNLIMITED


def test_fractions_count_as_kueue_counts_them():
    tree = tree_of(queue("q", "", "500m"))
    assert tree.queues["q"].subtree(GPU) == 1


def test_nodes_come_parents_first_in_order_of_declaration(example):
    assert [n.name for n in example.nodes()] == ["org", "research", "a1", "a2", "prod", "b1", "b2"]
