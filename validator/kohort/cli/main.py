"""The `kohort` command: a group whose sub-commands are imported only when they run."""

from __future__ import annotations

import gc
import importlib
import os
import sys

import click
from click.shell_completion import CompletionItem

from kohort import __version__
from kohort.cli.exits import Exit

# name → (module, one line for --help); the module is imported when the command runs or shows its own help.
COMMANDS: dict[str, tuple[str, str]] = {
    "approvals": ("kohort.cli.approvals", "Say who must still agree to a planned change."),
    "check": ("kohort.cli.check", "Check a repository, or any folder of Kubernetes YAML."),
    "comment": ("kohort.cli.comment", "Keep one comment on a pull request up to date."),
    "compile": ("kohort.cli.compile", "Compile a repository to manifests for Argo CD."),
    "completion": (
        "kohort.cli.completion",
        "Print a script that makes your shell complete kohort's commands.",
    ),
    "explain": ("kohort.cli.explain", "Explain a finding's code, a field, or a team's derived quota."),
    "fix": ("kohort.cli.fix", "Apply safe fixes; comments are kept."),
    "init": ("kohort.cli.init", "Make a new repository."),
    "lab": ("kohort.cli.lab", "Start a real control plane here, and try manifests or a change in it."),
    "new": ("kohort.cli.new", "Add a team, workload or cluster to a repository."),
    "owners": ("kohort.cli.owners", "Print CODEOWNERS: who owns which files."),
    "plan": ("kohort.cli.plan", "Show what a change means: GPUs, people, objects, disturbance."),
    "policy": ("kohort.cli.policy", "Test the organisation's policies, or see what they see."),
    "render": ("kohort.cli.render", "Render a workload template, ready for kubectl create."),
    "simulate": ("kohort.cli.simulate", "Play a load against a cluster, by a model of Kueue."),
    "schema": ("kohort.cli.schema", "Write the JSON Schemas of the source language."),
    "tree": ("kohort.cli.tree", "Show the cohort tree with its quotas."),
    "verify-plan": ("kohort.cli.verify_plan", "Say whether a saved plan still holds."),
    "version": ("kohort.cli.version", "Show Kohort's version and the Kueue versions it knows."),
    "where": ("kohort.cli.where", "Follow a line from source to compiled output and back."),
    "why": ("kohort.cli.why", "Tell why a job will run or not, and what would change that."),
}


class LazyGroup(click.Group):
    """Lists commands without importing them, so that --help is as fast as click itself."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """All names, sorted."""
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Import one command."""
        if cmd_name not in COMMANDS:
            return None
        command = importlib.import_module(COMMANDS[cmd_name][0]).command
        if not isinstance(command, click.Command):
            raise TypeError(f"{cmd_name} is not a command")
        return command

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Names of commands with their lines, and the options of the group, without importing any command."""
        found = [CompletionItem(n, help=COMMANDS[n][1]) for n in sorted(COMMANDS) if n.startswith(incomplete)]
        return found + click.Command.shell_complete(self, ctx, incomplete)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """The table of commands from the lines above, without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, COMMANDS[name][1]) for name in sorted(COMMANDS)])


@click.command(
    cls=LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Start with `kohort check` in a repository, or `kohort check PATH --nodes nodes.yaml` on any Kueue YAML.",
)
@click.version_option(__version__, prog_name="kohort")
def cli() -> None:
    """Share GPU clusters fairly, by pull request."""


def main() -> None:
    """Run the command; every way to fail has its exit code and no traceback reaches the user."""
    _open_streams()
    collecting = gc.isenabled() and sys.argv[1:2] != ["lab"]
    if collecting:
        gc.disable()  # all but the lab is over in seconds: the collector would only walk what is needed to the end
    try:
        _run()
    finally:
        if collecting:
            gc.freeze()  # Python collects once more when it exits: nothing that lives until then is worth it
            gc.enable()


def _open_streams() -> None:
    """A shell may start a command with streams closed (`>&-`, `<&-`): nobody reads what goes there, and nothing comes."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115, PTH123 - open until the end


def _keeps_color() -> bool | None:
    """Whether colours that a command wrote stay in what it prints; None leaves that to the terminal, as click does."""
    return True if os.environ.get("FORCE_COLOR") and not os.environ.get("NO_COLOR") else None


def _run() -> None:
    try:
        result = cli.main(standalone_mode=False, color=_keeps_color())
        sys.exit(result if isinstance(result, int) else Exit.CLEAN)
    except click.exceptions.Abort:
        sys.exit(Exit.INTERRUPTED)
    except KeyboardInterrupt:
        sys.exit(Exit.INTERRUPTED)
    except BrokenPipeError:
        # the reader (head, less) went away: no report, no traceback at interpreter exit
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(Exit.CLEAN)
    except SystemExit:
        raise
    except Exception as error:  # noqa: BLE001 - the last line of defence: a report instead of a traceback
        from kohort.cli.telling import told  # only where there is something to tell

        sys.exit(Exit.USAGE if told(error) else _report_defect(error))


def _report_defect(error: BaseException) -> Exit:
    """Tell the user what to send; the full traceback goes to a file only when asked for."""
    import platform

    from kohort.diagnostics.visible import visible

    if os.environ.get("KOHORT_DEBUG"):
        raise error
    trace = error.__traceback__
    where = ""
    while trace is not None:
        code = trace.tb_frame.f_code
        where = f"{os.path.basename(code.co_filename)}:{trace.tb_lineno} in {code.co_name}"  # noqa: PTH119
        trace = trace.tb_next
    click.echo(
        "kohort: internal error, this is a defect of Kohort and not of your files\n"
        f"  error:   {visible(f'{type(error).__name__}: {error}')}\n"
        f"  at:      {where}\n"
        f"  version: kohort {__version__}, Python {platform.python_version()}\n"
        f"  command: {visible(' '.join(('kohort', *sys.argv[1:])))}\n"
        "  please report it with these lines and, if you can, the smallest input that shows it;\n"
        "  KOHORT_DEBUG=1 shows the full traceback",
        err=True,
    )
    return Exit.INTERNAL


if __name__ == "__main__":
    main()
