"""JUnit XML, for CI systems that show test results: one suite per file, one case per finding.

Errors fail their case (those that Kohort could not read are JUnit's `error`). Warnings and information are passed
cases with their text as output, so that the picture agrees with the exit code.
"""

from __future__ import annotations

from html import escape
from itertools import groupby

from kohort.diagnostics.finding import Consequence, Severity
from kohort.diagnostics.places import Places
from kohort.diagnostics.render.full import describe, not_checked
from kohort.diagnostics.render.located import Located, located
from kohort.diagnostics.render.options import RenderOptions
from kohort.diagnostics.report import Report
from kohort.diagnostics.visible import visible, without_leading_commands

_WIDTH = 120


def render(report: Report, places: Places, options: RenderOptions) -> str:
    """A document with at least one case: a clean run has a passed one."""
    plain = RenderOptions(width=_WIDTH, version=options.version, show_help=options.show_help)
    shown = located(report, places)
    suites = []
    for file, group in groupby(shown, key=lambda one: one.file):
        suites.append(_suite(visible(file) or "repository", list(group), places, plain))
    if not suites:
        suites = [_element("testsuite", {"name": "kohort", **_counts([])}, _element("testcase", _CLEAN))]
    if report.unchecked:
        output = _element("system-out", {}, _text("\n".join(not_checked(report.unchecked))))
        attributes = {"name": "not checked", "tests": "0", "failures": "0", "errors": "0"}
        suites.append(_element("testsuite", attributes, output))
    body = _element("testsuites", {"name": "kohort", **_counts(shown)}, "".join(suites))
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{body}'


_CLEAN = {"name": "no findings", "classname": "kohort"}


def _suite(name: str, group: list[Located], places: Places, options: RenderOptions) -> str:
    cases = "".join(_case(one, name, places, options) for one in group)
    return _element("testsuite", {"name": name, **_counts(group)}, cases)


def _case(one: Located, file: str, places: Places, options: RenderOptions) -> str:
    finding = one.finding
    line = f" line {one.span.line}" if one.span else ""
    attributes = {"name": f"{visible(finding.code)} {visible(finding.name)}{line}", "classname": file}
    if one.span and one.file:
        attributes |= {"file": file, "line": str(one.span.line)}
    text = _text(describe(one, places, options))
    if finding.severity is Severity.ERROR:
        tag = "error" if _unreadable(one) else "failure"
        inner = _element(tag, {"type": finding.code, "message": finding.message}, text)
    else:
        inner = _element("system-out", {}, text)
    return _element("testcase", attributes, inner)


def _unreadable(one: Located) -> bool:
    return one.finding.severity is Severity.ERROR and one.finding.consequence is Consequence.INVALID


def _counts(group: list[Located] | tuple[Located, ...]) -> dict[str, str]:
    errors = sum(_unreadable(one) for one in group)
    failed = sum(one.finding.severity is Severity.ERROR for one in group) - errors
    return {"tests": str(len(group) or 1), "failures": str(failed), "errors": str(errors)}


def _element(tag: str, attributes: dict[str, str], inner: str = "") -> str:
    given = "".join(f' {name}="{escape(visible(value))}"' for name, value in attributes.items())
    opened = f"<{tag}{given}"
    return f"{opened}>{inner}</{tag}>\n" if inner else f"{opened}/>\n"


def _text(text: str) -> str:
    """Lines that are visible already, as XML text in which no line is a workflow command."""
    return without_leading_commands(escape(text), lambda char: f"&#{ord(char)};")
