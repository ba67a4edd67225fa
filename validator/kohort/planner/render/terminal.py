"""A plan for the terminal: verdict, effects, people, steps, objects, findings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from kohort.diagnostics.count import count_of
from kohort.diagnostics.finding import Finding, Severity
from kohort.diagnostics.visible import visible, without_leading_commands
from kohort.planner.plan import Disruption, ObjectChange, Plan, Runbook
from kohort.planner.render import words
from kohort.planner.render.sentences import (
    access,
    agreement,
    change_of,
    member,
    over,
    place_of,
    rename,
    verdict,
    work,
)
from kohort.planner.render.view import (
    Block,
    Sides,
    blocks,
    listed,
    short_path,
    shown_fields,
    shown_objects,
)

_MOST_OBJECTS = 40
_MOST_FIELDS = 12
_MOST_WORK = 20
_SHOWN = "`--full` shows whole objects, `--format json` everything"
_COLORS = {"added": "1;32", "removed": "1;31", "changed": "1;33"}


def render(plan: Plan, sides: Sides, *, color: bool = False, full: bool = False) -> str:
    """The plan as text, its last line ended."""
    return without_leading_commands("\n".join(_lines(plan, sides, color=color, full=full))) + "\n"


def _lines(plan: Plan, sides: Sides, *, color: bool, full: bool) -> Iterator[str]:
    yield f"plan from {visible(plan.base)} to {visible(plan.head)}: {visible(verdict(plan))}"
    yield from _section("cannot be read before the change", _findings(plan.base_errors, sides, gone=True))
    yield from _section("cannot be read after the change", _findings(plan.head_errors, sides))
    yield from _section("renamed", (f"{visible(rename(r))}   {sides.of(r.origin)}" for r in plan.renames))
    for block in blocks(plan, sides):
        yield ""
        yield from _block(block)
    yield from _section("who must agree", map(visible, agreement(plan)))
    yield from _section("people", (visible(member(one)) for one in plan.members))
    yield from _section("access", (visible(access(one)) for one in plan.access))
    yield from _section("above quota", (visible(over(one)) for one in plan.over_quota))
    yield from _section("work on the cluster", _work(plan))
    if plan.played:
        from kohort.planner.render.played import terminal

        yield from terminal(plan.played)
    for runbook in plan.runbooks:
        yield ""
        yield from _runbook(runbook)
    yield from _section("objects", _objects(plan, sides, color=color, full=full))
    yield from _section("findings about the change", _findings(plan.findings, sides))
    unread = {id(one) for one in plan.head_errors}
    new = [one for one in plan.new if id(one) not in unread]
    yield from _section("new findings of `kohort check`", _findings(new, sides))
    fixed = [one for one in plan.fixed if one.severity is not Severity.INFO]
    if fixed:
        yield ""
        yield f"no longer found: {listed(dict.fromkeys(f'{f.code} {f.subject}'.strip() for f in fixed))}"
    if plan.alike:
        yield ""
        yield f"unchanged: {count_of(plan.alike, 'cluster')}"


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


def _work(plan: Plan) -> Iterator[str]:
    yield from (visible(work(one)) for one in plan.work[:_MOST_WORK])
    if len(plan.work) > _MOST_WORK:
        yield f"… and {len(plan.work) - _MOST_WORK} more; {_SHOWN}"


def _runbook(runbook: Runbook) -> Iterator[str]:
    on = f" on {visible(runbook.cluster)}" if runbook.cluster else ""
    yield f"steps for {visible(runbook.title)}{on}: {visible(runbook.why)}"
    for number, step in enumerate(runbook.steps, 1):
        yield f"  {number}. {visible(step.text)}"
        yield from (f"       $ {visible(command)}" for command in step.commands)
        if step.wait:
            yield f"       wait until {visible(step.wait)}"


def _objects(plan: Plan, sides: Sides, *, color: bool, full: bool) -> Iterator[str]:
    seen, notes = shown_objects(plan)
    shown = seen if full else seen[:_MOST_OBJECTS]
    for one in shown:
        yield from _object(one, sides, color=color, full=full)
    if len(seen) > len(shown):
        yield f"… and {len(seen) - len(shown)} more; {_SHOWN}"
    if notes:
        yield f"{count_of(notes, 'object')} differ only in which file declares them, or in the order of syncing"


def _object(one: ObjectChange, sides: Sides, *, color: bool, full: bool) -> Iterator[str]:
    on = f" on {visible(one.cluster)}" if one.cluster else ""
    head = f"{words.SIGNS[one.how]} {visible(str(one.ref))}{on}: {words.DISRUPTIONS[one.disruption]}"
    yield f"\x1b[{_COLORS[one.how]}m{head}\x1b[0m" if color else head
    if one.disruption is not Disruption.NOTHING:
        yield f"    {one.why}"
    if full:
        from kohort.planner.render.whole import yaml_diff

        yield from (f"    {line}" for line in yaml_diff(one.before, one.after))
        return
    fields = list(shown_fields(one))
    for field in fields[:_MOST_FIELDS]:
        yield f"    {short_path(field)}: {change_of(field)}   {place_of(field, sides)}".rstrip()
    if len(fields) > _MOST_FIELDS:
        yield f"    … and {len(fields) - _MOST_FIELDS} more fields; {_SHOWN}"


def _findings(found: Iterable[Finding], sides: Sides, *, gone: bool = False) -> Iterator[str]:
    for one in found:
        if one.severity is Severity.INFO:
            continue
        place = sides.of(one.primary.origin, gone=gone)
        yield f"{one.severity.value}[{one.code}]: {visible(one.message)}   {place}".rstrip()
        yield from (f"    help: {visible(line)}" for line in one.help[:2])
