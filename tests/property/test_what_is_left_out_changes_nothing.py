"""What the model leaves out because it cannot change anything changes nothing: runs with and without it are the same."""

from __future__ import annotations

import pytest
from crowds import Crowd

from kohort.semantics.preemption import classical
from kohort.simulator import passing_over

SEEDS = 240
STEPS = 40


def told(seed):
    crowd = Crowd(seed)
    story = crowd.play(STEPS)
    works = {
        key: (work.tried, work.order_time, work.conditions) for key, work in crowd.machine.world.works.items()
    }
    return story, works


def plainly(patch):
    """Look at everything, whether it can change anything or not."""
    patch.setattr(classical, "hopeless", lambda _trial: False)
    patch.setattr(passing_over, "fruitless", lambda _work, _queue, _state: None)


@pytest.mark.parametrize("first", range(0, SEEDS, 20))
def test_runs_are_the_same_with_and_without(first, monkeypatch):
    for seed in range(first, first + 20):
        short = told(seed)
        with monkeypatch.context() as patch:
            plainly(patch)
            assert told(seed) == short, seed


def test_much_is_really_left_out(monkeypatch):
    """In a good part of all searches nobody is looked at, and many heads are not attempted, so something is compared."""
    searches, heads, aside = [], [], []

    def noted(real, into):
        return lambda *given: into.append(real(*given)) or into[-1]

    monkeypatch.setattr(classical, "hopeless", noted(classical.hopeless, searches))
    monkeypatch.setattr(passing_over, "fruitless", noted(passing_over.fruitless, heads))
    monkeypatch.setattr(passing_over, "stands_aside", noted(passing_over.stands_aside, aside))
    for seed in range(40):
        told(seed)
    assert searches.count(True) > 50
    assert searches.count(False) > 100
    outcomes = [each.outcome.value for each in heads if each is not None]
    assert outcomes.count("NoFit") > 100
    assert outcomes.count("PreemptionNoCandidates") > 50
    assert heads.count(None) > 500
    assert aside.count(True) > 50
    assert aside.count(False) > 10
