"""`kohort completion SHELL`."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from kohort.cli.exits import Exit

_SHELLS = ("bash", "fish", "zsh")
_INSTALL = {
    "bash": 'eval "$(kohort completion bash)"   # in ~/.bashrc',
    "fish": "kohort completion fish >~/.config/fish/completions/kohort.fish",
    "zsh": 'eval "$(kohort completion zsh)"   # in ~/.zshrc, after compinit',
}


@click.command(
    epilog="\b\nSwitch it on:\n" + "\n".join(f"  {line}" for line in _INSTALL.values()),
)
@click.argument("shell", type=click.Choice(_SHELLS))
@click.pass_context
def command(ctx: click.Context, shell: str) -> int:
    """Print the script that makes SHELL complete commands, options and files of kohort."""
    root = ctx.find_root()
    found = get_completion_class(shell)
    if found is None:
        raise click.ClickException(f"this version of click has no completion for {shell}")
    click.echo(found(root.command, {}, "kohort", "_KOHORT_COMPLETE").source())
    return Exit.CLEAN
