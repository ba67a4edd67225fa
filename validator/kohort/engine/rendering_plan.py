"""The formats of a plan by name; each is imported when it is used."""

from __future__ import annotations

from kohort import __version__
from kohort.engine.planning import Planned
from kohort.planner.render.view import Sides
from kohort.planner.trees.tree import Tree

PLAN_FORMATS = ("terminal", "markdown", "json", "html", "svg")


def render_plan(
    planned: Planned, name: str, *, color: bool = False, full: bool = False, every: bool = False
) -> str:
    """The plan in a format of `PLAN_FORMATS`.

    For the terminal and Markdown `full` shows whole objects, and `every` tells by itself what many undergo alike.
    """
    sides = Sides(planned.base, planned.head)
    plan = planned.plan
    if name == "markdown":
        from kohort.planner.render.markdown import render as markdown

        return markdown(plan, sides, full=full, every=every)
    if name == "json":
        from kohort.planner.render.json_v1 import render as as_json

        return as_json(plan, sides, version=__version__)
    if name == "html":
        from kohort.planner.render.html import render as html

        return html(plan, sides, _trees(planned))
    if name == "svg":
        from kohort.planner.render.svg import render as svg

        return svg(plan, sides, _trees(planned))
    from kohort.planner.render.terminal import render as terminal

    return terminal(plan, sides, color=color, full=full, every=every)


def _trees(planned: Planned) -> tuple[Tree, ...]:
    from kohort.planner.trees.grow import trees

    return trees(planned.plan, *planned.clusters)
