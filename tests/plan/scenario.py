"""What a scenario of a plan is: an edit of the organisation, and what a person worked out that it means."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Scenario:
    """`edits` of the world (see `plan_world.changed`), `before` edits of the base.

    `amounts` are all effects on devices but those of single queues, one a line, worked out by hand; with `some` only a
    part of them. `behind` are some effects on other resources. `classes` are objects with their class. The others are
    complete: the gravest class, people, codes of the plan's own findings, titles of steps, new errors and warnings.
    """

    name: str
    edits: dict[str, Any]
    worst: str
    amounts: str = ""
    some: bool = False
    behind: str = ""
    classes: dict[str, str] = field(default_factory=dict)
    before: dict[str, Any] = field(default_factory=dict)
    people: tuple[str, ...] = ()
    access: tuple[str, ...] = ()
    findings: tuple[str, ...] = ()
    steps: tuple[str, ...] = ()
    new: tuple[str, ...] = ()

    def lines(self) -> set[str]:
        """The amounts, one text each."""
        return _lines(self.amounts)

    def others(self) -> set[str]:
        """The amounts behind them."""
        return _lines(self.behind)


def _lines(text: str) -> set[str]:
    return {line.strip() for line in text.splitlines() if line.strip()}
