"""The differences of two values as single changes. Iterative: values may be nested deeply."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, Literal

from kohort.dataclass import dataclass
from kohort.objects.quantity import Quantity, QuantityError
from kohort.planner.structure.lists import ListKind, identify, list_kind
from kohort.spans import Path, show_path

How = Literal["added", "removed", "changed", "reordered"]


@dataclass(frozen=True, slots=True)
class Difference:
    """One change. `path` names list items by identity, `pattern` leaves them out; the others count indices."""

    path: str
    pattern: str
    how: How
    before: Any
    after: Any
    before_path: Path
    after_path: Path


_ABSENT: Any = object()
# Parts that mean nothing by themselves: what a rule says is about the fields inside.
_HOLDERS = frozenset(
    {
        "metadata",
        "metadata.labels",
        "metadata.annotations",
        "spec",
        "spec.resourceGroups",
        "spec.admissionChecksStrategy",
        "spec.admissionChecksStrategy.admissionChecks",
    }
)
_QUANTITIES = frozenset({"nominalQuota", "borrowingLimit", "lendingLimit", "weight"})


@dataclass(frozen=True, slots=True)
class _Pair:
    before: Any
    after: Any
    path: str
    pattern: str
    before_path: Path
    after_path: Path

    def below(self, step: str, before: Any, after: Any) -> _Pair:
        """The values under a key."""
        return _Pair(
            before,
            after,
            _join(self.path, step),
            _join(self.pattern, step),
            (*self.before_path, step),
            (*self.after_path, step),
        )

    def told(self, how: How) -> Difference:
        """As a change."""
        before = None if self.before is _ABSENT else self.before
        after = None if self.after is _ABSENT else self.after
        return Difference(self.path, self.pattern, how, before, after, self.before_path, self.after_path)


def _join(path: str, step: str) -> str:
    shown = show_path((step,))
    return f"{path}{shown}" if shown.startswith("[") or not path else f"{path}.{shown}"


def differences(before: Any, after: Any) -> Iterator[Difference]:
    """Every change from one value to another, in the order of the keys of the second, then of the first."""
    waiting = [_Pair(before, after, "", "", (), ())]
    while waiting:
        pair = waiting.pop()
        one, other = _opened(pair)
        if one is _ABSENT:
            yield pair.told("added")
        elif other is _ABSENT:
            yield pair.told("removed")
        elif isinstance(one, Mapping) and isinstance(other, Mapping):
            keys = dict.fromkeys((*other, *one))
            inner = [pair.below(str(key), one.get(key, _ABSENT), other.get(key, _ABSENT)) for key in keys]
            waiting.extend(reversed(inner))
        elif isinstance(one, list) and isinstance(other, list):
            opened = replace(pair, before=one, after=other)
            yield from _reordered(opened)
            waiting.extend(reversed(list(_items(opened))))
        elif not _same(one, other) and not _same_amount(pair):
            yield pair.told("changed")


def _opened(pair: _Pair) -> tuple[Any, Any]:
    """Both values; where a part that only holds others is absent on one side, it is empty there: what is inside counts."""
    one, other = pair.before, pair.after
    if pair.pattern in _HOLDERS:
        if one is _ABSENT and isinstance(other, (Mapping, list)):
            one = [] if isinstance(other, list) else {}
        elif other is _ABSENT and isinstance(one, (Mapping, list)):
            other = [] if isinstance(one, list) else {}
    return one, other


def _same(one: Any, other: Any) -> bool:
    """Equal, and of one type: to Python 1 and true are the same. Of containers their items are looked at later."""
    return type(one) is type(other) and bool(one == other)


def _same_amount(pair: _Pair) -> bool:
    if pair.after_path[-1:] and pair.after_path[-1] not in _QUANTITIES:
        return False
    try:
        return Quantity.parse(pair.before) == Quantity.parse(pair.after)
    except (QuantityError, TypeError):
        return False


def _names(pair: _Pair) -> tuple[ListKind, list[str], list[str]]:
    kind = list_kind(pair.pattern, pair.before, pair.after)
    old, new = identify(pair.before, kind), identify(pair.after, kind)
    if kind.keys == ("coveredResources",):
        old, new = _matched_groups(pair.before, old), _matched_groups(pair.after, new)
        old = _alike(old, new)
    return kind, old, new


def _matched_groups(groups: list[Any], names: list[str]) -> list[str]:
    """A resource group is known by its resources, in whatever order they stand."""
    found = []
    for group, name in zip(groups, names, strict=True):
        covered = group.get("coveredResources") if isinstance(group, Mapping) else None
        found.append(",".join(sorted(map(str, covered))) if isinstance(covered, list) else name)
    return found


def _alike(old: list[str], new: list[str]) -> list[str]:
    """Groups of the base under the name of the group of the head that shares most of their resources."""
    free = [name for name in new if name not in old]
    named = []
    for name in old:
        parts = set(name.split(","))
        best = max(free, key=lambda other: len(parts & set(other.split(","))), default=None)
        if name not in new and best is not None and parts & set(best.split(",")):
            free.remove(best)
            named.append(best)
        else:
            named.append(name)
    return named


def _items(pair: _Pair) -> Iterator[_Pair]:
    _, old, new = _names(pair)
    places = {name: index for index, name in reversed(list(enumerate(old)))}
    taken = set()
    for index, name in enumerate(new):
        at = places.get(name)
        before = pair.before[at] if at is not None else _ABSENT
        taken.add(name)
        yield _Pair(
            before,
            pair.after[index],
            f"{pair.path}[{name}]",
            f"{pair.pattern}[*]",
            (*pair.before_path, at) if at is not None else pair.before_path,
            (*pair.after_path, index),
        )
    for index, name in enumerate(old):
        if name not in taken:
            path, pattern = f"{pair.path}[{name}]", f"{pair.pattern}[*]"
            yield _Pair(
                pair.before[index], _ABSENT, path, pattern, (*pair.before_path, index), pair.after_path
            )


def _reordered(pair: _Pair) -> Iterator[Difference]:
    """One change where the items that both have stand in another order, and order has a meaning."""
    kind, old, new = _names(pair)
    if not kind.ordered:
        return
    both = set(old) & set(new)
    was, now = [name for name in old if name in both], [name for name in new if name in both]
    if was != now:
        yield Difference(pair.path, pair.pattern, "reordered", was, now, pair.before_path, pair.after_path)
