"""Versions of Kueue, compared as numbers."""

from __future__ import annotations

from functools import cache

# Stands for the newest patch of a minor version: beyond any real one, so that all that the minor ever changed counts.
NEWEST_PATCH = "99"


def shown_version(version: str) -> str:
    """A version as people know it: `0.18` where its newest patch is meant, else in full."""
    return version.removesuffix(f".{NEWEST_PATCH}")


@cache
def version_key(version: str) -> tuple[int, ...]:
    """`0.17.1` → (0, 17, 1); parts that are no numbers count as 0."""
    return tuple(int(part) if part.isdigit() else 0 for part in version.removeprefix("v").split("."))


# What Kueue refuses only from a version on: the one place that says so. 0.17 and 0.19 are recorded from the real
# servers 0.17.1 and 0.19.1; what came between is dated 0.18, whose changelog names most of it.
SINCE: dict[str, tuple[int, ...]] = {
    "onFlavors names a flavor of the queue": (0, 17),
    "elastic jobs take no minCount": (0, 18),
    "pod set metadata is well formed": (0, 18),
    "requests are not negative": (0, 18),
    "topology slices are whole": (0, 18),
    "limits and pods as a whole do not name pods": (0, 18),
    "admission gates are well formed": (0, 19),
}


def holds(rule: str, kueue: str) -> bool:
    """Whether Kueue of this version has the rule (a key of `SINCE`)."""
    return version_key(kueue) >= SINCE[rule]


def writes_back(kueue: str) -> bool:
    """Whether Kueue's webhooks write every object back from its own types, changed or not (up to 0.15).

    Texts and numbers that the schema requires then come back as empty and 0, absent lists as null.
    """
    return version_key(kueue) < (0, 16)
