"""Findings accepted by a reviewed exception with an owner, a reason and a last day."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from datetime import date
from fnmatch import fnmatchcase

from kohort.dataclass import dataclass
from kohort.diagnostics.codes import EXPIRED_EXCEPTION, OWN_CODES, UNKNOWN_CODE, UNUSED_EXCEPTION
from kohort.diagnostics.finding import Finding
from kohort.diagnostics.hidden import Hidden, HiddenBy, Outcome
from kohort.diagnostics.identity import relative
from kohort.diagnostics.report import Unchecked
from kohort.diagnostics.suppression import listed, meant
from kohort.diagnostics.visible import visible
from kohort.spans import Origin


@dataclass(frozen=True, slots=True)
class Waiver:
    """One exception. `codes` are codes or names of rules. `files` and `subjects` (`Kind name`) are shell patterns in which `*` crosses `/`; empty: any.

    `expires` is the last day on which it holds; None: it has no end. `origin` is where it is declared.
    """

    codes: tuple[str, ...]
    files: tuple[str, ...]
    subjects: tuple[str, ...]
    owner: str
    reason: str
    expires: date | None
    origin: Origin
    name: str = ""

    def covers(self, finding: Finding) -> bool:
        """Whether the exception was written for this finding, expired or not."""
        return (
            (finding.code in self.codes or finding.name in self.codes)
            and _matches(relative(finding.primary.origin.file), self.files)
            and _matches(finding.subject, self.subjects)
        )

    def expired(self, at: date | None) -> bool:
        """Whether the last day is past; never without a day to compare with."""
        return at is not None and self.expires is not None and at > self.expires


def apply(
    findings: Iterable[Finding],
    waivers: Sequence[Waiver],
    at: date | None = None,
    known: Collection[str] | None = None,
    elsewhere: Collection[str] = (),
) -> Outcome:
    """Hide findings that an exception covers. `at` is today as the caller says; without it no expiry is judged.

    `known` are all codes and names there are; without it unknown ones are taken for unused. Findings about suppressions
    (SUP…) cannot be excepted. `elsewhere` are codes and names that only other runs find: of these none is unused.
    """
    live = [(index, waiver) for index, waiver in enumerate(waivers) if not waiver.expired(at)]
    used: set[int] = set()
    kept: list[Finding] = []
    hidden: list[Hidden] = []
    for finding in findings:
        covering = [] if finding.code in OWN_CODES else [pair for pair in live if pair[1].covers(finding)]
        used.update(index for index, _ in covering)
        if covering:
            waiver = covering[0][1]
            hidden.append(Hidden(finding, HiddenBy.EXCEPTION, waiver.reason, waiver.owner))
        else:
            kept.append(finding)
    problems = [
        problem
        for index, waiver in enumerate(waivers)
        for problem in _problems(
            waiver, at, index in used or any(c in elsewhere for c in waiver.codes), known
        )
    ]
    dated = sum(waiver.expires is not None for waiver in waivers)
    unchecked: tuple[Unchecked, ...] = ()
    if at is None and dated:
        what = "the expiry of one exception" if dated == 1 else f"the expiry of {dated} exceptions"
        unchecked = (Unchecked(what, "no day was given with --at"),)
    return Outcome(tuple(kept), tuple(hidden), tuple(problems), unchecked)


def _problems(
    waiver: Waiver, at: date | None, used: bool, known: Collection[str] | None
) -> Iterable[Finding]:
    title = (
        f'exception "{visible(waiver.name)}"' if waiver.name else f"the exception of {listed(waiver.codes)}"
    )
    unknown = [
        code for code in dict.fromkeys(waiver.codes) if known is not None and code not in known and not used
    ]
    for code in unknown:
        yield UNKNOWN_CODE.finding(
            f'{title} names "{visible(code)}", which is no code of Kohort',
            waiver.origin,
            help=meant(code, known or ()),
        )
    if waiver.expired(at):
        yield EXPIRED_EXCEPTION.finding(
            f"{title} ended on {waiver.expires} and hides nothing on {at}",
            waiver.origin,
            help=(f"ask {visible(waiver.owner) or 'its owner'} to solve what it accepted, or to prolong it",),
        )
    elif not used and len(unknown) < len(set(waiver.codes)):
        yield UNUSED_EXCEPTION.finding(
            f"{title} hides no finding", waiver.origin, help=("remove it, or correct its files and subjects",)
        )


def _matches(text: str, patterns: tuple[str, ...]) -> bool:
    return not patterns or any(fnmatchcase(text, relative(pattern)) for pattern in patterns)
