"""Arguments that most commands share: paths that have to be there, and a version of Kueue that is known."""

from __future__ import annotations

import os

from kohort.engine.outcome import DEFAULT_KUEUE, SUPPORTED_KUEUE
from kohort.engine.usage import UsageProblem
from kohort.objects.versions import NEWEST_PATCH


def demand(path: str) -> None:
    """Raise UsageProblem for a path that leads nowhere; an empty one is a variable that was not set, not a folder."""
    if not path or not (os.path.lexists(path)):
        raise UsageProblem(f"no such file or folder: {path or repr(path)}")


def judged_version(kueue: str | None) -> str:
    """A supported version of Kueue in full; `0.17` is judged as its newest patch. Raises UsageProblem for others."""
    if kueue is None:
        return DEFAULT_KUEUE
    text = kueue.removeprefix("v")
    parts = text.split(".")
    minor = ".".join(parts[:2])
    if minor not in SUPPORTED_KUEUE or len(parts) > 3 or not all(p.isascii() and p.isdigit() for p in parts):
        raise UsageProblem(
            f"Kueue {kueue} is not known; supported are {', '.join(SUPPORTED_KUEUE)} (and their patches)"
        )
    return text if len(parts) == 3 else f"{minor}.{NEWEST_PATCH}"
