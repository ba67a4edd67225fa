"""Texts for `kohort explain`."""

from __future__ import annotations

import textwrap
from pathlib import Path

from kohort.engine.outcome import Settings
from kohort.engine.repository import load_repository
from kohort.model.explain import explain_field, explain_team
from kohort.rules.catalogue import catalogue
from kohort.source.tree import WorkDir


def explain_code(code: str) -> str | None:
    """The documentation of one code, None where there is no such code."""
    doc = catalogue().get(code)
    if doc is None:
        return None
    parts = [
        f"{doc.code} {doc.name}",
        f"{doc.severity.value}, {doc.consequence.value}; for {doc.audience}s; judged on {doc.on}",
        "",
        textwrap.fill(doc.summary, 100),
    ]
    if doc.why:
        parts += ["", "Why", textwrap.indent(textwrap.fill(" ".join(doc.why.split()), 96), "  ")]
    for title, example in (("Bad", doc.bad), ("Good", doc.good)):
        if example:
            parts += ["", title, textwrap.indent(example, "    ")]
    if doc.source:
        parts += ["", f"Source: {doc.source}"]
    return "\n".join(parts)


def explain_field_text(what: str) -> str | None:
    """The documentation of `Kind.field`."""
    return explain_field(what)


def explain_team_text(root: Path, team: str) -> str | None:
    """Every derived number of a team with its arithmetic."""
    loaded = load_repository(WorkDir(root), Settings())
    return explain_team(loaded.repo, team)
