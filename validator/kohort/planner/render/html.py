"""A plan as one page: no script, nothing fetched, every foreign text escaped, folded parts that the keyboard opens."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from typing import Final

from kohort.diagnostics.finding import Finding, Severity
from kohort.diagnostics.visible import visible
from kohort.planner.plan import ObjectChange, Plan, Runbook
from kohort.planner.render import words
from kohort.planner.render.amounts_html import amounts
from kohort.planner.render.page_style import STYLE
from kohort.planner.render.played_html import played_html
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
from kohort.planner.render.tree_html import trees as drawn
from kohort.planner.render.view import Sides, blocks, short_path, shown_fields, shown_objects
from kohort.planner.render.whole import yaml_diff
from kohort.planner.trees.tree import Tree

_POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'"


def render(plan: Plan, sides: Sides, trees: Sequence[Tree] = ()) -> str:
    """The page; `trees` are the cohort trees of the plan's clusters."""
    title = f"Kohort plan: {verdict(plan)}"
    return "\n".join(
        (
            '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">',
            f"<title>{_text(title)}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<main>",
            f"<h1>{_text(title)}</h1>",
            f"<p>{_text(plan.base)} → {_text(plan.head)}</p>",
            *_parts(plan, sides, trees),
            "</main>\n</body>\n</html>\n",
        )
    )


def _parts(plan: Plan, sides: Sides, trees: Sequence[Tree]) -> Iterator[str]:
    yield from _section("Cannot be read before the change", _findings(plan.base_errors, sides, gone=True))
    yield from _section("Cannot be read after the change", _findings(plan.head_errors, sides))
    asked = agreement(plan)
    if asked:
        yield '<div class="who-must-agree">'
        yield from _section("Who must agree", map(_text, asked))
        yield "</div>"
    yield from drawn(trees)
    yield from amounts(blocks(plan, sides))
    unread = {id(one) for one in plan.head_errors}
    new = [one for one in (*plan.findings, *plan.new) if id(one) not in unread]
    yield from _section("Findings", _findings(new, sides))
    lines = (*map(rename, plan.renames), *map(member, plan.members), *map(access, plan.access))
    yield from _section("People and access", map(_text, lines))
    yield from _section(
        "Work on the cluster", map(_text, (*map(over, plan.over_quota), *map(work, plan.work)))
    )
    yield from played_html(plan.played)
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


def _runbook(runbook: Runbook) -> str:
    on = f" on {_text(runbook.cluster)}" if runbook.cluster else ""
    steps = []
    for number, step in enumerate(runbook.steps, 1):
        commands = "".join(f"{_text(command)}\n" for command in step.commands)
        block = _code(commands, f"commands of step {number} for {runbook.title}") if commands else ""
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
        f"{_code(whole, f'whole {one.ref} on {one.cluster}')}</details></details>"
    )


def _code(lines: str, name: str) -> str:
    """Lines as they are, already escaped; wide ones scroll, which the keyboard must reach."""
    return f'<pre tabindex="0" role="group" aria-label="{_text(name)}">{lines}</pre>'


def _findings(found: Iterable[Finding], sides: Sides, *, gone: bool = False) -> Iterator[str]:
    for one in found:
        if one.severity is not Severity.INFO:
            place = _text(sides.of(one.primary.origin, gone=gone))
            text = f"{_text(one.code)} {_text(one.message)}"
            yield f'<strong class="{one.severity.value}">{one.severity.value}</strong> {text} <span class="place">{place}</span>'


def _text(text: str) -> str:
    return escape(visible(text))
