"""The joint proof against networkx and against Hall's condition by brute force."""

from __future__ import annotations

from itertools import combinations

import networkx as nx
from hypothesis import given, settings
from hypothesis import strategies as st

from kohort.capacity.flow import placeable, room, shortfalls

FLAVORS = ("a", "b", "c", "d", "e")

demands = st.dictionaries(st.sampled_from(FLAVORS), st.integers(0, 20), max_size=5)
groups = st.lists(
    st.tuples(st.frozensets(st.sampled_from(FLAVORS), min_size=1), st.integers(0, 20)), max_size=7
)


def by_networkx(demand, supply):
    graph = nx.DiGraph()
    graph.add_nodes_from(["source", "sink"])
    for flavor, units in demand.items():
        graph.add_edge("source", flavor, capacity=units)
    for number, (flavors, units) in enumerate(supply):
        graph.add_edge(number, "sink", capacity=units)
        for flavor in flavors & set(demand):
            graph.add_edge(flavor, number)
    return nx.maximum_flow_value(graph, "source", "sink")


def overload(demand, supply, flavors):
    there = sum(units for served, units in supply if served & set(flavors))
    return sum(demand[f] for f in flavors) - there


@given(demands, groups)
@settings(max_examples=300, deadline=None)
def test_placeable_is_the_maximum_flow(demand, supply):
    assert placeable(demand, supply) == by_networkx(demand, supply)


@given(demands, groups)
@settings(max_examples=300, deadline=None)
def test_shortfalls_are_true_disjoint_and_complete(demand, supply):
    found = shortfalls(demand, supply)
    for short in found:
        assert short.excess == overload(demand, supply, short.flavors) > 0
        assert short.demand == sum(demand[f] for f in short.flavors)
    named = [flavor for short in found for flavor in short.flavors]
    assert len(named) == len(set(named))
    # What cannot be placed at all is exactly the sum of what is reported.
    assert sum(short.excess for short in found) == sum(demand.values()) - by_networkx(demand, supply)


@given(demands, groups)
@settings(max_examples=150, deadline=None)
def test_no_shortfall_exactly_when_halls_condition_holds(demand, supply):
    every = [part for size in range(1, len(demand) + 1) for part in combinations(demand, size)]
    holds = all(overload(demand, supply, part) <= 0 for part in every)
    assert (shortfalls(demand, supply) == []) is holds


@given(demands, groups)
@settings(max_examples=150, deadline=None)
def test_no_smaller_set_in_a_shortfall_is_as_overloaded(demand, supply):
    for short in shortfalls(demand, supply):
        for size in range(1, len(short.flavors)):
            for part in combinations(short.flavors, size):
                assert overload(demand, supply, part) < short.excess


@given(demands, groups, st.sampled_from(FLAVORS))
@settings(max_examples=150, deadline=None)
def test_room_fits_and_one_more_does_not(demand, supply, flavor):
    more = room(flavor, demand, supply)
    before = placeable(demand, supply)
    assert placeable({**demand, flavor: demand.get(flavor, 0) + more}, supply) >= before + (
        more if not shortfalls(demand, supply) else 0
    )
    if not shortfalls(demand, supply):
        wider = {**demand, flavor: demand.get(flavor, 0) + more + 1}
        assert placeable(wider, supply) == before + more


@given(demands, groups, st.integers(0, 6))
@settings(max_examples=100, deadline=None)
def test_more_nodes_never_break_a_promise(demand, supply, extra):
    before = sum(short.excess for short in shortfalls(demand, supply))
    after = sum(short.excess for short in shortfalls(demand, [*supply, (frozenset("ab"), extra)]))
    assert after <= before
