"""Cells under load against the older arithmetic at rest, on random trees and random reservations."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_quota_tree import GPU, cohort, node, queue, tree_of

from kohort.semantics import UNLIMITED, Usage
from kohort.semantics.ledger import Ledger

LIMIT = st.one_of(st.none(), st.integers(0, 40))
NOMINAL = st.one_of(st.integers(0, 40), st.just(2**63 - 1))


@st.composite
def trees(draw):
    """Up to four cohorts in any tree below r, up to five queues anywhere in it or alone."""
    names = [f"c{n}" for n in range(draw(st.integers(0, 4)))]
    members = [cohort("r", nominal=draw(st.one_of(st.none(), NOMINAL)))]
    for at, name in enumerate(names):
        parent = draw(st.sampled_from(["r", *names[:at]]))
        nominal = draw(st.one_of(st.none(), NOMINAL))
        limits = (None, None) if nominal is None else (draw(LIMIT), draw(LIMIT))
        members.append(cohort(name, parent, nominal, *limits))
    for n in range(draw(st.integers(1, 5))):
        home = draw(st.sampled_from(["", "r", *names]))
        members.append(queue(f"q{n}", home, draw(NOMINAL), *((draw(LIMIT), draw(LIMIT)) if home else ())))
    return tree_of(*members)


def loads(count=12):
    return st.lists(st.tuples(st.integers(0, 4), st.integers(0, 60)), max_size=count)


def cells_of(ledger):
    return [cell for each in ledger.tree.nodes() for cell in ledger.cells(each).values()]


@given(trees(), loads(), st.data())
@settings(max_examples=300)
def test_cells_answer_as_the_older_usage_does(tree, load, data):
    ledger, usage = Ledger(tree), Usage()
    queues = list(tree.queues.values())
    held = []
    for which, units in load:
        target = queues[which % len(queues)]
        if held and units % 3 == 0:
            back, amount = held.pop(data.draw(st.integers(0, len(held) - 1)))
            ledger.cells(back)[GPU].remove(amount)
            usage.remove(back, GPU, amount)
        else:
            held.append((target, units))
            ledger.cells(target)[GPU].add(units)
            usage.add(target, GPU, units)
        for cell in cells_of(ledger):
            assert cell.used == usage.used(cell.node, GPU)
            assert cell.available() == usage.available(cell.node, GPU)
            assert cell.borrowing_with(5) == usage.borrowing(cell.node, GPU, 5)


@given(trees(), loads(), loads())
def test_remove_in_reverse_order_undoes_add(tree, before, tried):
    ledger = Ledger(tree)
    queues = [ledger.cells(each)[GPU] for each in tree.queues.values()]
    for which, units in before:
        queues[which % len(queues)].add(units)
    then = [cell.used for cell in cells_of(ledger)]
    for which, units in tried:
        queues[which % len(queues)].add(units)
    for which, units in reversed(tried):
        queues[which % len(queues)].remove(units)
    assert [cell.used for cell in cells_of(ledger)] == then


@given(trees(), loads(), loads())
def test_taking_out_and_putting_back_restores_as_well(tree, held, kept):
    ledger = Ledger(tree)
    queues = [ledger.cells(each)[GPU] for each in tree.queues.values()]
    for which, units in (*held, *kept):
        queues[which % len(queues)].add(units)
    then = [cell.used for cell in cells_of(ledger)]
    for which, units in held:
        queues[which % len(queues)].remove(units)
    for which, units in reversed(held):
        queues[which % len(queues)].add(units)
    assert [cell.used for cell in cells_of(ledger)] == then


@given(trees(), loads())
def test_what_is_left_never_exceeds_what_could_ever_be_had(tree, load):
    ledger = Ledger(tree)
    queues = [ledger.cells(each)[GPU] for each in tree.queues.values()]
    for which, units in load:
        queues[which % len(queues)].add(units)
        for cell in cells_of(ledger):
            assert cell.available() <= cell.potential
            assert cell.room() == max(0, cell.available())


@given(trees(), loads())
def test_usage_is_conserved_up_the_tree(tree, load):
    ledger = Ledger(tree)
    queues = [ledger.cells(each)[GPU] for each in tree.queues.values()]
    for which, units in load:
        queues[which % len(queues)].add(units)
    for cell in cells_of(ledger):
        if cell.children:
            assert cell.used == sum(max(0, child.used - child.local) for child in cell.children)


@given(trees(), loads(), st.integers(0, 80))
def test_what_fits_in_the_room_leaves_no_more_room_than_before(tree, load, units):
    ledger = Ledger(tree)
    queues = [ledger.cells(each)[GPU] for each in tree.queues.values()]
    for which, amount in load:
        queues[which % len(queues)].add(amount)
    for cell in queues:
        room = cell.room()
        if units <= room != UNLIMITED:
            cell.add(units)
            assert cell.room() == room - units
            cell.remove(units)


@given(trees(), loads(), st.integers(0, 80))
def test_the_borrow_height_is_that_of_the_first_ancestor_with_enough_left(tree, load, units):
    ledger = Ledger(tree)
    for which, amount in load:
        [ledger.cells(n)[GPU] for n in tree.queues.values()][which % len(tree.queues)].add(amount)
    for home in tree.queues.values():
        cell = ledger.cells(home)[GPU]
        height, below_root = cell.borrow_height(units)
        if cell.parent is None or cell.used + units <= cell.nominal:
            assert (height, below_root) == (0, cell.parent is not None)
            continue
        left, above = units - max(0, cell.local - cell.used), cell.parent
        while above.parent is not None and above.used + left > above.subtree:
            left -= max(0, above.local - above.used)
            above = above.parent
        held = above.used + left <= above.subtree
        assert (height, below_root) == (above.height, held and above.parent is not None)


def test_heights_count_edges_to_the_furthest_leaf():
    tree = tree_of(
        cohort("org"), cohort("deep", "org"), cohort("deeper", "deep"), cohort("flat", "org"),
        queue("a", "deeper", 1), queue("b", "flat", 1), queue("c", "org", 1), queue("alone", "", 1),
    )  # fmt: skip
    ledger = Ledger(tree)
    heights = {
        name: ledger.cells(node(tree, name))[GPU].height
        for name in ("a", "deeper", "deep", "flat", "org", "alone")
    }
    assert heights == {"a": 0, "deeper": 1, "deep": 2, "flat": 1, "org": 3, "alone": 0}


@pytest.mark.parametrize("home", ["", "c"])
def test_usage_of_a_pair_that_has_no_quota_any_more_counts_above(home):
    tree = tree_of(
        queue("gone", home, None), queue("other", home, 10), *([cohort("c", nominal=5)] if home else [])
    )
    ledger = Ledger(tree)
    stray = ledger.stray(tree.queues["gone"], GPU)
    assert GPU not in ledger.cells(tree.queues["gone"])
    assert (stray.nominal, stray.subtree) == (0, 0)
    stray.add(4)
    other = ledger.cells(tree.queues["other"])[GPU]
    assert other.available() == (11 if home else 10)
    assert stray.borrowing_with(0)
    assert ledger.stray(tree.queues["gone"], GPU) is stray
    stray.remove(4)
    assert other.available() == (15 if home else 10)
