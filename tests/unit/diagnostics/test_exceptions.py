"""Reviewed exceptions: what they cover, until when, and what is said when they no longer do."""

from __future__ import annotations

from datetime import date

import pytest
from diagnostics_samples import finding

from kohort.diagnostics import HiddenBy, Unchecked
from kohort.diagnostics.exceptions import Waiver, apply
from kohort.spans import Origin

PLACE = Origin("ci/exceptions/a.yaml")


def waiver(**changes) -> Waiver:
    values = {
        "codes": ("CAP901",),
        "files": (),
        "subjects": (),
        "owner": "platform",
        "reason": "until the racks arrive",
        "expires": None,
        "origin": PLACE,
        "name": "racks",
    }
    return Waiver(**{**values, **changes})


def codes(outcome):
    return [problem.code for problem in outcome.problems]


def test_a_covered_finding_is_hidden_with_owner_and_reason():
    found = finding()
    outcome = apply([found], [waiver()])
    assert outcome.kept == ()
    assert [(one.finding, one.by, one.owner, one.reason) for one in outcome.suppressed] == [
        (found, HiddenBy.EXCEPTION, "platform", "until the racks arrive")
    ]
    assert outcome.problems == ()
    assert outcome.unchecked == ()


@pytest.mark.parametrize(
    ("changes", "covers"),
    [
        ({"files": ("teams/*",)}, True),
        ({"files": ("./teams/nlp.yaml",)}, True),
        ({"files": ("raw/*", "*/nlp.yaml")}, True),
        ({"files": ("*.yaml",)}, True),  # a star crosses folders
        ({"files": ("nlp.yaml",)}, False),
        ({"files": ("TEAMS/*",)}, False),
        ({"subjects": ("ClusterQueue nlp*",)}, True),
        ({"subjects": ("ClusterQueue",)}, False),
        ({"subjects": ("LocalQueue *",)}, False),
        ({"files": ("teams/*",), "subjects": ("LocalQueue *",)}, False),
        ({"codes": ("CAP902",)}, False),
        ({"codes": ("promise-beyond-hardware",)}, True),
        ({"codes": ("CAP902", "CAP901")}, True),
    ],
)
def test_coverage(changes, covers):
    found = finding(origin=Origin("./teams/nlp.yaml"), subject="ClusterQueue nlp-train")
    outcome = apply([found], [waiver(**changes)])
    assert outcome.kept == (() if covers else (found,))
    assert codes(outcome) == ([] if covers else ["SUP112"])


def test_it_holds_on_its_last_day():
    outcome = apply([finding()], [waiver(expires=date(2026, 3, 31))], date(2026, 3, 31))
    assert (outcome.kept, outcome.problems, outcome.unchecked) == ((), (), ())


def test_the_day_after_the_finding_is_back_and_the_end_is_named():
    found = finding()
    outcome = apply([found], [waiver(expires=date(2026, 3, 31))], date(2026, 4, 1))
    assert outcome.kept == (found,)
    assert outcome.suppressed == ()
    assert [(p.code, p.message, p.primary.origin) for p in outcome.problems] == [
        ("SUP111", 'exception "racks" ended on 2026-03-31 and hides nothing on 2026-04-01', PLACE)
    ]
    assert outcome.problems[0].help == ("ask platform to solve what it accepted, or to prolong it",)


def test_without_a_day_no_expiry_is_judged_and_that_is_said():
    dated = waiver(expires=date(1999, 1, 1))
    assert apply([finding()], [dated]).unchecked == (
        Unchecked("the expiry of one exception", "no day was given with --at"),
    )
    outcome = apply([finding()], [dated, dated, waiver()])
    assert outcome.kept == ()
    assert outcome.unchecked[0].what == "the expiry of 2 exceptions"


def test_an_exception_that_covers_nothing_is_named_and_one_of_two_that_cover_is_not():
    outcome = apply(
        [finding()], [waiver(), waiver(name="twice"), waiver(codes=("CAP902",), name="")], known=None
    )
    assert [(p.code, p.message) for p in outcome.problems] == [
        ("SUP112", "the exception of CAP902 hides no finding")
    ]


def test_an_unknown_code_is_named_once_and_not_called_unused():
    outcome = apply([], [waiver(codes=("CAP9O1",))], known=("CAP901", "YAM001"))
    assert [(p.code, p.message, p.help) for p in outcome.problems] == [
        ("SUP103", 'exception "racks" names "CAP9O1", which is no code of Kohort', ("did you mean CAP901?",))
    ]


def test_an_expired_one_is_not_called_unused_as_well():
    outcome = apply([], [waiver(expires=date(2026, 1, 1))], date(2026, 2, 1))
    assert codes(outcome) == ["SUP111"]


def test_findings_about_suppressions_cannot_be_excepted():
    found = finding(code="SUP101")
    outcome = apply([found], [waiver(codes=("SUP101",))])
    assert outcome.kept == (found,)
