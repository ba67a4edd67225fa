"""A plan as the comment on a pull request: verdict and amounts open, the rest folded, within what a comment holds."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from kohort.diagnostics.count import count_of
from kohort.diagnostics.finding import Finding
from kohort.diagnostics.render.markdown_text import fenced, inline
from kohort.diagnostics.visible import visible, without_leading_commands
from kohort.planner.plan import Disruption, ObjectChange, Plan
from kohort.planner.render import words
from kohort.planner.render.answer import answer_above
from kohort.planner.render.crowds import access_lines, agreement, over_lines, work_lines
from kohort.planner.render.gathering import (
    FEW,
    Crowd,
    ObjectCrowd,
    gathered,
    gathered_objects,
    plan_findings,
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
    Row,
    Sides,
    blocks,
    listed,
    short_path,
    shown_fields,
    shown_objects,
)
from kohort.planner.render.whole import yaml_diff

LIMIT = 65_000  # characters; GitHub takes 65,536
_RESERVE = 600  # for headings and the sentences about what was cut
_MOST_FIELDS = 30
_PARTS = re.compile("(?<=[,;]) ")
_TABLE = "| | | before | after | |\n| --- | --- | ---: | ---: | ---: |\n"


@dataclass(frozen=True, slots=True)
class _Section:
    """A part of the comment. `head` stands above its pieces, which are dropped from the end where room is short."""

    title: str
    pieces: tuple[str, ...]
    what: str = "lines"  # what a piece is, for the count of those left out
    folded: bool = True
    head: str = ""
    first: bool = False  # gets room before all others

    def render(self, pieces: Sequence[str]) -> str:
        """With these pieces, and how many were left out."""
        left = len(self.pieces) - len(pieces)
        more = f"\n… and {left} more {self.what}\n" if left else ""
        body = f"{self.head}{''.join(pieces)}{more}"
        if not self.folded:
            title = f"\n**{self.title}**\n" if self.title else ""
            return f"{title}\n{body}"
        return f"\n<details><summary>{self.title}</summary>\n\n{body}\n</details>\n"


def render(plan: Plan, sides: Sides, *, full: bool = False, every: bool = False) -> str:
    """The comment; one line where nothing changes."""
    head = f"### Kohort plan: {inline(verdict(plan))}\n"
    found = blocks(plan, sides)
    sections = [part for part in _sections(plan, found, sides, full=full, every=every) if part.pieces]
    if plan.empty and not sections:
        return head
    head += f"\n{inline(plan.base)} → {inline(plan.head)}\n"
    told = "".join(f"- **{line.word}** {inline(line.text)}\n" for line in answer_above(plan, found))
    head += f"\n{told}" if told else ""
    room = LIMIT - len(head) - sum(len(part.render(())) for part in sections) - _RESERVE
    shares = _shares([(part.first, sum(map(len, part.pieces))) for part in sections], room)
    kept = [_fitting(part.pieces, share) for part, share in zip(sections, shares, strict=True)]
    left = [(part, len(part.pieces) - len(some)) for part, some in zip(sections, kept, strict=True)]
    text = "".join(part.render(some) for part, some in zip(sections, kept, strict=True))
    return without_leading_commands(f"{head}{_left_out(left)}{text}")


def _left_out(left: Sequence[tuple[_Section, int]]) -> str:
    """What there was no room for, and who has it; said before the parts that are cut."""
    counts: dict[str, int] = {}
    for part, number in left:
        if number:
            counts[part.what] = counts.get(part.what, 0) + number
    if not counts:
        return ""
    listed_ = ", ".join(f"{number} {what}" for what, number in counts.items())
    return (
        f"\n**Too long for a comment**: {listed_} are left out below. `kohort plan --all` tells everything, and so does "
        "the page that `kohort plan --format html` writes.\n"
    )


def _shares(sizes: list[tuple[bool, int]], room: int) -> list[int]:
    """What each part gets: those that come first all they need, the others an equal part of what smaller ones leave."""
    shares = [0] * len(sizes)
    left, waiting = max(0, room), sorted(range(len(sizes)), key=lambda n: (not sizes[n][0], sizes[n][1]))
    while waiting:
        index = waiting.pop(0)
        first, size = sizes[index]
        shares[index] = min(size, left if first else left // (len(waiting) + 1))
        left -= shares[index]
    return shares


def _fitting(pieces: Sequence[str], room: int) -> Sequence[str]:
    for number, piece in enumerate(pieces):
        room -= len(piece)
        if room < 0:
            return pieces[:number]
    return pieces


def _sections(
    plan: Plan, found: Sequence[Block], sides: Sides, *, full: bool, every: bool
) -> Iterator[_Section]:
    unread = (
        ("Cannot be read before the change", plan.base_errors, True),
        ("Cannot be read after the change", plan.head_errors, False),
    )
    for title, wrong, gone in unread:
        lines = tuple(_finding(one, sides, gone=gone) for one in wrong)
        yield _Section(title, lines, "errors", folded=False, head=f"{UNREAD}\n\n")
    yield from _agreement(plan, every=every)
    yield _Section("Findings", tuple(_findings(plan, sides, every=every)), "findings", folded=False)
    some = gathered(plan, found, every=every)
    rows = tuple(piece for part in some for piece in _pieces(part))
    yield _Section("Amounts", rows, "holders", folded=False, head=_TABLE)
    behind = tuple(_behind(block) for block in some if isinstance(block, Block) and block.behind)
    yield _Section("The resources behind them", behind, "holders")
    lines = (*map(rename, plan.renames), *map(member, plan.members), *access_lines(plan, every=every))
    yield _Section(
        f"People and access: {count_of(len(plan.members) + len(plan.access), 'change')}",
        _list(lines),
        "people",
    )
    touched = (*over_lines(plan), *work_lines(plan, every=every))
    running = sum(1 for one in plan.work if one.running)
    yield _Section(
        f"Work on the cluster: {running} running, {len(plan.work) - running} pending",
        tuple(f"- {_whole(line)}\n" for line in touched),
        "workloads",
    )
    if plan.played:
        yield from _played(plan)
    for runbook in plan.runbooks:
        steps = tuple(
            _step(number, step.text, step.commands, step.wait) for number, step in enumerate(runbook.steps, 1)
        )
        on = f" on {inline(runbook.cluster)}" if runbook.cluster else ""
        yield _Section(
            f"Steps for {inline(runbook.title)}{on}", steps, "steps", head=f"{inline(runbook.why)}\n\n"
        )
    seen, notes = shown_objects(plan)
    told = gathered_objects(seen, every=every or full)
    yield _Section(
        f"Objects: {len(seen)}",
        tuple(piece for one in told for piece in _object_pieces(one, sides, full=full)),
        "objects",
    )
    if notes:
        text = "differ only in which file declares them, or in the order of syncing"
        yield _Section("", (f"{count_of(notes, 'object')} {text}\n",), folded=False)


def _played(plan: Plan) -> Iterator[_Section]:
    """Who is hurt stands open, the measures are folded."""
    from kohort.planner.render.played import METHOD, rows, title, told

    for one in plan.played:
        yield _Section(
            f"Played before and after: {inline(title(one))}",
            tuple(f"- {_whole(line)}\n" for line in told(one)),
            folded=False,
        )
        head = f"{inline(METHOD)}\n\n| | before | after | change | ± | |\n| --- | ---: | ---: | ---: | ---: | --- |\n"
        lines = tuple(f"| {' | '.join(map(inline, row))} |\n" for row in rows(one))
        yield _Section(f"Measures of scenario {inline(one.scenario)}", lines, "measures", head=head)


def _agreement(plan: Plan, *, every: bool) -> Iterator[_Section]:
    """Everybody who must agree; of many the reasons folded."""
    asked = agreement(plan, every=every)
    lines = []
    for one in asked:
        names = f" ({', '.join(map(inline, one.names))})" if one.names else ""
        lines.append(f"- {inline(one.who)}{names}: {inline(one.why)}\n")
    yield _Section("Who must agree", tuple(lines), "reasons", folded=False, first=True)
    each = tuple(f"- {inline(line)}\n" for one in asked for line in one.each)
    yield _Section(f"Why, one by one: {count_of(len(each), 'reason')}", each, "reasons")


def _list(lines: Sequence[str]) -> tuple[str, ...]:
    return tuple(f"- {inline(line)}\n" for line in lines)


def _whole(text: str) -> str:
    """A line of many names, of which none is left out: each part of it by itself, since a line is cut."""
    return " ".join(inline(part) for part in _PARTS.split(text))


def _pieces(part: Block | Crowd) -> Iterator[str]:
    """The rows of a block; of a crowd its extremes, then each whose change somebody must agree to."""
    if isinstance(part, Block):
        yield _rows(part, part.rows)
        return
    text = ""
    for spread in part.spreads():
        title = "" if text else f"**{inline(part.title)}**"
        change = f"**{spread.change}**" if spread.change else ""
        change += f" {inline(spread.whose)}" if spread.whose else ""
        ends = f"{inline(spread.before)} | {inline(spread.after)}"
        text += f"| {title} | {inline(spread.what)}, {inline(spread.unit)} | {ends} | {change} |\n"
    yield text
    yield from (_rows(block, telling(block)) for block in part.asking)


def _rows(block: Block, rows: Sequence[Row]) -> str:
    first = True
    text = ""
    for row in rows:
        text += f"| {f'**{inline(block.title)}**' if first else ''} | {_cells(row)} |\n"
        first = False
    return text


def _cells(row: Row) -> str:
    delta = f"**{row.delta}**" if row.delta else ""  # a number of our own making
    what = f"{inline(row.what)}, {inline(row.unit)}"
    return f"{what} | {inline(row.before)} | {inline(row.after)} | {delta}"


def _behind(block: Block) -> str:
    return f"- {inline(block.title)}: {inline(block.behind_it())}\n"


def _step(number: int, text: str, commands: tuple[str, ...], wait: str) -> str:
    lines = [f"{number}. {inline(text)}\n"]
    if commands:
        block = fenced("".join(f"{visible(command)}\n" for command in commands))
        lines.append("\n" + "".join(f"   {line}\n" for line in block.splitlines()))
    if wait:
        lines.append(f"   wait until {inline(wait)}\n")
    return "".join(lines)


def _object(one: ObjectChange, sides: Sides, *, full: bool) -> str:
    on = f" on {inline(one.cluster)}" if one.cluster else ""
    why = f": {inline(one.why)}" if one.disruption is not Disruption.NOTHING else ""
    head = f"- {one.how} **{inline(str(one.ref))}**{on}, {words.DISRUPTIONS[one.disruption]}{why}\n"
    if full:
        block = fenced("".join(f"{line}\n" for line in yaml_diff(one.before, one.after)))
        return head + "\n" + "".join(f"  {line}\n" for line in block.splitlines())
    fields = list(shown_fields(one))
    lines = [
        f"  - {inline(short_path(field))}: {inline(change_of(field))} {_at(place_of(field, sides))}".rstrip()
        for field in fields[:_MOST_FIELDS]
    ]
    if len(fields) > _MOST_FIELDS:
        lines.append(f"  - … and {len(fields) - _MOST_FIELDS} more fields")
    return head + "".join(f"{line}\n" for line in lines)


def _object_pieces(one: ObjectChange | ObjectCrowd, sides: Sides, *, full: bool) -> Iterator[str]:
    """An object; a crowd as one line, and where running work may lose by it one more for each object."""
    if isinstance(one, ObjectChange):
        yield _object(one, sides, full=full)
        return
    first = one.objects[0]
    why = f": {inline(first.why)}" if first.disruption is not Disruption.NOTHING else ""
    yield f"- {first.how} **{inline(one.title)}**, {words.DISRUPTIONS[first.disruption]}{why}\n"
    if one.disturbs:
        yield from (f"  - {inline(one.name_of(each))}{_in_short(each, sides)}\n" for each in one.objects)
    else:
        yield f"  - {inline(listed(map(one.name_of, one.objects)))}\n"


def _in_short(one: ObjectChange, sides: Sides) -> str:
    told, place = in_short(one, sides, FEW)
    return f": {inline(told)} {_at(place)}".rstrip() if told else ""


def _at(place: str) -> str:
    return f"({inline(place)})" if place else ""


def _findings(plan: Plan, sides: Sides, *, every: bool) -> Iterator[str]:
    """Findings that the change brings, errors first; what cannot be read is told before."""
    for one, more in plan_findings(plan, every=every):
        rest = f"  - … and {more} more of {inline(one.code)}\n" if more else ""
        yield _finding(one, sides) + rest


def _finding(one: Finding, sides: Sides, *, gone: bool = False) -> str:
    place = sides.of(one.primary.origin, gone=gone)
    help_ = "".join(f"\n  - {inline(line)}" for line in one.help[:2])
    return f"- **{one.severity.value}** {inline(one.code)} {inline(one.message)} {_at(place)}{help_}\n"
