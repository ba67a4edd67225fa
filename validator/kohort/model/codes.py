"""Codes of reading declarations and of deriving quota, with their documentation.

The examples are declarations that the tests load; a comment `# file: PATH` says where one stands.
"""

from __future__ import annotations

from kohort.diagnostics import Audience, Finding, Fix, Label
from kohort.diagnostics.codes import CodeDoc
from kohort.model.code_docs import RULES
from kohort.objects.names import visible
from kohort.spans import Origin, show_path

_BY_CODE: dict[str, CodeDoc] = {rule.code: rule for rule in RULES}

__all__ = ["RULES", "finding"]


def finding(
    code: str,
    message: str,
    origin: Origin,
    *,
    label: str = "",
    subject: str = "",
    related: tuple[Label, ...] = (),
    help: tuple[str, ...] = (),
    fix: Fix | None = None,
    clusters: tuple[str, ...] = (),
) -> Finding:
    """A finding of one of this layer's codes; what stands in a team's folder is for the team.

    Names may hold anything, so texts are made safe to print.
    """
    rule = _BY_CODE[code]
    return Finding(
        code=code,
        name=rule.name,
        severity=rule.severity,
        consequence=rule.consequence,
        audience=Audience.TEAM if origin.file.startswith("teams/") else Audience.ADMIN,
        message=visible(message),
        primary=Label(origin, label),
        subject=visible(subject),
        field=show_path(origin.path),
        related=related,
        help=tuple(visible(line) for line in help),
        fix=fix,
        clusters=clusters,
    )
