"""Findings hidden by a comment beside the line. The comments are read elsewhere; this matches them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Protocol

from kohort.diagnostics.codes import OWN_CODES, OWN_WORDS, REASON_MISSING, UNKNOWN_CODE, UNUSED_SUPPRESSION
from kohort.diagnostics.finding import Finding
from kohort.diagnostics.hidden import Hidden, HiddenBy, Outcome
from kohort.diagnostics.places import Places, line_origin, locate
from kohort.diagnostics.suggest import did_you_mean
from kohort.diagnostics.visible import visible


class Suppression(Protocol):
    """One comment, `# kohort: allow CODE: reason`, at the end of a line or on a line of its own above it."""

    @property
    def line(self) -> int:
        """Where the comment stands, counted from 1."""

    @property
    def codes(self) -> Collection[str]:
        """What it accepts: codes or names of rules."""

    @property
    def reason(self) -> str:
        """Why; empty when nobody said."""

    @property
    def own_line(self) -> bool:
        """Whether nothing but the comment stands on the line: it then speaks of the next line with content."""


def suppress(
    findings: Iterable[Finding],
    places: Places,
    suppressions: Mapping[str, Sequence[Suppression]],
    known: Collection[str] | None = None,
) -> Outcome:
    """Hide findings whose primary place starts on the line that a suppression of their code or name speaks of.

    `suppressions` are given by file. Without a reason a comment hides nothing. `known` are all codes and names there
    are; without it unknown ones are taken for unused. Findings about suppressions (SUP…) cannot be suppressed.
    """
    claims = _claims(places, suppressions)
    used: set[tuple[str, int, str]] = set()
    kept: list[Finding] = []
    hidden: list[Hidden] = []
    for finding in findings:
        file = finding.primary.origin.file
        accepted: list[tuple[Suppression, str]] = []
        if file in suppressions and finding.code not in OWN_CODES:
            span = locate(places, finding.primary.origin)
            line = span.line if span else 0
            for word in (finding.code, finding.name):
                accepted += [(comment, word) for comment in claims.get((file, line, word), ())]
        if accepted:
            used.update((file, comment.line, word) for comment, word in accepted)
            hidden.append(Hidden(finding, HiddenBy.COMMENT, accepted[0][0].reason.strip()))
        else:
            kept.append(finding)
    problems = [
        problem
        for file in sorted(suppressions)
        for comment in suppressions[file]
        for problem in _problems(file, comment, used, known)
    ]
    return Outcome(tuple(kept), tuple(hidden), tuple(problems))


def _claims(
    places: Places, suppressions: Mapping[str, Sequence[Suppression]]
) -> dict[tuple[str, int, str], list[Suppression]]:
    """Suppressions with a reason by (file, line they speak of, code or name)."""
    claims: dict[tuple[str, int, str], list[Suppression]] = {}
    for file, comments in suppressions.items():
        for comment in comments:
            if not comment.reason.strip():
                continue
            line = _next_content(places.lines(file), comment.line) if comment.own_line else comment.line
            for word in comment.codes:
                claims.setdefault((file, line, word), []).append(comment)
    return claims


def _next_content(lines: Sequence[str], line: int) -> int:
    """The first line after `line` that is neither blank nor only a comment; `line` itself at the end of the file."""
    for index in range(line, len(lines)):
        text = lines[index].strip()
        if text and not text.startswith("#"):
            return index + 1
    return line


def _problems(
    file: str, comment: Suppression, used: set[tuple[str, int, str]], known: Collection[str] | None
) -> Iterable[Finding]:
    place = line_origin(file, comment.line)
    reason = comment.reason.strip()
    if not comment.codes:
        yield UNUSED_SUPPRESSION.finding(
            "the suppression names no code and hides nothing", place, help=(_FORM,)
        )
    elif not reason:
        yield REASON_MISSING.finding(
            f"the suppression of {listed(comment.codes)} gives no reason and hides nothing",
            place,
            help=(_FORM,),
        )
    for word in dict.fromkeys(comment.codes):
        if (file, comment.line, word) in used:
            continue
        if known is not None and word not in known:
            yield UNKNOWN_CODE.finding(
                f'the suppression names "{visible(word)}", which is no code of Kohort',
                place,
                help=meant(word, known),
            )
        elif word in OWN_WORDS:
            yield UNUSED_SUPPRESSION.finding(f"{word} is about suppressions and cannot be suppressed", place)
        elif reason:
            yield UNUSED_SUPPRESSION.finding(
                f"the suppression of {visible(word)} hides nothing",
                place,
                label="no such finding here",
                help=("remove the code from the comment",),
            )


_FORM = "write `# kohort: allow CODE: reason`"


def meant(code: str, known: Collection[str]) -> tuple[str, ...]:
    """Help for a code or name that does not exist."""
    names = did_you_mean(code, known)
    return (f"did you mean {' or '.join(names)}?",) if names else ()


def listed(codes: Collection[str]) -> str:
    """Codes for a message."""
    return ", ".join(visible(code) for code in codes) or "no code"
