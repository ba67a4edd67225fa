"""Comments that hide findings: exactly those of their line and code, with a reason, and never silently."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from diagnostics_samples import Memory, finding

from kohort.diagnostics import Consequence, HiddenBy, Severity
from kohort.diagnostics.places import locate
from kohort.diagnostics.suppression import suppress
from kohort.spans import Origin, Span

TEXT = """\
spec:
  # kohort: allow QTY102: sheet

  # a remark
  memory: 100G
  cpu: 1000m  # kohort: allow QTY103, QTY104: measured
"""
KNOWN = ("QTY102", "QTY103", "QTY104", "SUP102")


@dataclass(frozen=True)
class Comment:
    line: int
    codes: tuple[str, ...]
    reason: str = "because"
    own_line: bool = False


@pytest.fixture
def places() -> Memory:
    return Memory({"a.yaml": TEXT, "b.yaml": TEXT})


def on(places: Memory, line: int, code: str, file: str = "a.yaml", column: int = 3):
    origin = Origin(file, 0, (line, column))
    places.spans[origin] = Span(line, column, line, column + 2)
    return finding(f"wrong on {line}", origin, code=code)


def shown(outcome, places):
    return [(one.code, one.message, locate(places, one.primary.origin).line) for one in outcome.problems]


def test_a_comment_on_the_line_hides_its_codes_there_and_nothing_else(places):
    here, other = on(places, 6, "QTY103"), on(places, 6, "QTY102")
    elsewhere, file = on(places, 5, "QTY103"), on(places, 6, "QTY103", "b.yaml")
    outcome = suppress(
        [here, other, elsewhere, file], places, {"a.yaml": [Comment(6, ("QTY103",), " measured ")]}
    )
    assert outcome.kept == (other, elsewhere, file)
    assert [(one.finding, one.by, one.reason) for one in outcome.suppressed] == [
        (here, HiddenBy.COMMENT, "measured")
    ]
    assert outcome.problems == ()


def test_a_comment_of_its_own_speaks_of_the_next_line_with_content(places):
    found = [on(places, line, "QTY102") for line in (2, 3, 4, 5, 6)]
    outcome = suppress(found, places, {"a.yaml": [Comment(2, ("QTY102",), own_line=True)]})
    assert [one.finding for one in outcome.suppressed] == [found[3]]


def test_two_comments_above_one_line_both_speak_of_it(places):
    found = [on(places, 5, "QTY102"), on(places, 5, "QTY103")]
    comments = [Comment(2, ("QTY102",), own_line=True), Comment(4, ("QTY103",), own_line=True)]
    outcome = suppress(found, places, {"a.yaml": comments})
    assert (outcome.kept, outcome.problems) == ((), ())


def test_a_comment_after_the_last_content_hides_nothing(places):
    outcome = suppress([], places, {"a.yaml": [Comment(6, ("QTY102",), own_line=True)]})
    assert shown(outcome, places) == [("SUP102", "the suppression of QTY102 hides nothing", 6)]


def test_a_finding_that_reaches_over_the_line_is_not_hidden(places):
    origin = Origin("a.yaml", 0, ("spec",))
    places.spans[origin] = Span(1, 1, 7, 1)
    outcome = suppress([finding(origin=origin, code="QTY103")], places, {"a.yaml": [Comment(6, ("QTY103",))]})
    assert len(outcome.kept) == 1


def test_a_finding_without_text_is_not_hidden(places):
    lost = finding(origin=Origin("a.yaml", 0, ("gone",)), code="QTY103")
    assert suppress([lost], places, {"a.yaml": [Comment(6, ("QTY103",))]}).kept == (lost,)


def test_without_a_reason_nothing_is_hidden_and_that_is_an_error(places):
    found = on(places, 6, "QTY103")
    outcome = suppress([found], places, {"a.yaml": [Comment(6, ("QTY103",), "  ")]}, KNOWN)
    assert outcome.kept == (found,)
    assert outcome.suppressed == ()
    assert shown(outcome, places) == [
        ("SUP101", "the suppression of QTY103 gives no reason and hides nothing", 6)
    ]
    assert outcome.problems[0].severity is Severity.ERROR
    assert outcome.problems[0].consequence is Consequence.POLICY


def test_each_unused_code_is_named(places):
    outcome = suppress(
        [on(places, 6, "QTY103")], places, {"a.yaml": [Comment(6, ("QTY103", "QTY104"))]}, KNOWN
    )
    assert shown(outcome, places) == [("SUP102", "the suppression of QTY104 hides nothing", 6)]
    assert outcome.problems[0].severity is Severity.WARNING


def test_one_comment_may_hide_several_findings(places):
    found = [on(places, 6, "QTY103"), on(places, 6, "QTY103", column=8)]
    outcome = suppress(found, places, {"a.yaml": [Comment(6, ("QTY103",))]})
    assert (outcome.kept, len(outcome.suppressed), outcome.problems) == ((), 2, ())


def test_an_unknown_code_is_named_with_the_one_that_was_meant(places):
    outcome = suppress([], places, {"a.yaml": [Comment(6, ("QTY1O2",))]}, KNOWN)
    assert shown(outcome, places) == [
        ("SUP103", 'the suppression names "QTY1O2", which is no code of Kohort', 6)
    ]
    assert outcome.problems[0].help == ("did you mean QTY102 or QTY103 or QTY104?",)


def test_without_the_list_of_codes_an_unknown_one_is_unused(places):
    outcome = suppress([], places, {"a.yaml": [Comment(6, ("QTY1O2",))]})
    assert [problem.code for problem in outcome.problems] == ["SUP102"]


def test_findings_about_suppressions_cannot_be_suppressed(places):
    found = on(places, 6, "SUP102")
    outcome = suppress([found], places, {"a.yaml": [Comment(6, ("SUP102",))]}, KNOWN)
    assert outcome.kept == (found,)
    assert shown(outcome, places) == [("SUP102", "SUP102 is about suppressions and cannot be suppressed", 6)]


def test_problems_come_by_file_whatever_the_order_of_the_mapping(places):
    comments = {"b.yaml": [Comment(6, ("QTY102",))], "a.yaml": [Comment(5, ("QTY102",))]}
    files = [problem.primary.origin.file for problem in suppress([], places, comments).problems]
    assert files == ["a.yaml", "b.yaml"]


def test_a_rule_may_be_named_instead_of_its_code(places):
    found = on(places, 6, "QTY103")  # whose name is promise-beyond-hardware
    comments = {"a.yaml": [Comment(6, ("promise-beyond-hardware", "other-name"))]}
    outcome = suppress([found], places, comments, (*KNOWN, "promise-beyond-hardware", "other-name"))
    assert [one.finding for one in outcome.suppressed] == [found]
    assert shown(outcome, places) == [("SUP102", "the suppression of other-name hides nothing", 6)]


def test_two_comments_that_speak_of_one_finding_are_both_used(places):
    comments = [Comment(4, ("QTY102",), "first", own_line=True), Comment(5, ("QTY102",), "second")]
    outcome = suppress([on(places, 5, "QTY102")], places, {"a.yaml": comments}, KNOWN)
    assert (outcome.kept, outcome.problems) == ((), ())
    assert outcome.suppressed[0].reason == "first"


def test_a_comment_without_any_code_is_named(places):
    outcome = suppress([], places, {"a.yaml": [Comment(6, ())]}, KNOWN)
    assert shown(outcome, places) == [("SUP102", "the suppression names no code and hides nothing", 6)]
    assert outcome.problems[0].help == ("write `# kohort: allow CODE: reason`",)
