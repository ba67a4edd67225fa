"""Exceptions and severities over what the base's rules say of a change."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from typing import Final

from kohort.diagnostics import Finding, exceptions
from kohort.diagnostics.severity import adjust
from kohort.engine.settle import waiver
from kohort.model.repo import Repo
from kohort.planner.authority.rules.waivers import new_exceptions

_GUARD_RAILS: Final = "AUT"


def accepted(
    findings: Iterable[Finding], base: Repo, head: Repo, onto: Repo, at: date | None
) -> tuple[Finding, ...]:
    """The findings that no Exception of the head covers, with the severities of the branch as it stands.

    A guard rail gives way only to an Exception that the change itself brings, since an admin of the base must agree to
    that one; an older one was agreed to for another change. An Exception that the branch withdrew meanwhile is none. Comments beside the value hide nothing here: whoever breaks
    a rule could write them.
    """
    brought = new_exceptions(base, head)
    unknown = new_exceptions(onto, head)
    held = [each for each in head.exceptions if each in brought or each not in unknown]
    rails: list[Finding] = []
    others: list[Finding] = []
    for finding in findings:
        (rails if finding.code.startswith(_GUARD_RAILS) else others).append(finding)
    kept = (
        *exceptions.apply(rails, [waiver(each) for each in brought], at).kept,
        *exceptions.apply(others, [waiver(each) for each in held], at).kept,
    )
    return tuple(adjust(kept, onto.organisation.severities if onto.organisation is not None else {}))
