"""A plan for the terminal: verdict, effects, people, steps, objects, findings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from kohort.diagnostics.count import count_of
from kohort.diagnostics.finding import Finding, Severity
from kohort.diagnostics.visible import visible, without_leading_commands
from kohort.planner.plan import Disruption, ObjectChange, Plan, Runbook
from kohort.planner.render import words
from kohort.planner.render.answer import answer
from kohort.planner.render.crowds import access_lines, agreement, over_lines, work_lines
from kohort.planner.render.gathering import (
    FEW,
    Crowd,
    ObjectCrowd,
    disturbs,
    gathered,
    gathered_findings,
    gathered_objects,
    telling,
)
from kohort.planner.render.sentences import (
    UNREAD,
    change_of,
    in_short,
    member,
    place_of,
    rename,
    verdict,
)
from kohort.planner.render.view import (
    Block,
    Sides,
    blocks,
    listed,
    new_findings,
    short_path,
    shown_fields,
    shown_objects,
)

_MOST_OBJECTS = 40
_MOST_FIELDS = 12
_TELLS = "`--all` tells each"
_SHOWN = f"{_TELLS}, `--full` shows whole objects, `--format json` everything"
_COLORS = {"added": "1;32", "removed": "1;31", "changed": "1;33"}


def render(plan: Plan, sides: Sides, *, color: bool = False, full: bool = False, every: bool = False) -> str:
    """The plan as text, its last line ended."""
    return (
        without_leading_commands("\n".join(_lines(plan, sides, color=color, full=full, every=every))) + "\n"
    )


def _lines(plan: Plan, sides: Sides, *, color: bool, full: bool, every: bool) -> Iterator[str]:
    yield f"plan from {visible(plan.base)} to {visible(plan.head)}: {visible(verdict(plan))}"
    some = blocks(plan, sides)
    told = answer(plan, some)
    width = max((len(line.word) for line in told), default=0)
    yield from (f"  {line.word:<{width}}  {visible(line.text)}" for line in told)
    yield from _section(
        "cannot be read before the change", _findings(plan.base_errors, sides, gone=True, every=True)
    )
    yield from _section("cannot be read after the change", _findings(plan.head_errors, sides, every=True))
    if plan.base_errors or plan.head_errors:
        yield f"  {UNREAD}"
    yield from _section("renamed", (f"{visible(rename(r))}   {sides.of(r.origin)}" for r in plan.renames))
    for part in gathered(plan, some, every=every):
        yield ""
        yield from _crowd(part) if isinstance(part, Crowd) else _block(part)
    yield from _section("who must agree", _agreement(plan, every=every))
    yield from _section("people", (visible(member(one)) for one in plan.members))
    yield from _section("access", map(visible, access_lines(plan, every=every)))
    yield from _section("above quota", map(visible, over_lines(plan)))
    yield from _section("work on the cluster", map(visible, work_lines(plan, every=every)))
    if plan.played:
        from kohort.planner.render.played import terminal

        yield from terminal(plan.played)
    for runbook in plan.runbooks:
        yield ""
        yield from _runbook(runbook)
    yield from _section("objects", _objects(plan, sides, color=color, full=full, every=every))
    yield from _section("findings about the change", _findings(plan.findings, sides, every=True))
    yield from _section("new findings of `kohort check`", _findings(new_findings(plan), sides, every=every))
    fixed = [one for one in plan.fixed if one.severity is not Severity.INFO]
    if fixed:
        yield ""
        yield f"no longer found: {listed(dict.fromkeys(f'{f.code} {f.subject}'.strip() for f in fixed))}"
    if plan.alike:
        yield ""
        yield f"unchanged: {count_of(plan.alike, 'cluster')}"


def _agreement(plan: Plan, *, every: bool) -> Iterator[str]:
    for one in agreement(plan, every=every):
        yield f"{visible(one.line)}{f' ({_TELLS})' if one.each else ''}"


def _section(title: str, lines: Iterable[str]) -> Iterator[str]:
    some = list(lines)
    if some:
        yield ""
        yield title
        yield from (f"  {line}" for line in some)


def _block(block: Block) -> Iterator[str]:
    yield block.title
    rows = block.rows
    width = max((len(row.what) for row in rows), default=0)
    before = max((len(row.before) for row in rows), default=0)
    after = max((len(row.after) for row in rows), default=0)
    for row in rows:
        change = f"{row.before:>{before}} → {row.after:>{after}} {row.unit}"
        delta = f"  ({row.delta})" if row.delta else ""
        place = f"   {row.place}" if row.place else ""
        yield f"  {row.what:<{width}}  {change}{delta}{place}"
    if block.behind:
        yield f"  behind it: {block.behind_it()}"


def _crowd(crowd: Crowd) -> Iterator[str]:
    """A line a measure; then one for each holder whose change somebody must agree to."""
    yield f"{crowd.title}: {listed(crowd.names)} ({_TELLS})"
    spreads = list(crowd.spreads())
    width = max((len(each.what) for each in spreads), default=0)
    yield from (f"  {each.what:<{width}}  {each.sentence()}" for each in spreads)
    for block in crowd.asking:
        amounts = ", ".join(
            f"{row.what} {row.before} → {row.after} {row.unit}{f' ({row.delta})' if row.delta else ''}"
            for row in telling(block)
        )
        place = next((row.place for row in block.rows if row.place), "")
        yield f"  {visible(crowd.name_of(block))}, needs agreement: {amounts}   {place}".rstrip()


def _runbook(runbook: Runbook) -> Iterator[str]:
    on = f" on {visible(runbook.cluster)}" if runbook.cluster else ""
    yield f"steps for {visible(runbook.title)}{on}: {visible(runbook.why)}"
    for number, step in enumerate(runbook.steps, 1):
        yield f"  {number}. {visible(step.text)}"
        yield from (f"       $ {visible(command)}" for command in step.commands)
        if step.wait:
            yield f"       wait until {visible(step.wait)}"


def _objects(plan: Plan, sides: Sides, *, color: bool, full: bool, every: bool) -> Iterator[str]:
    """Those that may disturb running work are all told, the first in full; of the others the first."""
    seen, notes = shown_objects(plan)
    left = 0
    for place, one in enumerate(gathered_objects(seen, every=every or full)):
        if isinstance(one, ObjectCrowd):
            yield from _object_crowd(one, sides, color=color)
        elif every or full or place < _MOST_OBJECTS:
            yield from _object(one, sides, color=color, full=full, every=every)
        elif disturbs(one):
            yield _short_object(one, sides)
        else:
            left += 1
    if left:
        yield f"… and {left} more; {_SHOWN}"
    if notes:
        yield f"{count_of(notes, 'object')} differ only in which file declares them, or in the order of syncing"


def _object_crowd(crowd: ObjectCrowd, sides: Sides, *, color: bool) -> Iterator[str]:
    first = crowd.objects[0]
    yield _painted(
        f"{words.SIGNS[first.how]} {crowd.title}: {words.DISRUPTIONS[first.disruption]}", first, color
    )
    if first.disruption is not Disruption.NOTHING:
        yield f"    {first.why}"
    if crowd.disturbs:
        yield from (f"    {visible(crowd.name_of(one))}{_changes(one, sides)}" for one in crowd.objects)
        return
    yield f"    {listed(map(crowd.name_of, crowd.objects))} ({_TELLS})"
    example = _changes(first, sides)
    if example:
        yield f"    for example {visible(crowd.name_of(first))}{example}"


def _short_object(one: ObjectChange, sides: Sides) -> str:
    on = f" on {visible(one.cluster)}" if one.cluster else ""
    head = f"{words.SIGNS[one.how]} {visible(str(one.ref))}{on}: {words.DISRUPTIONS[one.disruption]}"
    return f"{head}{_changes(one, sides).replace(': ', '; ', 1)}"


def _changes(one: ObjectChange, sides: Sides) -> str:
    """`: h100 nvidia.com/gpu: nominalQuota: 8 → 16   file:line`, the first few fields in one line."""
    told, place = in_short(one, sides, FEW)
    return f": {told}   {place}".rstrip() if told else ""


def _painted(head: str, one: ObjectChange, color: bool) -> str:
    return f"\x1b[{_COLORS[one.how]}m{head}\x1b[0m" if color else head


def _object(one: ObjectChange, sides: Sides, *, color: bool, full: bool, every: bool) -> Iterator[str]:
    on = f" on {visible(one.cluster)}" if one.cluster else ""
    head = f"{words.SIGNS[one.how]} {visible(str(one.ref))}{on}: {words.DISRUPTIONS[one.disruption]}"
    yield _painted(head, one, color)
    if one.disruption is not Disruption.NOTHING:
        yield f"    {one.why}"
    if full:
        from kohort.planner.render.whole import yaml_diff

        yield from (f"    {line}" for line in yaml_diff(one.before, one.after))
        return
    fields = list(shown_fields(one))
    most = len(fields) if every else _MOST_FIELDS
    for field in fields[:most]:
        yield f"    {short_path(field)}: {change_of(field)}   {place_of(field, sides)}".rstrip()
    if len(fields) > most:
        yield f"    … and {len(fields) - most} more fields; {_SHOWN}"


def _findings(found: Iterable[Finding], sides: Sides, *, every: bool, gone: bool = False) -> Iterator[str]:
    for one, more in gathered_findings(found, every=every):
        place = sides.of(one.primary.origin, gone=gone)
        yield f"{one.severity.value}[{one.code}]: {visible(one.message)}   {place}".rstrip()
        yield from (f"    help: {visible(line)}" for line in one.help[:2])
        if more:
            yield f"… and {more} more of {visible(one.code)} ({_TELLS})"
