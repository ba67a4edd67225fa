"""A plan as one page: no script, nothing fetched, every foreign text escaped, folded parts that the keyboard opens."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape
from typing import Final

from kohort.diagnostics.finding import Finding, Severity
from kohort.diagnostics.visible import visible
from kohort.planner.plan import ObjectChange, Plan, Runbook
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
from kohort.planner.render.svg import picture
from kohort.planner.render.view import Block, Sides, blocks, short_path, shown_fields, shown_objects
from kohort.planner.render.whole import yaml_diff

_STYLE: Final = """
body { font: 15px/1.5 sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #111; background: #fff }
table { border-collapse: collapse; margin: 0 0 1rem } caption { text-align: left; font-weight: bold; padding: .3rem 0 }
th, td { padding: .15rem .8rem .15rem 0; text-align: left; font-weight: normal } td.n { text-align: right }
summary { cursor: pointer; padding: .3rem 0 } summary:focus-visible { outline: 3px solid #1f5fa8 }
pre { background: #f4f4f4; padding: .6rem; overflow-x: auto } code, .place { color: #444; font-size: .9em }
svg { max-width: 100%; height: auto }
"""
_MOST_BARS: Final = 14


def render(plan: Plan, sides: Sides) -> str:
    """The page."""
    title = f"Kohort plan: {verdict(plan)}"
    return "\n".join(
        (
            '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">",
            f"<title>{_text(title)}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n<main>",
            f"<h1>{_text(title)}</h1>",
            f"<p>{_text(plan.base)} → {_text(plan.head)}</p>",
            *_parts(plan, sides),
            "</main>\n</body>\n</html>\n",
        )
    )


def _parts(plan: Plan, sides: Sides) -> Iterator[str]:
    yield from _section("Cannot be read before the change", _findings(plan.base_errors, sides, gone=True))
    yield from _section("Cannot be read after the change", _findings(plan.head_errors, sides))
    some = blocks(plan, sides)
    if some:
        yield "<h2>Amounts</h2>"
        rows = [(block, row) for block in some for row in block.rows]
        yield picture(rows[:_MOST_BARS], "The first amounts before (grey) and after (blue)")
        yield from (_block(block) for block in some)
    yield from _section("Who must agree", map(_text, agreement(plan)))
    unread = {id(one) for one in plan.head_errors}
    new = [one for one in (*plan.findings, *plan.new) if id(one) not in unread]
    yield from _section("Findings", _findings(new, sides))
    lines = (*map(rename, plan.renames), *map(member, plan.members), *map(access, plan.access))
    yield from _section("People and access", map(_text, lines))
    yield from _section(
        "Work on the cluster", map(_text, (*map(over, plan.over_quota), *map(work, plan.work)))
    )
    if plan.runbooks:
        yield "<h2>Steps</h2>"
        yield from map(_runbook, plan.runbooks)
    seen, _ = shown_objects(plan)
    if seen:
        yield "<h2>Objects</h2>"
        yield from (_object(one, sides) for one in seen)


def _section(title: str, items: Iterable[str]) -> Iterator[str]:
    some = list(items)
    if some:
        yield f"<h2>{title}</h2>\n<ul>"
        yield from (f"<li>{item}</li>" for item in some)
        yield "</ul>"


def _block(block: Block) -> str:
    rows = "\n".join(
        f'<tr><th scope="row">{_text(row.what)}</th><td class="n">{_text(row.before)}</td><td class="n">'
        f'{_text(row.after)}</td><td>{_text(row.unit)}</td><td class="n">{_text(row.delta)}</td>'
        f'<td class="place">{_text(row.place)}</td></tr>'
        for row in block.rows
    )
    behind = f"<p>behind it: {_text(block.behind_it())}</p>" if block.behind else ""
    head = "".join(
        f'<th scope="col">{name}</th>' for name in ("amount", "before", "after", "of", "change", "typed")
    )
    return f"<table><caption>{_text(block.title)}</caption>\n<tr>{head}</tr>\n{rows}\n</table>{behind}"


def _runbook(runbook: Runbook) -> str:
    on = f" on {_text(runbook.cluster)}" if runbook.cluster else ""
    steps = []
    for step in runbook.steps:
        commands = "".join(f"{_text(command)}\n" for command in step.commands)
        block = f"<pre>{commands}</pre>" if commands else ""
        wait = f"<br>wait until {_text(step.wait)}" if step.wait else ""
        steps.append(f"<li>{_text(step.text)}{block}{wait}</li>")
    return (
        f"<details open><summary>{_text(runbook.title)}{on}</summary>\n<p>{_text(runbook.why)}</p>\n<ol>\n"
        + "\n".join(steps)
        + "\n</ol></details>"
    )


def _object(one: ObjectChange, sides: Sides) -> str:
    on = f" on {_text(one.cluster)}" if one.cluster else ""
    fields = "\n".join(
        f'<li>{_text(short_path(field))}: {_text(change_of(field))} <span class="place">'
        f"{_text(place_of(field, sides))}</span></li>"
        for field in shown_fields(one)
    )
    whole = escape("\n".join(yaml_diff(one.before, one.after)))
    listed = f"<ul>\n{fields}\n</ul>" if fields else ""
    return (
        f"<details><summary>{words.SIGNS[one.how]} {_text(str(one.ref))}{on}: {words.DISRUPTIONS[one.disruption]}"
        f"</summary>\n<p>{_text(one.why)}</p>\n{listed}\n<details><summary>whole object</summary>\n"
        f'<pre tabindex="0">{whole}</pre></details></details>'
    )


def _findings(found: Iterable[Finding], sides: Sides, *, gone: bool = False) -> Iterator[str]:
    for one in found:
        if one.severity is not Severity.INFO:
            place = _text(sides.of(one.primary.origin, gone=gone))
            text = f"{_text(one.code)} {_text(one.message)}"
            yield f'<strong>{one.severity.value}</strong> {text} <span class="place">{place}</span>'


def _text(text: str) -> str:
    return escape(visible(text))
