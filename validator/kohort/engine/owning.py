"""`kohort owners`: read a repository, say who owns what."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from kohort.diagnostics import Consequence
from kohort.diagnostics.visible import visible
from kohort.engine.outcome import Settings
from kohort.engine.repository import load_repository
from kohort.engine.usage import UsageProblem
from kohort.planner.authority.owners import codeowners, owned
from kohort.source.tree import WorkDir

_ORGANISATION: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._/-]*")


@dataclass(frozen=True, slots=True)
class Owners:
    """The text of CODEOWNERS, and who could not be named in it."""

    text: str
    left_out: tuple[str, ...]


def owners_of(root: Path, organisation: str, settings: Settings) -> Owners:
    """Raises UsageProblem where the declarations cannot be read, or name nobody: owners must not be lost by a typing error."""
    loaded = load_repository(WorkDir(root), settings)
    broken = [
        f for f in (*loaded.intake.findings, *loaded.repo.findings) if f.consequence is Consequence.INVALID
    ]
    if broken:
        raise UsageProblem(f"the repository cannot be read whole: {broken[0].message} (see `kohort check`)")
    if not _ORGANISATION.fullmatch(organisation):
        raise UsageProblem(
            f"{visible(organisation)} is no organisation of a forge: letters, digits, `-`, `_`, `.` and `/`"
        )
    everything = next(owned(loaded.repo, organisation))
    if not everything.owners:
        raise UsageProblem(
            "kohort.yaml names no admins that a forge could know, so everything would belong to nobody: name a group or a "
            "user (letters, digits, `-`, `_` and `.`) in spec.access.admins"
        )
    missing = dict.fromkeys(name for each in owned(loaded.repo, organisation) for name in each.left_out)
    return Owners(codeowners(loaded.repo, organisation), tuple(missing))
