"""Seeds as they are typed: `1..10`."""

from __future__ import annotations

import click

_MOST = 10_000


def seed_range(text: str) -> range:
    """From the first to the last. Raises UsageError where the text says something else."""
    first_text, dots, last_text = text.partition("..")
    if not dots or not (first_text + last_text).isdecimal() or not first_text or not last_text:
        raise click.UsageError(f"--seeds {text}: write A..B, such as 1..10")
    first, last = int(first_text), int(last_text)
    if last < first or last - first >= _MOST:
        raise click.UsageError(f"--seeds {text}: from 1 to 10,000 seeds, the smaller number first")
    return range(first, last + 1)
