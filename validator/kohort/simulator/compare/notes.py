"""What a reader must know of many runs: the notes that speak of the model and not of one run."""

from __future__ import annotations

from collections.abc import Iterable

from kohort.simulator.record import Run


def shared_notes(runs: Iterable[Run]) -> list[str]:
    """Each note once. One that begins with a number counts what happened in its own run, so it is left out."""
    return list(dict.fromkeys(note for run in runs for note in run.notes if not note[:1].isdigit()))
