"""`kohort simulate`: a load played against a cluster, by a model of Kueue."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from kohort.cli.exits import Exit
from kohort.cli.output import wants_color
from kohort.cli.progress import progress
from kohort.cli.seeds import seed_range
from kohort.diagnostics import Report, Severity
from kohort.diagnostics.render import FORMATS as FINDING_FORMATS
from kohort.diagnostics.render import RenderOptions
from kohort.engine.outcome import Outcome, Settings
from kohort.engine.showing_runs import COMPARED, FORMATS, compared_text, run_text, seeds_text
from kohort.engine.simulating import Asked, Staged, runs, stage
from kohort.simulator.importers.formats import READERS
from kohort.source.write import write_atomically

_SEEDS = 10
_EPILOG = """\b
Examples:
  kohort simulate tutorial                                    a scenario of workloads/scenarios/
  kohort simulate week.yaml --format html=week.html --format csv=jobs.csv
  kohort simulate week.yaml --seeds 1..20                     means with 95 % intervals
  kohort simulate week.yaml --compare main worktree/          two configurations on the same jobs
  kohort simulate --trace slurm=sacct.txt --cluster vela --map '*=climate'
"""


@click.command(epilog=_EPILOG)
@click.argument("scenario", required=False, default="")
@click.option("--seed", type=click.IntRange(min=0), help="Seed in place of the scenario's.")
@click.option(
    "--seeds", metavar="A..B", help="Play once for each seed, and show means with their confidence."
)
@click.option(
    "--compare",
    nargs=2,
    metavar="BASE HEAD",
    help=f"Two configurations on one scenario: folders or commits ({_SEEDS} seeds unless --seeds says otherwise).",
)
@click.option(
    "--trace",
    "traces",
    multiple=True,
    metavar="FORMAT=FILE",
    help=f"Play a recorded load: {', '.join(READERS)} (repeatable).",
)
@click.option(
    "--map",
    "mapped",
    multiple=True,
    metavar="NAME=QUEUE",
    help="Whose queue stands for a queue or user of the trace: a team, team/queue or namespace/LocalQueue; * for others.",
)
@click.option("--cluster", default="", help="Cluster of the repository, in place of the scenario's.")
@click.option(
    "--format",
    "formats",
    multiple=True,
    metavar="NAME[=FILE]",
    help=f"{', '.join(FORMATS)} (repeatable); with --seeds or --compare {', '.join(COMPARED)}.",
)
@click.option("-q", "--quiet", is_flag=True, help="No progress and no warnings on stderr.")
def command(
    scenario: str,
    seed: int | None,
    seeds: str | None,
    compare: tuple[str, str] | None,
    traces: tuple[str, ...],
    mapped: tuple[str, ...],
    cluster: str,
    formats: tuple[str, ...],
    quiet: bool,
) -> int:
    """Play SCENARIO: a file, or the name of a scenario of the repository in the working directory.

    Nothing is contacted: Kueue's decisions, the scheduler's placement and AppWrapper's restarts are modelled.
    """
    if seed is not None and seeds is not None:
        raise click.UsageError("--seed is one seed, --seeds several: choose one")
    several = seeds is not None or compare is not None
    chosen = _formats(formats, COMPARED if several else FORMATS)
    asked = Asked(
        scenario,
        tuple(_pair("--trace", text, READERS) for text in traces),
        dict(_pair("--map", text) for text in mapped),
        cluster,
    )
    settings = Settings(progress=progress(quiet=quiet))
    if compare is not None:
        sides = tuple(
            stage(Asked(asked.scenario, asked.traces, asked.queues, asked.cluster, on), settings)
            for on in compare
        )
        for side in sides:
            _tell(side.outcome, quiet=quiet)
        if any(side.ready is None for side in sides):
            return Exit.FINDINGS
        numbers = _numbers(seeds, seed, sides[0])
        made = [
            runs(side.ready, numbers, settings, timeline=False) for side in sides if side.ready is not None
        ]
        return _write(chosen, lambda name: compared_text(name, made[0], made[1], compare))
    staged = stage(asked, settings)
    _tell(staged.outcome, quiet=quiet)
    if staged.ready is None:
        return Exit.FINDINGS
    if seeds is not None:
        found = runs(staged.ready, _numbers(seeds, None, staged), settings, timeline=False)
        return _write(chosen, lambda name: seeds_text(name, found))
    one = staged.ready.scenario.seed if seed is None else seed
    (run,) = runs(staged.ready, [one], settings)
    return _write(chosen, lambda name: run_text(name, run))


def _numbers(seeds: str | None, seed: int | None, staged: Staged) -> range:
    if seeds is None:
        first = seed if seed is not None else staged.ready.scenario.seed if staged.ready is not None else 1
        return range(first, first + _SEEDS)
    return seed_range(seeds)


def _pair(option: str, text: str, known: object = None) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals or not name or not value:
        raise click.UsageError(f"{option} {text}: write NAME=VALUE")
    if isinstance(known, dict) and name not in known:
        raise click.UsageError(f"{option} {text}: unknown format {name}; choose from {', '.join(known)}")
    return name, value


def _formats(values: tuple[str, ...], known: tuple[str, ...]) -> list[tuple[str, str]]:
    chosen = []
    for value in values or (known[0],):
        name, _, file = value.partition("=")
        if name not in known:
            raise click.UsageError(f"unknown format {name!r}; choose from {', '.join(known)}")
        chosen.append((name, file))
    if sum(1 for _, file in chosen if not file) > 1:
        raise click.UsageError("only one format can go to standard output; write the others as NAME=FILE")
    return chosen


def _tell(outcome: Outcome, *, quiet: bool) -> None:
    """Findings on stderr: errors always, warnings unless quiet."""
    least = Severity.ERROR if quiet else Severity.WARNING
    shown = tuple(f for f in outcome.report.findings if f.severity.rank <= least.rank)
    if shown:
        options = RenderOptions(color=wants_color(sys.stderr.isatty()), width=110)
        click.echo(
            FINDING_FORMATS["full"](Report(findings=shown), outcome.places, options).rstrip("\n"), err=True
        )


def _write(chosen: list[tuple[str, str]], text_of: object) -> int:
    if not callable(text_of):
        raise TypeError("a function from format to text")
    for name, file in chosen:
        text = text_of(name)
        if not file:
            click.echo(text, nl=False)
            continue
        try:
            write_atomically(Path(file), text.encode("utf-8", "replace"))
        except OSError as error:
            raise click.ClickException(f"cannot write {file}: {error.strerror or error}") from error
    return Exit.CLEAN
