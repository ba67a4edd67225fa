"""What the model leaves out because it cannot change anything changes nothing: runs with and without it are the same."""

from __future__ import annotations

import pytest
from crowds import Crowd

from kohort.semantics.preemption import classical

SEEDS = 120
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


@pytest.mark.parametrize("first", range(0, SEEDS, 20))
def test_runs_are_the_same_with_and_without(first, monkeypatch):
    for seed in range(first, first + 20):
        short = told(seed)
        with monkeypatch.context() as patch:
            plainly(patch)
            assert told(seed) == short, seed


def test_searches_are_really_left_out(monkeypatch):
    """In a good part of all searches for victims nobody is looked at, so the comparison compares something."""
    answers = []
    real = classical.hopeless
    monkeypatch.setattr(classical, "hopeless", lambda trial: answers.append(real(trial)) or answers[-1])
    for seed in range(40):
        told(seed)
    assert sum(answers) > 100
    assert answers.count(False) > 100
