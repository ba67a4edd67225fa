"""Whether Kueue's message says the same, and how it differs."""

from live_world import GPU, LiveWorld

from kohort.why.agreement import compare
from kohort.why.answer import Verdict

ROOM = "couldn't assign flavors to pod set main: insufficient unused quota for nvidia.com/gpu in flavor h100, {} more needed"


def crowded(message):
    world = LiveWorld()
    world.queue("blue", {"h100": 8}, preemption={"withinClusterQueue": "LowerPriority"})
    world.queue("red", {"h100": 8})
    world.runs("red/old", 14)
    world.waits("blue/new", 4, message)
    return world


def test_the_same_message_agrees():
    said = crowded(ROOM.format(2)).why("blue/new").said
    assert said.agrees
    assert (said.message, said.ours) == (ROOM.format(2), ROOM.format(2))


def test_an_older_number_is_told():
    said = crowded(ROOM.format(3)).why("blue/new").said
    assert not said.agrees
    assert said.difference == "missing nvidia.com/gpu in flavor h100: Kueue says 3, now it is 2"


def test_another_reason_is_told_on_both_sides():
    said = (
        crowded("couldn't assign flavors to pod set main: resource cpu unavailable in ClusterQueue")
        .why("blue/new")
        .said
    )
    assert said.difference == (
        "Kueue also says: resource cpu unavailable in ClusterQueue; "
        "Kueue does not say: missing nvidia.com/gpu in flavor h100"
    )


def test_a_preemption_that_is_under_way_agrees():
    world = LiveWorld()
    world.queue("blue", {"h100": 8}, preemption={"withinClusterQueue": "LowerPriority"})
    world.runs("blue/low", 8)
    world.waits("blue/new", 4, f"{ROOM.format(4)}. Pending the preemption of 1 workload(s)", priority=3)
    answer = world.why("blue/new")
    assert answer.verdict is Verdict.PREEMPTS
    assert answer.said.agrees


def test_what_is_over_the_maximum_in_kueues_words():
    world = LiveWorld()
    world.queue("blue", {"h100": 8})
    message = (
        "couldn't assign flavors to pod set main: insufficient quota for nvidia.com/gpu in flavor h100, previously considered "
        "podsets requests (0) + current podset request (9) > maximum capacity (8)"
    )
    world.waits("blue/new", 9, message)
    answer = world.why("blue/new")
    assert answer.verdict is Verdict.NEVER
    assert answer.said.agrees


def test_order_is_no_difference():
    one = "insufficient unused quota for cpu in flavor a, 1 more needed"
    two = "insufficient unused quota for memory in flavor b, 2Gi more needed"
    assert compare(
        f"couldn't assign flavors to pod set main: {one}, {two}", f"couldn't assign: {two}, {one}"
    ).agrees


def test_a_message_that_nobody_knows_is_no_agreement():
    said = compare("a quite new sentence", "another")
    assert not said.agrees
    assert said.difference == "the reasons differ"


def test_a_job_that_runs_has_no_message_to_compare():
    world = LiveWorld()
    world.queue("blue", {"h100": 8})
    world.runs("blue/old", 1)
    assert world.why("blue/old").said is None


def test_a_parked_twin_says_that_kueue_said_nothing_of_it():
    """Kueue parks work that is alike a parked one unseen: it carries no condition at all."""
    world = crowded(ROOM.format(2))
    world.waits("blue/twin", 4)
    answer = world.why("blue/twin")
    assert answer.said is None
    assert answer.verdict is Verdict.WAITS
    assert answer.notes[0] == (
        "Kueue has said nothing about it yet: blue/new, ahead of it in the queue, asks for the same and waits, and what is "
        "alike is parked unseen"
    )
    assert GPU in {quota.resource for quota in answer.looks[0].quotas}


def test_what_a_topology_holds_is_compared_by_its_number():
    said = 'couldn\'t assign flavors to pod set main: topology "racks" allows to fit only {} out of 7 pod(s)'
    nodes = '. Total nodes: {}; excluded: resource "nvidia.com/gpu": 2'
    assert compare(said.format(3) + nodes.format(4), said.format(3) + nodes.format(5)).agrees
    other = compare(said.format(3), said.format(4) + nodes.format(5))
    assert other.difference == "pods of 7 that topology racks holds: Kueue says 3, now it is 4"
    none = compare(
        said.format(3).replace("allows to fit only 3 out of", "doesn't allow to fit any of"), said.format(4)
    )
    assert none.difference == "pods of 7 that topology racks holds: Kueue says 0, now it is 4"
