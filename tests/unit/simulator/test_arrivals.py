"""Arrivals are what their laws say, the same for every run with one seed, and independent of each other."""

from __future__ import annotations

import itertools
import statistics
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kohort.model.scenario import Draw, JobSource, Times
from kohort.semantics.work import PodSetAsk
from kohort.simulator.arrivals.drawing import draw, moments
from kohort.simulator.arrivals.jobs import Source, jobs_of, merged
from kohort.simulator.job import Shape, Submitter

HOUR = 3_600_000
BLUE = Submitter("blue", "blue", "default")


def shape(pods, gpus):
    return Shape.of((PodSetAsk("main", pods, {"nvidia.com/gpu": gpus, "cpu": 500}),))


def source(name="train", **given):
    given = {
        "times": Times(law="poisson", every=60_000),
        "gpus": Draw(kind="uniform", low=1, high=8),
        **given,
    }
    duration = given.pop("duration", Draw(kind="lognormal", mean=HOUR, deviation=1.0))
    declared = JobSource(name=name, duration=duration, path=("spec", "jobs", 0), **given)
    return Source(declared, BLUE, shape)


def test_constant_and_stated_moments():
    assert list(moments(Times(law="constant", every=10, start=5), 30, Random(1))) == [5, 15, 25]
    assert list(moments(Times(law="constant", every=10, count=2), 1000, Random(1))) == [0, 10]
    assert list(moments(Times(law="at", at=(7, 3), count=2), 100, Random(1))) == [3, 3, 7, 7]
    assert list(moments(Times(law="at", at=(7, 300)), 100, Random(1))) == [7]


def test_poisson_pauses_have_mean_and_spread_of_an_exponential():
    times = list(moments(Times(law="poisson", every=60_000), 20_000 * 60_000, Random(3)))
    pauses = [b - a for a, b in itertools.pairwise(times)]
    assert statistics.mean(pauses) == pytest.approx(60_000, rel=0.03)
    assert statistics.stdev(pauses) == pytest.approx(60_000, rel=0.03)
    assert times == sorted(times)


@pytest.mark.parametrize(
    ("law", "mean", "spread"),
    [
        (Draw(kind="uniform", low=0, high=100), 50, 29.2),
        (Draw(kind="normal", mean=1000, deviation=100), 1000, 100),
        (Draw(kind="choice", values=(1, 8), weights=(3.0, 1.0)), 2.75, 3.03),
    ],
)
def test_distributions_have_their_mean_and_spread(law, mean, spread):
    random = Random(5)
    drawn = [draw(law, random) for _ in range(20_000)]
    assert statistics.mean(drawn) == pytest.approx(mean, rel=0.02)
    assert statistics.stdev(drawn) == pytest.approx(spread, rel=0.03)


def test_lognormal_has_its_median_and_a_long_tail():
    random = Random(5)
    drawn = [draw(Draw(kind="lognormal", mean=1000, deviation=1.0), random) for _ in range(20_000)]
    assert statistics.median(drawn) == pytest.approx(1000, rel=0.03)
    assert statistics.mean(drawn) == pytest.approx(1000 * 2.718281828**0.5, rel=0.05)


@given(
    st.sampled_from(["normal", "lognormal"]),
    st.integers(1, 10**9),
    st.floats(0.1, 10),
    st.integers(1, 50),
    st.integers(0, 50),
    st.integers(0, 10**6),
)
def test_bounds_hold_for_every_number(kind, mean, deviation, low, more, seed):
    law = Draw(kind=kind, mean=mean, deviation=deviation, low=low, high=low + more)
    assert low <= draw(law, Random(seed)) <= low + more


def test_one_seed_gives_one_load_and_another_seed_another():
    first, again = (list(jobs_of(source(), 1, HOUR)) for _ in range(2))
    assert first == again
    assert len(first) > 30
    assert first != list(jobs_of(source(), 2, HOUR))


def test_the_numbers_of_a_seed_are_the_same_on_every_machine():
    jobs = list(jobs_of(source(), 1, HOUR))[:3]
    assert [(job.name, job.submitted, job.duration, job.shape.devices) for job in jobs] == [
        ("train-1", 209495, 25628798, 4),
        ("train-2", 509530, 11145782, 5),
        ("train-3", 527255, 2251672, 1),
    ]


def test_another_source_shifts_nothing():
    alone = list(merged([jobs_of(source(), 1, HOUR)]))
    both = list(merged([jobs_of(source("other"), 1, HOUR), jobs_of(source(), 1, HOUR)]))
    assert [job for job in both if job.source == "train"] == alone
    assert [job.submitted for job in both] == sorted(job.submitted for job in both)
    assert [j.submitted for j in both if j.source == "other"] != [j.submitted for j in alone]


def test_another_law_of_sizes_shifts_neither_moments_nor_lengths():
    plain = list(jobs_of(source(), 1, HOUR))
    larger = list(jobs_of(source(gpus=Draw(kind="fixed", values=(8,))), 1, HOUR))
    assert [(j.submitted, j.duration) for j in plain] == [(j.submitted, j.duration) for j in larger]
    assert {j.shape.devices for j in larger} == {8}


def test_a_shape_counts_devices_and_cores_of_all_pods():
    assert (shape(3, 4).devices, shape(3, 4).cores, shape(3, 4).pods) == (12, 1500, 3)
