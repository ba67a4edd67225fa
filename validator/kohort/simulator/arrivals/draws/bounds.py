"""Numbers are whole and stay within the bounds that were stated; what is outside is moved to the bound."""

from __future__ import annotations

from kohort.model.scenario import Draw


def within(law: Draw, number: float) -> int:
    """The nearest whole number within the bounds."""
    whole = max(law.low, round(number))
    return whole if law.high is None else min(whole, law.high)
