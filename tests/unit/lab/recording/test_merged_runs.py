"""Several recordings become one trace: what differs is kept, and told apart by what it means."""

from kohort.lab.recording.merging import merged
from kohort.lab.recording.session import deterministic
from kohort.simulator.replay.trace import Step, Trace


def run(*afters: dict) -> Trace:
    return Trace("t", "0.19.1", [], [Step("wait", after=after) for after in afters], complete=True)


def test_runs_alike():
    one = run({"states": {"w": "pending"}})
    made = merged([one, one])
    assert (made.steps, list(made.runs)) == (one.steps, [])
    assert deterministic([one]) == ([one], [])


def test_another_message_is_also_seen():
    first, second, third = (run({"message": {"w": text}}) for text in ("a", "b", "a"))
    made = merged([first, second, third])
    assert made.steps[0].also == {"message": {"w": ["b"]}}
    assert made.runs == []
    assert deterministic([made]) == ([made], [])


def test_an_entry_that_the_other_run_lacks_is_also_seen():
    made = merged([run({"reason": {"w": "Pending"}}), run({})])
    assert made.steps[0].also == {"reason": {"w": [None]}}


def test_another_state_keeps_the_whole_story_and_marks_the_step():
    same, one, other = (
        {"states": {"w": "pending"}},
        {"states": {"w": "admitted"}},
        {"states": {"w": "inactive"}},
    )
    made = merged([run(same, one), run(same, other), run(same, other)])
    assert [bool(step.nondeterministic) for step in made.steps] == [False, True]
    assert made.runs == [[same, other]]
    assert deterministic([made]) == ([], [made])
