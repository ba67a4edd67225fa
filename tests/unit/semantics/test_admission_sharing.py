"""Admission fair sharing: fading by half-life, entry penalties, and the order that comes of it."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kohort.objects.kube import KubeObject, Typed
from kohort.objects.kueue import read_local_queue
from kohort.semantics.settings import AdmissionSharing
from kohort.semantics.sharing import admission
from kohort.semantics.sharing.admission import Consumption
from kohort.semantics.work import Work

MINUTE = 60_000
SHARING = AdmissionSharing(half_life=10 * MINUTE, sampling=5 * MINUTE)
NANO = 10**9


def running(cpu=4000, gpu=0):
    usage = {("a", "cpu"): cpu} | ({("a", "gpu"): gpu} if gpu else {})
    return Work("blue/job", "main", (), usage=usage)


def test_after_one_half_life_half_of_the_past_is_half_of_the_present():
    assert admission.decayed({"cpu": 8 * NANO}, {"cpu": 2 * NANO}, 10 * MINUTE, 10 * MINUTE) == {
        "cpu": 5 * NANO
    }
    assert admission.decayed({"cpu": 8 * NANO}, {}, 20 * MINUTE, 10 * MINUTE) == {"cpu": 2 * NANO}
    assert admission.decayed({}, {"gpu": NANO}, 0, 10 * MINUTE) == {"gpu": 0}


def test_the_entry_penalty_is_what_one_sampling_interval_lets_in():
    part = 1 - 0.5**0.5
    penalty = admission.entry_penalty(running(cpu=4000, gpu=2), SHARING)
    assert penalty == {"cpu": int(4 * NANO * part), "gpu": int(2 * NANO * part)}


def test_a_reservation_counts_at_once_and_once():
    of, work = Consumption(), running()
    admission.charge(of, work, SHARING)
    charged = admission.score(of, 1, {})
    assert charged == pytest.approx(4 * (1 - 0.5**0.5))
    admission.settle(of, work, admission.usage_of([work]), 1000, SHARING)
    assert of.penalty == {}
    assert admission.score(of, 1, {}) == pytest.approx(charged)
    assert of.updated == 1000


def test_penalties_of_others_stay_when_one_is_settled():
    of, first, second = Consumption(), running(cpu=1000), running(cpu=2000)
    admission.charge(of, first, SHARING)
    admission.charge(of, second, SHARING)
    admission.settle(of, first, {}, 0, SHARING)
    assert of.penalty == admission.entry_penalty(second, SHARING)
    admission.cancel(of, running(cpu=9000), SHARING)  # more than was charged
    assert of.penalty == {}


def test_sampling_once_per_interval_unless_a_penalty_is_open():
    of = Consumption()
    assert admission.due(of, 0, SHARING)
    admission.sample(of, {"cpu": 7 * NANO}, 0, SHARING)
    assert of.consumed == {"cpu": 0}  # the first look only starts the clock
    assert not admission.due(of, 5 * MINUTE - 1, SHARING)
    assert admission.due(of, 5 * MINUTE, SHARING)
    admission.charge(of, running(), SHARING)
    assert admission.due(of, 1, SHARING)


def test_time_does_not_run_backwards():
    of = Consumption({"cpu": NANO}, updated=5000)
    admission.sample(of, {"cpu": 9 * NANO}, 1000, SHARING)
    assert (of.consumed, of.updated) == ({"cpu": NANO}, 5000)


@pytest.mark.parametrize("now", [5000, 1000])
def test_a_settlement_at_the_same_moment_or_an_earlier_one_fades_nothing(now):
    of, work = Consumption({"cpu": 1000 * NANO}, updated=5000), running()
    admission.settle(of, work, {}, now, SHARING)
    assert of.consumed == {"cpu": 1000 * NANO + admission.entry_penalty(work, SHARING)["cpu"]}
    assert of.updated == 5000


def test_without_a_half_life_nothing_is_remembered():
    forgetful = AdmissionSharing(half_life=0)
    of = Consumption({"cpu": NANO}, updated=0)
    admission.charge(of, running(), forgetful)
    assert of.penalty == {"cpu": 0}
    admission.sample(of, {"cpu": NANO}, 9, forgetful)
    assert (of.consumed, admission.score(of, 1, {})) == ({}, 0.0)


def test_the_score_is_in_raw_units_so_memory_drowns_the_rest_without_weights():
    of = Consumption({"cpu": 4 * NANO, "memory": 2**30 * NANO})
    assert admission.score(of, 1, {}) == 2**30 + 4
    assert admission.score(of, 2, {"memory": Fraction(0), "cpu": Fraction(1, 2)}) == 1.0
    assert admission.score(of, 0, {}) == math.inf
    assert admission.score(Consumption(), -1, {}) == math.inf  # never first by 0/0


@pytest.mark.parametrize(
    ("spec", "weight"),
    [
        ({}, 1),
        ({"fairSharing": {}}, 1),
        ({"fairSharing": {"weight": "500m"}}, 0.5),
        ({"fairSharing": {"weight": 0}}, 0),
    ],
)
def test_the_weight_of_a_local_queue(spec, weight):
    data = {
        "apiVersion": "kueue.x-k8s.io/v1beta2",
        "kind": "LocalQueue",
        "metadata": {"name": "main"},
        "spec": spec,
    }
    queue = read_local_queue(
        KubeObject(data["apiVersion"], "LocalQueue", "main", "blue", data, Typed("t.yaml"))
    )
    assert admission.local_weight(queue) == weight
    assert admission.local_weight(None) == 1


@given(st.integers(0, 10**15), st.integers(0, 10**7), st.integers(1, 10**7))
def test_the_past_fades_to_nothing_and_never_grows(amount, elapsed, half_life):
    faded = admission.decayed({"cpu": amount}, {}, elapsed, half_life)["cpu"]
    assert 0 <= faded <= amount
    assert admission.decayed({"cpu": faded}, {}, elapsed, half_life)["cpu"] <= faded


@given(st.integers(0, 10**15), st.integers(0, 10**15), st.integers(0, 10**7))
def test_consumption_stays_between_past_and_present(past, present, elapsed):
    now = admission.decayed({"cpu": past}, {"cpu": present}, elapsed, 600_000)["cpu"]
    assert min(past, present) - 2 <= now <= max(past, present)
