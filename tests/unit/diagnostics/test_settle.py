"""Comments, exceptions, severities and baseline together, in their order."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from diagnostics_samples import Memory, finding

from kohort.diagnostics import HiddenBy, Severity
from kohort.diagnostics.baseline import dump, load
from kohort.diagnostics.exceptions import Waiver
from kohort.diagnostics.settle import settle
from kohort.diagnostics.severity import adjust
from kohort.spans import Origin, Span

PLACES = Memory({"a.yaml": "x: 1\n"}, {Origin("a.yaml", 0, ("x",)): Span(1, 4, 1, 5)})
HERE = Origin("a.yaml", 0, ("x",))


@dataclass(frozen=True)
class Comment:
    line: int
    codes: tuple[str, ...]
    reason: str = "because"
    own_line: bool = False


def waiver(code: str, expires: date | None = None) -> Waiver:
    return Waiver((code,), (), (), "platform", "why", expires, Origin("exceptions.yaml"), code)


def shown(outcome):
    return [(one.code, one.severity) for one in outcome.kept]


def test_adjust_changes_weight_only_and_off_leaves_out():
    error, warning = finding(code="AAA100"), finding(code="BBB100", severity=Severity.WARNING)
    result = adjust([error, warning, error], {"AAA100": Severity.INFO, "BBB100": None, "CCC100": None})
    assert [(one.code, one.severity, one.consequence) for one in result] == [
        ("AAA100", Severity.INFO, error.consequence)
    ] * 2
    assert adjust([error, warning], {}) == (error, warning)


def test_adjust_takes_names_too_and_the_code_wins():
    found = finding(code="AAA100")
    assert adjust([found], {"promise-beyond-hardware": None}) == ()
    both = {"promise-beyond-hardware": None, "AAA100": Severity.INFO}
    assert [one.severity for one in adjust([found], both)] == [Severity.INFO]


def test_a_comment_comes_before_an_exception_and_the_exception_before_the_baseline():
    found = [finding(origin=HERE, code=code) for code in ("AAA100", "BBB100", "CCC100", "DDD100")]
    outcome = settle(
        found,
        PLACES,
        suppressions={"a.yaml": [Comment(1, ("AAA100",))]},
        waivers=[waiver("AAA100"), waiver("BBB100")],
        baseline=load(dump(found[1:3]), "b.json"),
    )
    assert [(one.finding.code, one.by) for one in outcome.suppressed] == [
        ("AAA100", HiddenBy.COMMENT),
        ("BBB100", HiddenBy.EXCEPTION),
        ("CCC100", HiddenBy.BASELINE),
    ]
    assert shown(outcome) == [
        ("DDD100", Severity.ERROR),
        ("SUP121", Severity.INFO),
        ("SUP112", Severity.WARNING),
    ]
    assert [problem.code for problem in outcome.problems] == ["SUP112", "SUP121"]


def test_a_code_that_is_off_needs_no_baseline_and_its_comment_is_not_unused():
    outcome = settle(
        [finding(origin=HERE, code="AAA100")],
        PLACES,
        suppressions={"a.yaml": [Comment(1, ("AAA100",))]},
        severities={"AAA100": None},
        baseline=load(dump([]), "b.json"),
    )
    assert (outcome.kept, outcome.suppressed, outcome.problems) == ((), (), ())


def test_findings_about_hiding_follow_the_severities_too():
    comments = {"a.yaml": [Comment(1, ("AAA100",))]}
    outcome = settle([], PLACES, suppressions=comments, severities={"SUP102": Severity.ERROR})
    assert shown(outcome) == [("SUP102", Severity.ERROR)]
    assert settle([], PLACES, suppressions=comments, severities={"SUP102": None}).kept == ()


def test_known_problems_may_stand_in_the_baseline():
    comments = {"a.yaml": [Comment(1, ("AAA100",))]}
    first = settle([], PLACES, suppressions=comments)
    second = settle([], PLACES, suppressions=comments, baseline=load(dump(first.kept), "b.json"))
    assert (second.kept, second.problems) == ((), ())
    assert [one.finding.code for one in second.suppressed] == ["SUP102"]


def test_expiry_needs_a_day():
    waivers = [waiver("AAA100", date(2026, 1, 1))]
    found = [finding(origin=HERE, code="AAA100")]
    late = settle(found, PLACES, waivers=waivers, at=date(2026, 1, 2))
    assert shown(late) == [("AAA100", Severity.ERROR), ("SUP111", Severity.WARNING)]
    assert late.unchecked == ()
    unknown = settle(found, PLACES, waivers=waivers)
    assert unknown.kept == ()
    assert len(unknown.unchecked) == 1
