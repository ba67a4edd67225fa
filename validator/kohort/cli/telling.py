"""What went wrong, in words on standard error, where it is the user's to solve."""

from __future__ import annotations

import errno
import io
from typing import Final

import click

from kohort.diagnostics.visible import visible, without_leading_commands
from kohort.engine.usage import UsageProblem

_NO_ROOM: Final = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO})


def told(error: Exception) -> bool:
    """Tell the user, and say whether that was done: False for what is nobody's mistake but Kohort's.

    Names in it come from arguments, branches and file names, so what they hold must not act in a terminal or a CI log.
    """
    if isinstance(error, UsageProblem):
        click.echo(f"kohort: {visible(str(error))}", err=True)
    elif isinstance(error, click.ClickException):
        shown = io.StringIO()
        error.show(shown)
        lines = (visible(line) for line in shown.getvalue().split("\n"))
        click.echo(without_leading_commands("\n".join(lines)), err=True, nl=False)
    elif isinstance(error, OSError) and error.errno in _NO_ROOM:
        click.echo(f"kohort: cannot write the output: {error.strerror}", err=True)
    else:
        return False
    return True
