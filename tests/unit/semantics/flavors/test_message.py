"""Kueue's words for what does not fit; where a text is quoted it was read off a real Kueue or its own tests."""

from __future__ import annotations

import pytest
from flavor_worlds import Says, ask, flavor, group, job, queue, use, world

from kohort.semantics.flavors import assign
from kohort.semantics.flavors.message import condition_reason, message, with_preemptions

GI = 1024**3


def told(state, work):
    return message(assign(work, state.queues["team"], state, Says()))


def test_what_is_missing():
    state = world(queue("team", group(("default", {"cpu": 4}))))
    use(state, "team", "default", cpu=4)
    text = told(state, job(ask(cpu=1)))
    assert text == (
        "couldn't assign flavors to pod set main: insufficient unused quota for cpu in flavor default, 1 more needed"
    )
    assert with_preemptions(text, 2) == f"{text}. Pending the preemption of 2 workload(s)"


def test_more_than_the_maximum_with_what_earlier_pod_sets_took():
    state = world(queue("team", group(("default", {"cpu": 4, "memory": 8 * GI}), covers=("cpu", "memory"))))
    work = job(ask(name="driver", memory=6 * GI), ask(name="workers", count=3, memory=GI + 1))
    assert told(state, work) == (
        "couldn't assign flavors to pod set workers: insufficient quota for memory in flavor default, previously "
        "considered podsets requests (6Gi) + current podset request (3221225475) > maximum capacity (8Gi)"
    )


def test_fractions_of_cpu_and_thousands_of_others():
    state = world(queue("team", group(("default", {"cpu": "1500m", "gpu": 1000}), covers=("cpu", "gpu"))))
    text = told(state, job(ask(count=2, cpu=2, gpu=2500)))
    assert "current podset request (4) > maximum capacity (1500m)" in text
    assert "current podset request (5k) > maximum capacity (1k)" in text
    assert text.index("for cpu") < text.index("for gpu")  # sorted


def test_reasons_of_all_flavors_are_sorted_and_joined():
    state = world(
        flavor("tainted", nodeTaints=[{"key": "instance", "value": "spot", "effect": "NoSchedule"}]),
        flavor("labelled", nodeLabels={"type": "two"}),
        flavor("topological", topologyName="racks"),
        queue(
            "team",
            group(
                ("tainted", {"cpu": 4}),
                ("labelled", {"cpu": 4}),
                ("topological", {"cpu": 4}),
                ("full", {"cpu": 4}),
            ),
        ),
        topologies={"racks": ("rack",)},
    )
    use(state, "team", "full", cpu=4)
    assert told(state, job(ask(cpu=3, pod={"nodeSelector": {"type": "one"}}))) == (
        'couldn\'t assign flavors to pod set main: Flavor "topological" supports only TopologyAwareScheduling, '
        "flavor labelled doesn't match node affinity, insufficient unused quota for cpu in flavor full, 3 more needed, "
        "untolerated taint {instance spot NoSchedule <nil>} in flavor tainted"
    )


@pytest.mark.parametrize(
    ("requests", "words"),
    [
        ({"cpu": 9, "example_gpu": 1}, "resource example/gpu unavailable in ClusterQueue"),
        ({"memory": 9, "example_gpu": 1}, "insufficient quota for memory in flavor default"),
    ],
)
def test_only_the_first_failure_is_told_and_resources_are_looked_at_by_the_hash_of_their_names(
    requests, words
):
    state = world(queue("team", group(("default", {"cpu": 4, "memory": 4}), covers=("cpu", "memory"))))
    text = told(state, job(ask(**requests)))
    assert text.startswith(f"couldn't assign flavors to pod set main: {words}")
    assert text.count("resource") + text.count("insufficient") == 1


def test_a_flavor_that_is_gone():
    state = world(queue("team", group(("ghost", {"cpu": 4}))))
    del state.flavors["ghost"]
    state.rebuild()
    assert told(state, job(ask(cpu=1))) == "couldn't assign flavors to pod set main: flavor ghost not found"


def test_an_unlimited_quota_is_named_so():
    state = world(
        queue("team", group(("default", {"gpu": (0, 2**63 - 1, None)}), covers=("gpu",)), cohort="c")
    )
    assert "maximum capacity (0)" in told(state, job(ask(gpu=1)))


def test_what_fits_says_nothing():
    state = world(queue("team", group(("default", {"cpu": 4}))))
    assert told(state, job(ask(cpu=4))) == ""


@pytest.mark.parametrize(
    ("kueue", "cpu", "gpu", "reason"),
    [
        ("0.19.1", 9, 0, "Pending"),
        ("0.20.0", 9, 0, "ExceedsMaxQuota"),
        ("0.20.0", 5, 0, "WaitingForQuota"),
        ("0.20.0", 1, 1, "NoMatchingFlavor"),
    ],
)
def test_the_reason_is_granular_from_0_20(kueue, cpu, gpu, reason):
    state = world(
        flavor("tainted", nodeTaints=[{"key": "a", "effect": "NoExecute"}]),
        queue("team", group(("default", {"cpu": (4, 4, None)}), ("tainted", {"cpu": 99})), cohort="c"),
        queue("mate", group(("default", {"cpu": 4})), cohort="c"),
        kueue=kueue,
    )
    use(state, "mate", "default", cpu=4)
    answer = assign(
        job(ask(cpu=cpu, **({"gpu": gpu} if gpu else {}))), state.queues["team"], state, Says(), explain=True
    )
    assert condition_reason(answer, state.settings) == reason
