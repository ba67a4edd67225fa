"""Colours of teams: eight that people with any colour vision tell apart (after Okabe and Ito), then greys."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

_COLORS: Final = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#b8a800", "#6b5b95")
_MORE: Final = ("#7f8c8d", "#95a5a6", "#566573", "#aab7b8")
OTHERS: Final = "others"


def colors(teams: Iterable[str]) -> dict[str, str]:
    """A colour for each team, by its place in the list."""
    chosen = (*_COLORS, *_MORE)
    return {team: chosen[i] if i < len(chosen) else _MORE[i % len(_MORE)] for i, team in enumerate(teams)}
