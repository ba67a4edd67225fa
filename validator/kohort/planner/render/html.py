"""A plan as one page: no script, nothing fetched, every foreign text escaped, folded parts that the keyboard opens."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from typing import Final

from kohort.diagnostics.count import count_of
from kohort.diagnostics.finding import Finding
from kohort.planner.plan import ObjectChange, Plan, Runbook
from kohort.planner.render import words
from kohort.planner.render.amounts_html import amounts
from kohort.planner.render.answer import HOLDERS, answer_above
from kohort.planner.render.crowds import Asked, access_lines, agreement, over_lines, work_lines
from kohort.planner.render.escaped import coded, escaped
from kohort.planner.render.gathering import gathered, gathered_findings, plan_findings
from kohort.planner.render.page_style import STYLE
from kohort.planner.render.sentences import (
    UNREAD,
    change_of,
    member,
    place_of,
    rename,
    verdict,
)
from kohort.planner.render.tree_html import trees as drawn
from kohort.planner.render.view import (
    Block,
    Sides,
    blocks,
    new_findings,
    short_path,
    shown_fields,
    shown_objects,
)
from kohort.planner.render.whole import yaml_diff
from kohort.planner.trees.tree import Tree

_ROOM: Final = 1_200_000  # characters of objects with their whole text
_POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'"


def render(plan: Plan, sides: Sides, trees: Sequence[Tree] = ()) -> str:
    """The page; `trees` are the cohort trees of the plan's clusters."""
    title = f"Kohort plan: {verdict(plan)}"
    return "\n".join(
        (
            '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">',
            f"<title>{escaped(title)}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<main>",
            f"<h1>{escaped(title)}</h1>",
            f"<p>{escaped(plan.base)} → {escaped(plan.head)}</p>",
            *_parts(plan, sides, trees),
            "</main>\n</body>\n</html>\n",
        )
    )


def _parts(plan: Plan, sides: Sides, trees: Sequence[Tree]) -> Iterator[str]:
    found = blocks(plan, sides)
    if plan.base_errors or plan.head_errors:
        yield from _section("Cannot be read before the change", _findings(plan.base_errors, sides, gone=True))
        yield from _section("Cannot be read after the change", _findings(plan.head_errors, sides))
        yield f"<p>{UNREAD}</p>"
    yield from _answer(plan, found)
    yield from _section("Findings", _new(plan, sides))
    grown = {tree.cluster for tree in trees}
    yield from drawn(trees, sorted({one.cluster for one in plan.objects if one.cluster} - grown))
    yield from amounts(gathered(plan, found))
    if plan.played:
        from kohort.planner.render.played_html import played_html

        yield from played_html(plan.played)
    lines = [*map(rename, plan.renames), *map(member, plan.members)]
    yield from _long_section(
        "People and access", [*lines, *access_lines(plan)], [*lines, *access_lines(plan, every=True)]
    )
    lines = list(over_lines(plan))
    yield from _long_section(
        "Work on the cluster", [*lines, *work_lines(plan)], [*lines, *work_lines(plan, every=True)]
    )
    if plan.runbooks:
        yield "<h2>Steps</h2>"
        yield from map(_runbook, plan.runbooks)
    seen, _ = shown_objects(plan)
    if seen:
        yield "<h2>Objects</h2>"
        yield from _objects(seen, sides)


def _answer(plan: Plan, found: Sequence[Block]) -> Iterator[str]:
    """What one came for: who gains and loses, what runs, who must agree and why."""
    lines = answer_above(plan, found)
    asked = agreement(plan)
    if not lines and not asked:
        return
    yield '<div class="answer">'
    if lines:
        yield "<dl>"
        for place, line in enumerate(lines):
            text = escaped(line.text)
            again = place and lines[place - 1].word == line.word
            yield f"{'' if again else f'<dt>{escaped(line.word)}</dt>'}<dd>{f'<b>{text}</b>' if line.word in HOLDERS else text}</dd>"
        yield "</dl>"
    yield from _section("Who must agree", map(_asked, asked))
    yield "</div>"


def _asked(one: Asked) -> str:
    if not one.each:
        return escaped(one.line)
    items = "".join(f"<li>{escaped(line)}</li>" for line in one.each)
    return f"{escaped(one.line)}<details><summary>Each of the {len(one.each)}</summary><ul>{items}</ul></details>"


def _objects(seen: Sequence[ObjectChange], sides: Sides) -> Iterator[str]:
    """The most disturbing first, whole as long as there is room; the rest in a line each."""
    room = _ROOM
    for place, one in enumerate(seen):
        text = _object(one, sides)
        room -= len(text)
        if room < 0:
            yield f"<details><summary>{count_of(len(seen) - place, 'more object')}, without their text</summary>\n<ul>"
            yield from (f"<li>{_head(each)}</li>" for each in seen[place:])
            yield "</ul></details>"
            return
        yield text


def _long_section(title: str, short: Sequence[str], every: Sequence[str]) -> Iterator[str]:
    """What many undergo alike in one line each kind, and all of it folded."""
    yield from _section(title, map(escaped, short))
    if len(every) > len(short):
        yield f"<details><summary>Each by itself: {len(every)} lines</summary>\n<ul>"
        yield from (f"<li>{escaped(line)}</li>" for line in every)
        yield "</ul></details>"


def _section(title: str, items: Iterable[str]) -> Iterator[str]:
    some = list(items)
    if some:
        yield f"<h2>{title}</h2>\n<ul>"
        yield from (f"<li>{item}</li>" for item in some)
        yield "</ul>"


def _runbook(runbook: Runbook) -> str:
    on = f" on {escaped(runbook.cluster)}" if runbook.cluster else ""
    steps = []
    for number, step in enumerate(runbook.steps, 1):
        commands = "".join(f"{escaped(command)}\n" for command in step.commands)
        block = _code(commands, f"commands of step {number} for {runbook.title}") if commands else ""
        wait = f"<br>wait until {coded(step.wait)}" if step.wait else ""
        steps.append(f"<li>{coded(step.text)}{block}{wait}</li>")
    return (
        f"<details open><summary>{escaped(runbook.title)}{on}</summary>\n<p>{coded(runbook.why)}</p>\n<ol>\n"
        + "\n".join(steps)
        + "\n</ol></details>"
    )


def _object(one: ObjectChange, sides: Sides) -> str:
    fields = "\n".join(
        f'<li>{escaped(short_path(field))}: {escaped(change_of(field))} <span class="place">'
        f"{escaped(place_of(field, sides))}</span></li>"
        for field in shown_fields(one)
    )
    whole = escape("\n".join(yaml_diff(one.before, one.after)))
    listed = f"<ul>\n{fields}\n</ul>" if fields else ""
    return (
        f"<details><summary>{_head(one)}</summary>\n<p>{escaped(one.why)}</p>\n{listed}\n<details><summary>whole object</summary>\n"
        f"{_code(whole, f'whole {one.ref} on {one.cluster}')}</details></details>"
    )


def _head(one: ObjectChange) -> str:
    on = f" on {escaped(one.cluster)}" if one.cluster else ""
    return f"{words.SIGNS[one.how]} {escaped(str(one.ref))}{on}: {words.DISRUPTIONS[one.disruption]}"


def _code(lines: str, name: str) -> str:
    """Lines as they are, already escaped; wide ones scroll, which the keyboard must reach."""
    return f'<pre tabindex="0" role="group" aria-label="{escaped(name)}">{lines}</pre>'


def _findings(found: Iterable[Finding], sides: Sides, *, gone: bool = False) -> Iterator[str]:
    """What cannot be read, each by itself."""
    yield from (_finding(one, sides, gone=gone) for one, _ in gathered_findings(found, every=True))


def _new(plan: Plan, sides: Sides) -> Iterator[str]:
    """What the change brings; warnings of one code beyond the first few are folded into the last of these."""
    for one, more in plan_findings(plan):
        text = _finding(one, sides, gone=False)
        if more:
            alike = [
                each for each in new_findings(plan) if (each.code, each.severity) == (one.code, one.severity)
            ][-more:]
            items = "".join(f"<li>{_finding(each, sides, gone=False)}</li>" for each in alike)
            text += (
                f"<details><summary>{more} more of {escaped(one.code)}</summary><ul>{items}</ul></details>"
            )
        yield text


def _finding(one: Finding, sides: Sides, *, gone: bool) -> str:
    place = escaped(sides.of(one.primary.origin, gone=gone))
    severity = f'<strong class="{one.severity.value}">{one.severity.value}</strong>'
    help_ = "".join(f"<li>{coded(line)}</li>" for line in one.help)
    return (
        f'{severity} {escaped(one.code)} {coded(one.message)} <span class="place">{place}</span>'
        f"{f'<ul>{help_}</ul>' if help_ else ''}"
    )
