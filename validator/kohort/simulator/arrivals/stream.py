"""Random numbers that depend on the seed, the source and the use alone.

Each source has a stream of its own for each thing that is drawn (moments, duration, pods, GPUs), so another source, or
another law of sizes, shifts nothing else. Python's generator, seeded by text (SHA-512), gives the same numbers on every
platform.
"""

from __future__ import annotations

from random import Random


def stream(seed: int, source: str, use: str) -> Random:
    """The generator of one use of one source."""
    return Random(f"kohort/{seed}/{source}/{use}")  # noqa: S311 - a simulation, not a secret
