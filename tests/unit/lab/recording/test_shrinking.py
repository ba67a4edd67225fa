"""Shrinking leaves out what does not matter and keeps what does."""

from collections.abc import Sequence

from kohort.lab.recording.objects import flavor, group, queue
from kohort.lab.recording.shrinking import candidates, shrunk
from kohort.lab.recording.story import Story
from kohort.simulator.replay.trace import Trace


def story() -> Trace:
    s = Story(
        "s",
        "",
        flavor("f"),
        queue("q", group("gpu", {"f": 4}), within="LowerPriority"),
        queue("p", group("gpu", {"f": 2})),
    )
    s.submit("w1", "q", 1).submit("w2", "p", 1).submit("w3", "q", 2).finish("w1").delete("w2").finish("w3")
    return s.told()


def test_it_ends_at_what_is_needed():
    asked: list[str] = []

    def disagree(tried: Sequence[Trace]) -> list[bool]:
        asked.extend(each.name for each in tried)
        return [any(step.do == "finish" and step.workload == "w3" for step in each.steps) for each in tried]

    made = shrunk(story(), disagree)
    assert [(step.do, step.workload) for step in made.steps] == [("submit", "w3"), ("finish", "w3")]
    kept = {(obj["kind"], obj["metadata"]["name"]) for obj in made.objects}
    assert ("LocalQueue", "p") not in kept
    assert ("ClusterQueue", "p") not in kept
    assert ("LocalQueue", "q") in kept
    assert made.name == "s"
    assert "s" not in asked  # every candidate has a name of its own


def test_what_comes_after_the_disagreement_goes_first():
    sizes: list[int] = []

    def disagree(tried: Sequence[Trace]) -> list[bool]:
        sizes.append(len(tried[0].steps))
        return [len(each.steps) >= 3 for each in tried]

    made = shrunk(story(), disagree, last_step=2)
    assert sizes[0] == 3
    assert len(made.steps) == 3


def test_candidates_keep_no_step_without_its_workload():
    for each in candidates(story()):
        known = set()
        for step in each.steps:
            if step.do == "submit":
                known.add(step.workload)
            assert step.workload in known
