"""Whole objects as YAML, and what differs between two of them."""

from __future__ import annotations

import difflib
from collections.abc import Iterator

from kohort.compiler.emit import document
from kohort.diagnostics.visible import visible
from kohort.objects.kube import KubeObject


def yaml_of(obj: KubeObject | None) -> str:
    """The object as YAML in canonical order; empty for none."""
    return document(obj.data) if obj is not None else ""


def yaml_diff(before: KubeObject | None, after: KubeObject | None) -> Iterator[str]:
    """All lines of the object, those that differ with `+` and `-`; every line made visible."""
    old, new = yaml_of(before).splitlines(), yaml_of(after).splitlines()
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
    for tag, a, b, c, d in matcher.get_opcodes():
        if tag == "equal":
            yield from (f"  {visible(line)}" for line in old[a:b])
        else:
            yield from (f"- {visible(line)}" for line in old[a:b])
            yield from (f"+ {visible(line)}" for line in new[c:d])
