"""Exit codes of every command."""

from __future__ import annotations

from enum import IntEnum


class Exit(IntEnum):
    """What a script can rely on."""

    CLEAN = 0  # nothing at or above --fail-on
    FINDINGS = 1  # findings at or above --fail-on, or compiled output that differs
    USAGE = 2  # bad flags, missing paths, a broken kohort.yaml
    INTERNAL = 3  # a defect of Kohort
    NOTHING = 4  # nothing to check
    INTERRUPTED = 130
