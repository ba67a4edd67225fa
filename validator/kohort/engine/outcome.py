"""What a run needs to know and what it gives back."""

from __future__ import annotations

from datetime import date
from typing import Protocol

from kohort.dataclass import dataclass
from kohort.diagnostics import Report
from kohort.source.positions import Positions

DEFAULT_KUEUE = "0.19.1"
SUPPORTED_KUEUE = ("0.15", "0.16", "0.17", "0.18", "0.19")


class Progress(Protocol):
    """Told about long work; the command line shows it on stderr."""

    def __call__(self, step: str) -> None:
        """`step` is a short phrase: `reading 1,020 files`."""


def silent(step: str) -> None:
    """No progress shown."""


@dataclass(frozen=True, slots=True)
class Settings:
    """How to judge: Kueue's version in plain mode, the date that expiry is compared with (None: not judged).

    `actor` and `actor_groups` say who proposes the change that a plan judges.
    `cached` lets a repository's check use and keep what earlier processes found (see `engine.cache`).
    """

    kueue: str = DEFAULT_KUEUE
    at: date | None = None
    baseline: bytes | None = None
    progress: Progress = silent
    cached: bool = False
    actor: str = ""
    actor_groups: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Outcome:
    """A report and the places that its origins resolve to."""

    report: Report
    places: Positions
