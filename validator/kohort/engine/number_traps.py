"""Quantities typed as numbers in a notation that YAML reads otherwise than people do: 0x10, 010, 1_000."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from kohort.diagnostics import Audience, Consequence, Edit, Finding, Fix, Label, Severity
from kohort.objects.kube import Json, KubeObject
from kohort.source.positions import Positions
from kohort.source.surprise import surprising
from kohort.spans import Path, show_path

CODE, NAME = "UNT690", "odd-number-notation"
# A cheap look at the bytes of a file: only files with such a notation are looked at again. Linear in runs of spaces.
ODD = re.compile(rb"[:\s,\[{][-+]?(?:0[0-9xXoObB_]|[0-9]+_[0-9])")
_FIELDS = frozenset({"nominalQuota", "borrowingLimit", "lendingLimit", "weight", "value", "count"})


def number_traps(
    objects: Iterable[KubeObject], odd_files: frozenset[str], places: Positions
) -> Iterator[Finding]:
    """Findings for numbers of quota fields whose source text surprises."""
    for obj in objects:
        if obj.at().file not in odd_files:
            continue
        for path, value in _numbers(obj.data, ()):
            origin = obj.at(*path)
            text = places.text(origin).strip()
            # The file was chosen for any of its numbers; this one may be a plain 8 or 1.5.
            if not ODD.match(f" {text}".encode()) or surprising(text) is None:
                continue
            yield Finding(
                code=CODE,
                name=NAME,
                severity=Severity.WARNING,
                consequence=Consequence.UNSAFE,
                audience=Audience.TEAM,
                message=f"{obj.ref}: {show_path(path)}: {text} reads as {value} in YAML 1.1; other parsers read it otherwise",
                primary=Label(origin, f"reads as {value}"),
                subject=obj.ref,
                field=show_path(path),
                help=(f'write a plain decimal in quotes: "{value}"',),
                fix=Fix(f'write "{value}"', (Edit("replace", origin, f'"{value}"'),)),
            )


def _numbers(value: Json, path: Path) -> Iterator[tuple[Path, Json]]:
    if isinstance(value, dict):
        for key, item in value.items():
            if key in _FIELDS and isinstance(item, (int, float)) and not isinstance(item, bool):
                yield (*path, key), item
            else:
                yield from _numbers(item, (*path, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _numbers(item, (*path, index))
