"""What came of evaluating one expression."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

from kohort.dataclass import dataclass


class Failure(StrEnum):
    """Why there is no value."""

    SYNTAX = "does not compile"
    COST = "may cost too much"
    TIME = "did not answer in time"
    RUN = "failed"
    WORKER = "could not be evaluated"


@dataclass(frozen=True, slots=True)
class Answer:
    """A value, or why there is none.

    `column` counts from 1 inside the expression's `line` (from 1), 0 where the place is not known. `text` is the
    cause in words, without the expression.
    """

    value: Any = None
    failure: Failure | None = None
    text: str = ""
    line: int = 0
    column: int = 0
