"""The CEL rules of Kueue's definitions, by hash: what the hand-written rules have to cover.

The expressions are not here and are not evaluated; `ci/schema_tables.py --cel FILE` lists their text.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files


@dataclass(frozen=True, slots=True)
class CelPlace:
    """Where a rule stands: `path` is empty for the root, "[*]" is every element of a list or map."""

    path: str
    kind: str
    api: str
    kueue: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CelRule:
    """One expression.

    Attributes:
        digest: first 12 hexadecimal digits of the SHA-256 of its text.
        on_update: it compares with the old object, so it says nothing on create.
        places: where it stands, in which kinds, API versions and minor versions of Kueue.
    """

    digest: str
    on_update: bool
    places: tuple[CelPlace, ...]


@cache
def cel_rules() -> tuple[CelRule, ...]:
    """All rules of all versions, ordered by digest."""
    text = (files("kohort.objects.schema") / "tables" / "cel.json").read_text(encoding="utf-8")
    return tuple(
        CelRule(
            digest,
            bool(rule["update"]),
            tuple(
                CelPlace(
                    "" if path == "." else path, owner.split("/")[0], owner.split("/")[1], tuple(versions)
                )
                for path, owners in rule["places"].items()
                for owner, versions in owners.items()
            ),
        )
        for digest, rule in json.loads(text).items()
    )
