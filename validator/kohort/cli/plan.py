"""`kohort plan`: what a change means in GPUs, people, objects and disturbance."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from kohort.cli.exits import Exit
from kohort.cli.named_path import NamedPath
from kohort.cli.output import wants_color
from kohort.cli.progress import progress
from kohort.cli.seeds import seed_range
from kohort.cli.telling import told
from kohort.diagnostics import Severity
from kohort.engine.checking import judged_version
from kohort.engine.comparing import WORKTREE, Choice, Compared, plan_commits, plan_paths
from kohort.engine.outcome import DEFAULT_KUEUE, Settings
from kohort.engine.rendering_plan import PLAN_FORMATS, render_plan
from kohort.source.write import write_atomically

_CHANGES = 2
_EPILOG = """\b
Examples:
  kohort plan                                   the working tree against the branch it will be merged into
  kohort plan --base origin/main --head HEAD    two commits, read from Git without a checkout
  kohort plan old/ new/                         two folders of any Kueue YAML
  kohort plan --snapshot state.yaml             and which workloads it touches: kubectl get workloads -A -o yaml
  kohort plan --scenario week                   and who waits longer, is preempted more, gains, on a played load
  kohort plan --format markdown=comment.md --format json=plan.json
"""


class _PlanCommand(click.Command):
    """With `--detailed-exitcode` 2 says that something changes, so that every error has to be 1."""

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        """Parse the arguments."""
        detailed = "--detailed-exitcode" in args
        try:
            return super().make_context(info_name, args, parent, **extra)
        except click.ClickException as error:
            if not (detailed and told(error)):
                raise
            raise click.exceptions.Exit(Exit.FINDINGS) from error

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command."""
        try:
            return super().invoke(ctx)
        except Exception as error:
            if not (ctx.params.get("detailed_exitcode") and told(error)):
                raise
            return Exit.FINDINGS


@click.command(cls=_PlanCommand, epilog=_EPILOG)
@click.argument("old", required=False, metavar="[OLD")
@click.argument("new", required=False, metavar="NEW]")
@click.option(
    "--base", default="", metavar="REF", help="Branch or commit to compare with (default: origin/HEAD, main)."
)
@click.option(
    "--head",
    default=WORKTREE,
    metavar="REF",
    show_default=True,
    help="Commit, or `worktree` for the files here.",
)
@click.option(
    "--no-merge-base", is_flag=True, help="Compare with the base itself, not with where the head left it."
)
@click.option(
    "--with",
    "others",
    multiple=True,
    metavar="REF",
    help="Another open change: say what is wrong only when both are merged (repeatable).",
)
@click.option(
    "--snapshot",
    multiple=True,
    metavar="FILE",
    help="What runs: Workloads and ClusterQueues of kubectl get -o json or yaml, or manifests of jobs, which are played "
    "(repeatable; NAME=FILE for one cluster).",
)
@click.option(
    "--scenario",
    "scenarios",
    multiple=True,
    metavar="NAME|FILE",
    help="Play a load before and after, as `kohort simulate` does: waits, use, preemptions, who is hurt (repeatable).",
)
@click.option("--seeds", metavar="A..B", help="Seeds of the scenarios (default: ten of them).")
@click.option(
    "--format",
    "formats",
    multiple=True,
    metavar="NAME[=FILE]",
    help=f"{', '.join(PLAN_FORMATS)} (repeatable).",
)
@click.option("--full", is_flag=True, help="Show whole objects.")
@click.option(
    "--all", "every", is_flag=True, help="Tell each one by itself where many change in the same way."
)
@click.option(
    "--detailed-exitcode",
    is_flag=True,
    help="0 nothing changes, 2 something changes, 1 findings or any error.",
)
@click.option(
    "--out", type=NamedPath(dir_okay=False, path_type=Path), help="Save the plan for `kohort verify-plan`."
)
@click.option(
    "--kueue", metavar="VERSION", help=f"Kueue version of plain manifests (default {DEFAULT_KUEUE})."
)
@click.option(
    "--at", type=click.DateTime(["%Y-%m-%d"]), metavar="DATE", help="Date that expiries are compared with."
)
@click.option(
    "--actor", default="", metavar="USER", help="Who proposes the change: what they may agree to is given."
)
@click.option(
    "--actor-group", "actor_groups", multiple=True, metavar="GROUP", help="A group of the actor (repeatable)."
)
@click.option("--no-cache", is_flag=True, help="Do not use what earlier runs of `kohort check` read.")
@click.option("-q", "--quiet", is_flag=True, help="No progress on stderr.")
def command(
    old: str | None,
    new: str | None,
    base: str,
    head: str,
    no_merge_base: bool,
    others: tuple[str, ...],
    snapshot: tuple[str, ...],
    scenarios: tuple[str, ...],
    seeds: str | None,
    formats: tuple[str, ...],
    full: bool,
    every: bool,
    detailed_exitcode: bool,
    out: Path | None,
    kueue: str | None,
    at: object,
    actor: str,
    actor_groups: tuple[str, ...],
    no_cache: bool,
    quiet: bool,
) -> int:
    """Show what a change does before it is merged: guarantees, borrowing, largest jobs, people, objects, disturbance.

    Trees are read from Git's objects, nothing is checked out and nothing contacted. With OLD and NEW two folders or
    files are compared instead.
    """
    chosen = _formats(formats)
    if seeds is not None and not scenarios:
        raise click.UsageError("--seeds are those of a --scenario")
    numbers = seed_range(seeds) if seeds is not None else None
    settings = Settings(
        kueue=judged_version(kueue),
        at=at.date() if hasattr(at, "date") else None,
        progress=progress(quiet=quiet),
        cached=not no_cache,
        actor=actor,
        actor_groups=actor_groups,
    )
    if old is not None:
        if new is None:
            raise click.UsageError(
                "one path is nothing to compare: kohort plan OLD NEW, or --base and --head for commits"
            )
        if base or head != WORKTREE or no_merge_base or others:
            raise click.UsageError(
                "--base, --head, --no-merge-base and --with are for commits; OLD and NEW are folders or files"
            )
        compared = plan_paths(old, new, settings, snapshot)
    else:
        choice = Choice(base, head, exact=no_merge_base, others=others)
        compared = plan_commits(Path(), choice, settings, snapshot)
    if scenarios:
        compared = _played(compared, (old, new), scenarios, numbers, settings)
    for name, file in chosen:
        color = not file and name == "terminal" and wants_color(sys.stdout.isatty())
        _show(render_plan(compared.planned, name, color=color, full=full, every=every), file)
    if out is not None:
        _save(compared, settings, out)
    return _exit(compared, detailed=detailed_exitcode)


def _played(
    compared: Compared,
    paths: tuple[str | None, str | None],
    scenarios: tuple[str, ...],
    seeds: range | None,
    settings: Settings,
) -> Compared:
    """The scenarios played on both sides, by the commits or folders that the plan compared."""
    from kohort.engine.playing_plans import Loads, with_loads

    old, new = paths
    if compared.base is not None:
        old, new = compared.base.sha, compared.head.sha if compared.head is not None else "."
    planned = with_loads(compared.planned, (old or "", new or ""), Loads(scenarios, seeds), settings)
    return replace(compared, planned=planned)


def _formats(values: tuple[str, ...]) -> list[tuple[str, str]]:
    chosen = []
    for value in values or ("terminal",):
        name, into, file = value.partition("=")
        if name not in PLAN_FORMATS:
            raise click.BadParameter(f"unknown format {name!r}; choose from {', '.join(PLAN_FORMATS)}")
        if into and not file:
            raise click.BadParameter(f"{value} names no file (a variable that was not set?)")
        chosen.append((name, file))
    if sum(1 for _, file in chosen if not file) > 1:
        raise click.BadParameter("only one format can go to standard output; write the others as NAME=FILE")
    return chosen


def _show(text: str, file: str) -> None:
    if not file:
        click.echo(text, nl=not text.endswith("\n"))
        return
    try:
        write_atomically(Path(file), text.encode("utf-8", "replace"))
    except OSError as error:
        raise click.ClickException(f"cannot write {file}: {error.strerror or error}") from error


def _save(compared: Compared, settings: Settings, out: Path) -> None:
    from kohort.engine.saved_plan import saved

    _show(saved(compared, settings), str(out))


def _exit(compared: Compared, *, detailed: bool) -> Exit | int:
    plan = compared.planned.plan
    found = (*plan.findings, *plan.new, *plan.base_errors, *plan.head_errors)
    if any(finding.severity is Severity.ERROR for finding in found):
        return Exit.FINDINGS
    return _CHANGES if detailed and not plan.empty else Exit.CLEAN
