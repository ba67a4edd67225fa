"""Suggestions and lists of names as rules word them; every name is shown safe to print."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from kohort.diagnostics import Edit, Fix, Label
from kohort.diagnostics.suggest import did_you_mean
from kohort.objects.cluster import Cluster
from kohort.objects.kube import KubeObject
from kohort.objects.names import visible
from kohort.spans import Path

_MOST_SEARCHES = 400  # a search looks at every name; beyond this many the names themselves are the answer
_MOST_LOOKS = 500_000  # names that all searches of a cluster look at together; seconds
_MOST_RELATED = 5


def quoted(name: str) -> str:
    """A name in double quotes, safe to print and not longer than a name can be."""
    return f'"{visible(name[:253])}"'


def meant(cluster: Cluster, kind: str, name: str, names: Collection[str]) -> tuple[str, ...]:
    """Existing names that `name` may stand for. Remembered; what all searches of a cluster cost is bounded."""
    known: dict[tuple[str, str], tuple[str, ...]] = cluster.memo.setdefault("meant", {})
    if (kind, name) not in known:
        looks = cluster.memo.get("looks", 0) + len(names)
        search = len(known) < _MOST_SEARCHES and (looks <= _MOST_LOOKS or not known)
        known[kind, name] = did_you_mean(name, names) if search else ()
        cluster.memo["looks"] = looks
    return known[kind, name]


def ask(close: Sequence[str]) -> str:
    """` (did you mean "a" or "b"?)`, or nothing."""
    return f" (did you mean {' or '.join(quoted(name) for name in close)}?)" if close else ""


def known_names(cluster: Cluster, kind: str, names: Iterable[str]) -> tuple[str, ...]:
    """A line of help that lists the names there are; the same for all who ask, so made once per kind."""
    lines: dict[str, tuple[str, ...]] = cluster.memo.setdefault("known names", {})
    if kind not in lines:
        ordered = sorted(names)
        lines[kind] = (f"{kind}s given: {listed(ordered)}",) if ordered else ()
    return lines[kind]


def listed(names: Iterable[str], most: int = 8) -> str:
    """`a, b, c and 4 more`."""
    some = list(names)
    shown = ", ".join(visible(name) for name in some[:most])
    return shown if len(some) <= most else f"{shown} and {len(some) - most} more"


def condition(reason: str, text: str) -> str:
    """What Kueue shows on a queue that admits nothing."""
    return f'Active=False, reason {reason}, "Can\'t admit new workloads: {text}."'


def rename(obj: KubeObject, path: Path, close: Sequence[str]) -> Fix | None:
    """The edit that writes the only near name; a guess, so it is applied only where asked for."""
    if len(close) != 1:
        return None
    return Fix(f"write {quoted(close[0])}", (Edit("replace", obj.at(*path), close[0]),), safe=False)


def related(labels: Iterable[Label]) -> tuple[Label, ...]:
    """The first few related places."""
    return tuple(label for label, _ in zip(labels, range(_MOST_RELATED), strict=False))
