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
_MOST_RELATED = 5


def quoted(name: str) -> str:
    """A name in double quotes, safe to print and not longer than a name can be."""
    return f'"{visible(name[:253])}"'


def meant(cluster: Cluster, kind: str, name: str, names: Collection[str]) -> tuple[str, ...]:
    """Existing names that `name` may stand for. Remembered; the number of searches per cluster is bounded."""
    known: dict[tuple[str, str], tuple[str, ...]] = cluster.memo.setdefault("meant", {})
    if (kind, name) not in known:
        known[kind, name] = did_you_mean(name, names) if len(known) < _MOST_SEARCHES else ()
    return known[kind, name]


def ask(close: Sequence[str]) -> str:
    """` (did you mean "a" or "b"?)`, or nothing."""
    return f" (did you mean {' or '.join(quoted(name) for name in close)}?)" if close else ""


def known_names(kind: str, names: Iterable[str], most: int = 8) -> tuple[str, ...]:
    """A line of help that lists the names there are."""
    ordered = sorted(names)
    return (f"{kind}s given: {listed(ordered, most)}",) if ordered else ()


def listed(names: Iterable[str], most: int = 8) -> str:
    """`a, b, c and 4 more`."""
    shown = [visible(name) for name in names]
    more = len(shown) - most
    return ", ".join(shown) if more <= 0 else f"{', '.join(shown[:most])} and {more} more"


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
