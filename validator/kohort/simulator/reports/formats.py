"""The formats of a run by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from kohort.simulator.record import Run
from kohort.simulator.reports import csvtable, jsonl, table
from kohort.simulator.reports.html.page import render as html_page

FORMATS: Final[Mapping[str, Callable[[Run], str]]] = {
    "table": table.render,
    "timeline": table.timeline,
    "jsonl": jsonl.render,
    "csv": csvtable.render,
    "html": html_page,
}
