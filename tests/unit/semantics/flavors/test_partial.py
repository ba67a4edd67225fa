"""Partial admission: which counts are tried, in which order, and which one is taken."""

from __future__ import annotations

from flavor_worlds import Says, group, job, queue, world
from hypothesis import given
from hypothesis import strategies as st

from kohort.semantics.assignment import Mode
from kohort.semantics.flavors import assign
from kohort.semantics.flavors.partial import largest, may_shrink
from kohort.semantics.work import PodSetAsk


def shrinking(count, least, name="main"):
    return PodSetAsk(name, count, {"cpu": 1000}, least)


def test_the_largest_count_that_fits_is_found():
    state = world(queue("team", group(("a", {"cpu": 7}))))
    work = job(shrinking(20, 5))
    tried = []

    def accept(counts):
        tried.append(counts["main"])
        answer = assign(work, state.queues["team"], state, Says(), counts=counts)
        return answer if answer.mode is Mode.FIT else None

    answer = largest(work, accept)
    assert tried == [12, 8, 6, 7]
    assert (answer.podsets[0].count, answer.usage) == (7, {("a", "cpu"): 7000})


def test_several_pod_sets_shrink_together_by_their_share_rounded_down():
    work = job(shrinking(10, 4, "a"), shrinking(5, 2, "b"), shrinking(3, None, "c"))
    seen = []
    assert largest(work, lambda counts: seen.append(dict(counts))) is None
    assert seen[0] == {"a": 7, "b": 4, "c": 3}  # step 5 of 9: 6·5/9 and 3·5/9, rounded down
    assert seen[-1] == {"a": 4, "b": 2, "c": 3}


def test_nothing_is_tried_where_nothing_may_shrink():
    work = job(shrinking(4, 4), shrinking(2, None, "b"))
    assert not may_shrink(work)
    assert largest(work, lambda counts: 1 / 0) is None
    assert may_shrink(job(shrinking(4, 3)))


@given(st.integers(1, 300), st.integers(0, 300), st.integers(0, 300))
def test_it_is_the_largest_count_within_bounds(count, least, room):
    work = job(shrinking(count, min(least, count)))
    found = largest(work, lambda counts: counts["main"] if counts["main"] <= room else None)
    allowed = [n for n in range(min(least, count), count + 1) if n <= room]
    assert found == (max(allowed) if allowed and least < count else None)
