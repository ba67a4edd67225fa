"""Findings that somebody accepted, and what the accepting itself has wrong."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from kohort.dataclass import dataclass
from kohort.diagnostics.finding import Finding

if TYPE_CHECKING:
    from kohort.diagnostics.report import Unchecked


class HiddenBy(StrEnum):
    """What hid a finding."""

    COMMENT = "comment"
    EXCEPTION = "exception"
    BASELINE = "baseline"


@dataclass(frozen=True, slots=True)
class Hidden:
    """A finding that is not shown, and why; `owner` is known for exceptions only."""

    finding: Finding
    by: HiddenBy
    reason: str = ""
    owner: str = ""


@dataclass(frozen=True, slots=True)
class Outcome:
    """Findings still shown, findings hidden, new findings about the hiding, and what was not judged."""

    kept: tuple[Finding, ...]
    suppressed: tuple[Hidden, ...] = ()
    problems: tuple[Finding, ...] = ()
    unchecked: tuple[Unchecked, ...] = ()
