"""The baseline hides what was known, whatever lines moved, and tells what was solved."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from diagnostics_samples import finding
from hypothesis import given
from hypothesis import strategies as st

from kohort.diagnostics import HiddenBy, Label, Severity
from kohort.diagnostics.baseline import Baseline, BaselineError, apply, dump, load
from kohort.spans import Origin


def of(*findings) -> Baseline:
    return load(dump(findings), "baseline.json")


def at(path: tuple[str | int, ...], message: str = "it is wrong", file: str = "a.yaml", **changes):
    return finding(message, Origin(file, 0, path), subject="ClusterQueue train", field="spec.x", **changes)


def test_what_was_known_is_hidden_wherever_it_moved_to():
    moved = at(("spec", 5), help=("now with help",), severity=Severity.WARNING)
    outcome = apply([moved], of(at(("spec", 0))))
    assert outcome.kept == ()
    assert [(one.finding, one.by) for one in outcome.suppressed] == [(moved, HiddenBy.BASELINE)]
    assert outcome.problems == ()


@pytest.mark.parametrize(
    "other",
    [
        at((), code="CAP902"),
        at((), file="b.yaml"),
        at((), "it is very wrong"),
        replace(at(()), subject="ClusterQueue other"),
        replace(at(()), field="spec.y"),
    ],
)
def test_another_finding_is_shown(other):
    outcome = apply([other], of(at(())))
    assert outcome.kept == (other,)
    assert [problem.code for problem in outcome.problems] == ["SUP121"]


def test_line_numbers_in_a_message_do_not_count():
    known = at((), "stands twice, first on line 12 and in b.yaml:12:3")
    assert apply([at((), "stands twice, first on line 90 and in b.yaml:90:3")], of(known)).kept == ()
    assert len(apply([at((), "stands twice, first on page 90")], of(known)).kept) == 1


def test_other_numbers_count():
    assert len(apply([at((), "promises 136 H100")], of(at((), "promises 120 H100"))).kept) == 1


def test_no_more_are_hidden_than_were_known():
    twice = [at((0,)), at((1,))]
    third = at((2,))
    outcome = apply([*twice, third], of(*twice))
    assert outcome.kept == (third,)
    assert len(outcome.suppressed) == 2


def test_a_solved_entry_is_information_at_its_place_in_the_file():
    baseline = of(at((), "a"), at((), "b", file="z.yaml"))
    outcome = apply([at((), "a")], baseline)
    assert [(p.code, p.severity, p.message, p.primary) for p in outcome.problems] == [
        (
            "SUP121",
            Severity.INFO,
            "baseline entry no longer needed: CAP901 in z.yaml is solved",
            Label(Origin("baseline.json", 0, ("findings", 1))),
        )
    ]


def test_a_partly_solved_entry_says_how_many_are_left():
    outcome = apply([at((0,))], of(at((0,)), at((1,)), at((2,))))
    assert [p.message for p in outcome.problems] == [
        "baseline entry lists 3 findings CAP901 in a.yaml, of which 1 is left"
    ]


def test_entries_of_files_that_were_not_read_are_left_alone():
    baseline = of(at((), file="a.yaml"), at((), file="b.yaml"))
    assert [p.message for p in apply([], baseline, read={"b.yaml"}).problems] == [
        "baseline entry no longer needed: CAP901 in b.yaml is solved"
    ]


def test_the_file_is_sorted_counted_and_one_entry_a_line():
    text = dump([at((1,), "b"), at((0,), "b"), at((), "a", file="./a.yaml"), at((), "c", code="AAA100")])
    value = json.loads(text)
    assert value["version"] == 1
    entries = [tuple(one.values()) for one in value["findings"]]
    assert entries == sorted(entries)
    assert sorted((one["code"], one["file"], one["count"]) for one in value["findings"]) == [
        ("AAA100", "a.yaml", 1),
        ("CAP901", "a.yaml", 1),
        ("CAP901", "a.yaml", 2),
    ]
    assert list(value["findings"][0]) == ["code", "file", "subject", "field", "messageHash", "count"]
    assert len(text.splitlines()) == 3 + 3 + 2
    assert "line" not in text


def test_an_empty_baseline():
    assert dump([]) == '{\n  "version": 1,\n  "findings": []\n}\n'
    assert load(dump([]), "x").counts == {}


@given(st.lists(st.builds(at, st.tuples(st.integers(0, 3)), st.sampled_from("abc\x1b\u202e"))))
def test_a_report_against_its_own_baseline_is_empty_and_the_text_is_stable(findings):
    text = dump(findings)
    outcome = apply(reversed(findings), load(text, "x"))
    assert (outcome.kept, outcome.problems) == ((), ())
    assert dump(list(reversed(findings))) == text
    assert all(char == "\n" or char.isprintable() for char in text)


ENTRY = {"code": "A", "file": "f", "subject": "", "field": "", "messageHash": "0", "count": 1}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "base.json is no JSON text"),
        ("[" * 100_000, "base.json is no JSON text"),
        ("[]", 'base.json is no baseline: it has no list "findings"'),
        ('{"findings": {}}', 'base.json is no baseline: it has no list "findings"'),
        ('{"findings": [], "version": 2}', "base.json is not of baseline version 1"),
        ('{"findings": [], "version": "1"}', "base.json is not of baseline version 1"),
        (json.dumps({"version": 1, "findings": [3]}), "base.json: findings[0] needs the texts code, file, "),
        (
            json.dumps({"version": 1, "findings": [{**ENTRY, "file": 1}]}),
            "base.json: findings[0] needs the texts",
        ),
        (json.dumps({"version": 1, "findings": [{**ENTRY, "count": 0}]}), "needs a count of at least 1"),
        (json.dumps({"version": 1, "findings": [{**ENTRY, "count": True}]}), "needs a count of at least 1"),
        (
            json.dumps({"version": 1, "findings": [ENTRY, ENTRY]}),
            "base.json: findings[1] repeats an earlier entry",
        ),
    ],
)
def test_what_is_no_baseline_says_why(text, said):
    with pytest.raises(BaselineError) as caught:
        load(text, "base.json")
    assert said in str(caught.value)
