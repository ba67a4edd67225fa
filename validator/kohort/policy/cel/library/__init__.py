"""The functions that expressions may call, by name; those in a space of names with it (`sets.contains`)."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from kohort.policy.cel.library.amounts import AMOUNTS
from kohort.policy.cel.library.beside import BESIDE
from kohort.policy.cel.library.conversions import CONVERSIONS, KINDS
from kohort.policy.cel.library.formatting import formatted
from kohort.policy.cel.library.lists import LISTS, SETS
from kohort.policy.cel.library.named_formats import FORMATS
from kohort.policy.cel.library.network import NETWORK
from kohort.policy.cel.library.optionals import OPTIONALS
from kohort.policy.cel.library.texts import TEXTS
from kohort.policy.cel.library.times import TIMES

FUNCTIONS: Final[Mapping[str, Callable[..., Any]]] = {
    **CONVERSIONS,
    **TIMES,
    **TEXTS,
    **LISTS,
    **SETS,
    **AMOUNTS,
    **NETWORK,
    **FORMATS,
    **OPTIONALS,
    **BESIDE,
    "format": formatted,
}

__all__ = ["BESIDE", "FUNCTIONS", "KINDS"]
