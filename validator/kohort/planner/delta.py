"""What differs between two views, as policies see it under `delta`.

Numbers become differences (an absent one counts as 0), texts and truths `{before, after}` where they differ, lists of
texts `{added, removed}`, lists of maps a map by name, or by what else tells them apart: `pokprod/h100`, and
`pokprod/h100/nvidia.com/mig-1g.10gb` for each unit beside the first that a flavor is counted in. What is alike is absent,
numbers excepted: they are 0. Only amounts of one unit are subtracted from each other.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

_NAMES: Final = ("name", "cluster", "flavor", "unitName")
_MOST: Final = 2**63 - 1


def delta(before: Any, after: Any) -> Any:
    """The difference of two values of one shape; either may be None for what does not exist."""
    if _is_number(before) or _is_number(after):
        return max(-_MOST, min(_MOST, (after or 0) - (before or 0)))
    if isinstance(before, Mapping) or isinstance(after, Mapping):
        old, new = before or {}, after or {}
        if "units" in old and "units" in new and old["unit"] != new["unit"]:
            same = old["units"].get(new["unit"], {})
            old = {**old, **dict.fromkeys(old["units"][old["unit"]]), **same, "unit": old["unit"]}
        found = {
            key: delta(old.get(key), new.get(key)) for key in dict.fromkeys((*old, *new)) if key not in _NAMES
        }
        return {key: value for key, value in found.items() if value is not None}
    if isinstance(before, list) or isinstance(after, list):
        return _lists(before or [], after or [])
    return None if before == after else {"before": before, "after": after}


def _lists(old: list[Any], new: list[Any]) -> Any:
    if any(isinstance(each, Mapping) for each in (*old, *new)):
        first: dict[
            str, Any
        ] = {}  # the unit that a flavor is counted in first, in the newer list where it is there
        before: dict[str, Any] = {}
        after: dict[str, Any] = {}
        for side, lines in ((after, new), (before, old)):
            for each in lines:
                key = _key(each)
                unit = each.get("unit") if isinstance(each, Mapping) else None
                side[key if first.setdefault(key, unit) == unit else f"{key}/{unit}"] = each
        return {key: delta(before.get(key), after.get(key)) for key in dict.fromkeys((*before, *after))}
    added = [each for each in new if each not in old]
    removed = [each for each in old if each not in new]
    return {"added": added, "removed": removed} if added or removed else None


def _key(each: Any) -> str:
    """The name, else `pokprod/h100` of a line of quota and `h100/memory` of an overcommitment."""
    if not isinstance(each, Mapping):
        return str(each)
    if "name" in each:
        return str(each["name"])
    return "/".join(str(each[part]) for part in ("cluster", "flavor", "resource") if each.get(part))


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)
