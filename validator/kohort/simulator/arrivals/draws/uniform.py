"""Any whole number from one to another, both included, all as likely."""

from __future__ import annotations

from random import Random

from kohort.model.scenario import Draw


def draw(law: Draw, random: Random) -> int:
    """One of them."""
    return random.randint(law.low, law.low if law.high is None else law.high)
