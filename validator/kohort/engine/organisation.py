"""A repository without an Organisation: most likely an emptied or misplaced kohort.yaml."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from kohort.diagnostics import Consequence, Finding
from kohort.engine.marker import MARKER
from kohort.model import codes
from kohort.spans import Origin


def missing_organisation(known: Iterable[Finding]) -> Iterator[Finding]:
    """The finding on a kohort.yaml that declares none, unless `known` says why it could not be read."""
    if any(f.primary.origin.file == MARKER and f.consequence is Consequence.INVALID for f in known):
        return
    yield codes.finding(
        "SRC110",
        f"{MARKER} declares no Organisation",
        Origin(MARKER),
        help=("`kohort init` shows in a new folder what it holds",),
    )
