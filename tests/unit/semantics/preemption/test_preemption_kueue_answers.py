"""What Kueue 0.19.1 itself answers on random clusters.

`kueue_preemption_answers.json` holds, line by line: seed, kind and number of a question of `preemption_scenarios`, the
victims that GetTargets of `pkg/scheduler/preemption` names, and what SimulatePreemption says of each flavor-resource
(possibility, height of borrowing). Clusters of the kind in which shares often tie were asked 24 times, since Kueue takes
equal cohorts in random order: all its answers stand here, without the order of their victims.
"""

from __future__ import annotations

import functools
import json
import random
from pathlib import Path

import pytest
from preemption_scenarios import asked, build, scenario

from kohort.semantics.assignment import Mode
from kohort.semantics.preemption.oracle import simulate
from kohort.semantics.preemption.targets import any_of

ANSWERS = json.loads((Path(__file__).parent / "kueue_preemption_answers.json").read_text())
WORDS = {
    "InClusterQueue": "own",
    "InCohortReclamation": "reclaim",
    "InCohortFairSharing": "fair",
    "InCohortReclaimWhileBorrowing": "borrow",
}
MODES = {Mode.NO_CANDIDATES: "NoCandidates", Mode.PREEMPT: "Preempt", Mode.RECLAIM: "Reclaim"}


@functools.cache
def world(seed, ties):
    values = scenario(random.Random(seed), ties=ties)
    return values, build(values)


def told(victims, *, ordered):
    names = [f"{victim.work.name}:{WORDS[victim.reason]}" for victim in victims]
    if not ordered:
        names.sort()
    return " ".join(names)


@pytest.mark.parametrize("part", range(6))
def test_victims_and_the_oracle_are_as_kueue_names_them(part):
    wrong = []
    compared = 0
    for seed, ties, place, victims, oracle in ANSWERS[part::6]:
        values, cluster = world(seed, ties)
        work, name, assignment = asked(values, place)
        queue = cluster.state.queues[name]
        possible = {told(each, ordered=not ties) for each in any_of(work, queue, assignment, cluster.state)}
        if not set(victims) <= possible or (ties and len(possible) != len(victims)):
            wrong.append(f"seed {seed}, ties {ties}, question {place}: {possible}, Kueue {victims}")
        for (flavor, resource), units in assignment.usage.items():
            mode, height = simulate(work, queue, (flavor, resource), units, cluster.state)
            said = f"{MODES[mode]} {height}"
            if said not in oracle[f"{flavor}/{resource}"]:
                wrong.append(f"seed {seed}, ties {ties}, question {place}, {flavor}: {said}, Kueue {oracle}")
        compared += 1
    assert not wrong, "\n".join(wrong)
    assert compared == len(ANSWERS[part::6])


def test_the_answers_cover_every_reason_and_several_victims():
    words = [victims for _, _, _, victims, _ in ANSWERS]
    for reason in WORDS.values():
        assert sum(any(f":{reason}" in each for each in victims) for victims in words) >= 10, reason
    assert sum(any(each.count(" ") >= 2 for each in victims) for victims in words) >= 50
