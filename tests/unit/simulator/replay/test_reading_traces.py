"""Traces are read whole, whatever the spelling, and written so that reading gives them back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kohort.simulator.replay.changes import applied, difference
from kohort.simulator.replay.reading import read_traces
from kohort.simulator.replay.steps import TraceError
from kohort.simulator.replay.trace import FIELDS, Step, Trace
from kohort.simulator.replay.writing import plain

WORK = {"kind": "Workload", "metadata": {"name": "w1", "namespace": "work"}, "spec": {"queueName": "q"}}


def trace(*steps: dict, **fields) -> Trace:
    [found] = read_traces({"name": "t", "kueue": "0.19.1", "objects": [], "steps": list(steps), **fields})
    return found


def test_changes_add_up_and_null_takes_away():
    found = trace(
        {
            "do": "submit",
            "at": 0,
            "object": WORK,
            "after": {"states": {"w1": "admitted"}, "counts": {"w1": {"main": 2}}},
        },
        {"do": "wait", "at": 2.5},
        {
            "do": "delete",
            "at": 5,
            "workload": "w1",
            "after": {"states": {"w1": None}, "counts": {"w1": None}},
        },
        start={"pending": {"q": 0}},
    )
    first, second, third = found.steps
    assert first.after["states"] == second.after["states"] == {"w1": "admitted"}
    assert second.at == 2500
    assert second.after["pending"] == {"q": 0}
    assert third.after["states"] == third.after["counts"] == {}


def test_evictions_belong_to_their_step_alone():
    evicted = [{"victim": "w1", "reason": "InClusterQueue", "preemptor": "w2"}]
    found = trace({"do": "wait", "after": {"evictions": evicted}}, {"do": "wait"})
    assert found.steps[0].after["evictions"] == evicted
    assert "evictions" not in found.steps[1].after


def test_whole_outcomes_are_noticed():
    found = trace(
        {"submit": WORK, "after": {"states": {"w1": "admitted"}, "reservations": {"q": {"f": {"gpu": "1"}}}}},
        {"submit": WORK, "after": {"states": {"w1": "admitted", "w2": "pending"}}},
        {"submit": WORK, "after": {"states": {"w1": "admitted", "w2": "pending", "w3": "pending"}}},
        {"finish": "w1", "after": {"states": {"w1": "finished", "w2": "admitted", "w3": "pending"}}},
    )
    assert "reservations" not in found.steps[1].after  # not recorded there, so not compared


@pytest.mark.parametrize(
    ("plain_step", "do", "workload"),
    [
        ({"action": "complete", "workload": "w1"}, "finish", "w1"),
        ({"op": "create", "object": WORK}, "submit", "w1"),
        ({"deactivate": "w1"}, "deactivate", "w1"),
        ({"submit": WORK}, "submit", "w1"),
        ({"do": "submit", "workload": WORK}, "submit", "w1"),
        ({"do": "edit", "obj": {"kind": "Cohort", "metadata": {"name": "c"}}}, "apply", ""),
    ],
)
def test_other_spellings(plain_step, do, workload):
    [step] = trace(plain_step).steps
    assert (step.do, step.workload) == (do, workload)


def test_several_workloads_in_one_step_have_one_outcome():
    first, second = trace(
        {"finish": ["w1", "w2"], "at": "1500ms", "after": {"states": {"w1": "finished"}}}
    ).steps
    assert (first.workload, second.workload, first.at) == ("w1", "w2", 1500)
    assert second.after["states"] == {"w1": "finished"}


@pytest.mark.parametrize(
    ("document", "words"),
    [
        ({"steps": [{"at": 1}]}, "step 0: it does not say what to do"),
        ({"steps": [{"do": "jump"}]}, "step 0: do is 'jump'"),
        ({"steps": [{"do": "finish"}]}, "step 0: finish without a workload"),
        ({"steps": [{"do": "apply"}]}, "step 0: apply without an object"),
        ({"steps": [{"do": "wait", "at": "soon"}]}, "at is 'soon', no number of seconds"),
        ({"steps": {}}, "steps is no list"),
        ({"steps": [], "objects": 3}, "objects is no list"),
        ({"name": "x"}, "neither steps nor traces"),
        ("text", "a trace is a mapping, not str"),
    ],
)
def test_what_cannot_be_understood_is_named(document, words):
    with pytest.raises(TraceError, match=words):
        read_traces(document, "file.yaml")


ENTRIES = st.dictionaries(st.sampled_from("abc"), st.sampled_from(["x", "y", 1, {"m": 2}]), max_size=3)
FEW = ("states", "reservations", "message")
REST: dict = {field: {} for field in FIELDS if field not in (*FEW, "evictions")}
OUTCOMES = st.fixed_dictionaries(dict.fromkeys(FEW, ENTRIES)).map(lambda found: {**REST, **found})


@given(st.lists(OUTCOMES, min_size=1, max_size=4))
def test_writing_and_reading_gives_the_same(outcomes):
    start, *afters = outcomes
    steps = [Step("wait", at=index * 2300, after=after) for index, after in enumerate(afters)]
    made = Trace("t", "0.19.1", [], steps, ["a"], {}, 7, start, complete=True)
    [found] = read_traces(plain(made))
    assert found.start == start
    for one, other in zip(found.steps, steps, strict=True):
        assert (one.after, one.at) == (other.after, other.at)


@given(OUTCOMES, OUTCOMES)
def test_a_difference_leads_from_one_to_the_other(before, after):
    assert applied(before, difference(before, after)) == after
    assert difference(after, after) == {}


def test_a_check_may_say_when_to_try_again():
    step = {
        "do": "check",
        "at": 2,
        "workload": "w1",
        "check": "ok",
        "state": "Retry",
        "requeueAfterSeconds": 8,
    }
    found = trace(step)
    assert found.steps[0].after_seconds == 8
    assert plain(found)["steps"] == [{**step, "after": {}}]
    assert trace({**step, "requeueAfterSeconds": 0}).steps[0].after_seconds == 0
    for odd in ("soon", -1, True, 1.5, None):
        with pytest.raises(TraceError, match="no whole number of seconds"):
            trace({**step, "requeueAfterSeconds": odd})
