"""When the search for a better flavor ends: by mode, by borrowing, and by the queue's own words."""

from __future__ import annotations

import pytest
from flavor_worlds import group, queue, world

from kohort.semantics.assignment import Mode
from kohort.semantics.flavors.fungibility import Fungibility

STOP, NEXT = "MayStopSearch", "TryNextFlavor"
ALL = group(("a", {"cpu": 4}))


def searches(mode, borrow, *, when_borrow=STOP, when_preempt=STOP, **settings):
    spec = queue("q", ALL, fungibility={"whenCanBorrow": when_borrow, "whenCanPreempt": when_preempt})
    return Fungibility(spec, world(spec, **settings).settings).searches_on(int(mode), borrow)


@pytest.mark.parametrize("words", [STOP, NEXT])
@pytest.mark.parametrize("mode", [Mode.NO_FIT, Mode.NO_CANDIDATES])
def test_what_cannot_be_had_is_never_the_end(mode, words):
    assert searches(mode, 0, when_borrow=words, when_preempt=words)


def test_a_fit_within_nominal_always_ends_it():
    assert not searches(Mode.FIT, 0, when_borrow=NEXT, when_preempt=NEXT)


@pytest.mark.parametrize(("words", "on"), [(STOP, False), (NEXT, True)])
def test_a_fit_that_borrows_goes_on_where_the_queue_says_so(words, on):
    assert searches(Mode.FIT, 1, when_borrow=words) is on
    assert not searches(Mode.FIT, 1, when_borrow=STOP, when_preempt=NEXT)


@pytest.mark.parametrize(("words", "on"), [(STOP, False), (NEXT, True)])
def test_preemption_goes_on_where_the_queue_says_so(words, on):
    assert searches(Mode.PREEMPT, 0, when_preempt=words) is on
    assert searches(Mode.PREEMPT, 1, when_borrow=NEXT)


def test_without_the_words_only_a_fit_ends_it():
    for mode in Mode:
        on = searches(mode, 1, when_borrow=NEXT, when_preempt=NEXT, on={"FlavorFungibility": False})
        assert on is (mode is not Mode.FIT)
