"""What compiling can find: declarations that cannot become objects. Each leaves one object out, the rest goes on.

The codes and their documentation are in `kohort.rules.compile_codes`.
"""

from __future__ import annotations

from kohort.diagnostics import Audience, Finding, Label
from kohort.diagnostics.codes import CodeDoc
from kohort.spans import Origin


def problem(
    code: CodeDoc,
    message: str,
    origin: Origin,
    *,
    cluster: str = "",
    subject: str = "",
    related: tuple[Label, ...] = (),
    help_: tuple[str, ...] = (),
) -> Finding:
    """An error: what `origin` declares is not in the output (of `cluster`, where one is named)."""
    return Finding(
        code=code.code,
        name=code.name,
        severity=code.severity,
        consequence=code.consequence,
        audience=Audience.TEAM if origin.file.startswith("teams/") else Audience.ADMIN,
        message=message,
        primary=Label(origin, "not compiled"),
        subject=subject,
        related=related,
        help=help_,
        clusters=(cluster,) if cluster else (),
    )
