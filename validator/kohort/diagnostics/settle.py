"""All that decides which findings are shown, in the one order that makes sense."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date

from kohort.diagnostics import baseline as baselines
from kohort.diagnostics import exceptions
from kohort.diagnostics.baseline import Baseline
from kohort.diagnostics.exceptions import Waiver
from kohort.diagnostics.finding import Finding, Severity
from kohort.diagnostics.hidden import Outcome
from kohort.diagnostics.places import Places
from kohort.diagnostics.report import arrange
from kohort.diagnostics.severity import adjust
from kohort.diagnostics.suppression import Suppression, suppress


def settle(
    findings: Iterable[Finding],
    places: Places,
    *,
    suppressions: Mapping[str, Sequence[Suppression]] | None = None,
    waivers: Sequence[Waiver] = (),
    elsewhere: Collection[str] = (),
    severities: Mapping[str, Severity | None] | None = None,
    baseline: Baseline | None = None,
    at: date | None = None,
    known: Collection[str] | None = None,
    read: Collection[str] | None = None,
) -> Outcome:
    """What a report shows: `kept` includes the findings about the hiding itself (`problems` repeats those left).

    Comments come first (they stand nearest), then exceptions, then the organisation's severities, last the
    baseline: so a code that is switched off needs no baseline entry, and its comments are not called unused.
    `elsewhere` are codes and names that another run finds: an exception of these is not called unused.
    """
    severities = severities or {}
    by_comment = suppress(arrange(findings), places, suppressions or {}, known)
    excepted = exceptions.apply(by_comment.kept, waivers, at, known, elsewhere)
    problems = adjust((*by_comment.problems, *excepted.problems), severities)
    shown = adjust(excepted.kept, severities)
    based = baselines.apply((*shown, *problems), baseline or Baseline(), read)
    stale = adjust(based.problems, severities)
    hidden = (*by_comment.suppressed, *excepted.suppressed, *based.suppressed)
    left = {id(finding) for finding in based.kept}
    return Outcome(
        kept=arrange((*based.kept, *stale)),
        suppressed=tuple(
            replace(one, finding=adjusted) for one in hidden for adjusted in adjust([one.finding], severities)
        ),
        problems=(*(problem for problem in problems if id(problem) in left), *stale),
        unchecked=excepted.unchecked,
    )
