"""The documentation of a code, from a rule's docstring or a reading code's row; examples in it are run by tests."""

from __future__ import annotations

import importlib
import re
import textwrap

from kohort.dataclass import dataclass
from kohort.diagnostics import Consequence, Severity
from kohort.rules.base import Rule

_HEADING = re.compile(r"^(Why|Bad|Good|Source|Fix):[ \t]*$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class RuleDoc:
    """What `kohort explain CODE` shows."""

    code: str
    name: str
    severity: Severity
    consequence: Consequence
    audience: str
    on: str
    summary: str
    why: str
    bad: str
    good: str
    source: str


def document(rule: Rule) -> RuleDoc:
    """Read the docstring of the rule's module. A missing section reads as an empty text; a test forbids that."""
    text = importlib.import_module(rule.module).__doc__ or ""
    parts = _HEADING.split(text)
    sections = {parts[i]: textwrap.dedent(parts[i + 1].strip("\n")).rstrip() for i in range(1, len(parts), 2)}
    return RuleDoc(
        code=rule.code,
        name=rule.name,
        severity=rule.severity or rule.consequence.severity,
        consequence=rule.consequence,
        audience=rule.audience.value,
        on=rule.on,
        summary=" ".join(parts[0].split()),
        why=sections.get("Why", ""),
        bad=sections.get("Bad", ""),
        good=sections.get("Good", ""),
        source=" ".join(sections.get("Source", "").split()),
    )
