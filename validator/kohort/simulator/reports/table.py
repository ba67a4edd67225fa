"""The terminal's report: what came of the jobs, who waited how long, who got what, what was wasted."""

from __future__ import annotations

from collections.abc import Iterator

from kohort.diagnostics.count import count_of
from kohort.diagnostics.visible import visible, without_leading_commands
from kohort.simulator.metrics.held_up import held_up
from kohort.simulator.metrics.summary import Summary, summarise
from kohort.simulator.metrics.waits import Waits
from kohort.simulator.record import Run
from kohort.simulator.reports.grid import grid
from kohort.simulator.reports.words import amount, clock, hours, length, part, place, unit_hours

_MESSAGES = 3
_WAITS = ("", "jobs", "started", "mean", "p50", "p95", "p99", "longest")


def render(run: Run) -> str:
    """The report as text."""
    found = summarise(run)
    lines = [*_head(run, found), *_waits(found), *_shares(run, found), *_rest(run, found)]
    return without_leading_commands("\n".join(lines) + "\n")


def timeline(run: Run) -> str:
    """What happened, a line each."""
    rows = [(clock(each.at), each.what, visible(each.about), visible(each.detail)) for each in run.timeline]
    widths = [max((len(row[i]) for row in rows), default=0) for i in range(3)]
    lines = (
        f"{row[0]:>{widths[0]}}  {row[1]:<{widths[1]}}  {row[2]:<{widths[2]}}  {row[3]}".rstrip()
        for row in rows
    )
    return "\n".join(lines) + "\n" if rows else ""


def _head(run: Run, found: Summary) -> Iterator[str]:
    what = visible(f"scenario {run.scenario} on {place(run)} (Kueue {run.kueue})")
    day = f" from {run.start}" if run.start else ""
    yield f"{what}: {length(run.horizon)}{day}, seed {run.seed}"
    outcomes = ", ".join(f"{count} {outcome}" for outcome, count in found.outcomes.items())
    yield f"{count_of(found.jobs, 'job')}: {outcomes or 'none'}"
    use = found.use
    what = "healthy" if run.placed else "quota"
    yield (
        f"utilisation {part(use.utilisation)} and goodput {part(use.goodput)} of "
        f"{hours(run, use.capacity)} {unit_hours(run)} {what}; "
        f"{found.depth:,.1f} jobs waited on average, {found.deepest} at most"
    )
    for note in run.notes:
        yield f"note: {visible(note)}"


def _waits(found: Summary) -> Iterator[str]:
    if not found.jobs:
        return
    yield ""
    yield "wait from submission until all pods run"
    groups = [found.waits, *found.by_team]
    if len(found.by_priority) > 1:
        groups += found.by_priority
    yield from grid(_WAITS, [_row(each) for each in groups])


def _row(waits: Waits) -> tuple[str, ...]:
    times = (waits.mean, waits.p50, waits.p95, waits.p99, waits.longest)
    return (waits.group, f"{waits.jobs:,}", f"{waits.started:,}", *(length(each) for each in times))


def _shares(run: Run, found: Summary) -> Iterator[str]:
    if not found.shares:
        return
    yield ""
    yield f"{run.unit} held on average, against what was promised"
    rows = [
        (
            each.team,
            amount(run, each.promised),
            amount(run, each.held),
            part(each.share),
            amount(run, each.borrowed),
            part(each.served),
        )
        for each in found.shares
    ]
    yield from grid(("", "promised", "held", "share", "borrowed", "guarantee served"), rows)


def _rest(run: Run, found: Summary) -> Iterator[str]:
    waste = found.waste
    counts = [f"{reason} {count}" for reason, count in waste.evictions.items()]
    counts += [f"{cause} {count}" for cause, count in waste.resets.items()]
    yield ""
    yield (
        f"interruptions: {', '.join(counts) or 'none'}; {hours(run, waste.wasted)} {unit_hours(run)} wasted, "
        f"{hours(run, waste.idle)} held without running pods"
    )
    if run.placed:
        gaps = found.fragmentation
        yield (
            f"fragmentation: {part(gaps.free)} of healthy {run.unit} free on average, {part(gaps.stranded)} of these on "
            "nodes in use"
        )
    yield from _held_up(run)


def _held_up(run: Run) -> Iterator[str]:
    found = held_up(run)
    if not found:
        return
    yield ""
    yield "still waiting, in Kueue's words"
    for each in found[:_MESSAGES]:
        said = (
            visible(each.message) or "nothing yet: behind others, or parked with one that asks for the same"
        )
        yield f"  {_who(each.jobs)}: {said}"
    if len(found) > _MESSAGES:
        rest = sum(len(each.jobs) for each in found[_MESSAGES:])
        yield f"  {count_of(rest, 'more job')} with {count_of(len(found) - _MESSAGES, 'other message')} (--format jsonl has all)"


def _who(jobs: tuple[str, ...]) -> str:
    return visible(jobs[0]) if len(jobs) == 1 else f"{len(jobs):,} jobs, {visible(jobs[0])} first"
