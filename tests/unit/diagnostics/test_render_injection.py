"""Names and source lines from strangers do nothing, whatever format they reach."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET

import pytest
from diagnostics_samples import Memory, finding

from kohort.diagnostics import Edit, Fix, Hidden, HiddenBy, Label, Report, Term, Unchecked
from kohort.diagnostics.render import FORMATS, RenderOptions
from kohort.diagnostics.render.totals import totals
from kohort.spans import Origin, Span

ATTACKS = {
    "clear screen": "\x1b[2J\x1b[H",
    "title": "\x1b]0;owned\x07",
    "c1 csi": "\x9b31m",
    "bidi": "a\u202eb\u2066c",
    "zero width": "a\u200bb\ufeffc",
    "workflow": "::set-output name=x::y",
    "old workflow": "##[add-mask]x",
    "azure": "##vso[task.setvariable variable=x]y",
    "next line": "a\n::error file=x::y",
    "carriage return": "a\r::error file=x::y",
    "line separator": "a\u2028::error::y\u2029\x85::error::z",
    "percent": "%0A::error::y",
    "script": "<script>alert(1)</script>",
    "closing": "</summary></details></failure>]]>",
    "table": "a | b\n| c",
    "backticks": "```\n```````` `x`",
    "link": "[x](javascript:alert(1)) ![y](http://e/x.png)",
    "mention": "@octocat #1 org/repo#2",
    "url": "http://evil.example www.evil.example",
    "xml": "\x00\x01\x0b\ufffe\uffff",
    "surrogate": "\ud800x\udcff",
    "quote": "\"' onload=x & &amp;",
}


def report_with(text: str) -> tuple[Report, Memory]:
    """A report that carries the text everywhere a stranger could have put it."""
    origin = Origin(text, 0, ("spec", text))
    source = "\n".join(re.split(r"[\n\r]", text)) or "x"
    places = Memory({text: source}, {origin: Span(1, 1, 1, 4)})
    bad = finding(
        f"name {text}",
        origin,
        primary=Label(origin, text),
        subject=f"ClusterQueue {text}",
        field=f"metadata.labels[{text}]",
        related=(Label(Origin(text, 0, ("other",)), text), Label(Origin(f"b{text}"), text)),
        terms=(Term("+", text, text, origin), Term(" ", "", text)),
        help=(text, f"long {'word ' * 30}{text}"),
        fix=Fix(text, (Edit("replace", origin, text),)),
        clusters=(text,),
    )
    start = finding(text, Origin("a.yaml"))
    report = Report(
        (bad, start),
        (Unchecked(text, text, text),),
        (text,),
        hidden=(Hidden(bad, HiddenBy.EXCEPTION, text, text),),
    )
    return report, places


def outputs(name: str, text: str) -> str:
    report, places = report_with(text)
    return FORMATS[name](report, places, RenderOptions(width=60))


@pytest.mark.parametrize("text", ATTACKS.values(), ids=ATTACKS)
@pytest.mark.parametrize("name", FORMATS)
def test_nothing_invisible_is_printed(name, text):
    output = outputs(name, text)
    hidden = {char for char in output if not char.isprintable() and char != "\n"}
    # Markdown keeps people uncalled with zero-width spaces of its own, always after an entity.
    assert hidden <= ({"\u200b"} if name == "markdown" else set())
    assert output.encode("utf-8")


@pytest.mark.parametrize("text", ATTACKS.values(), ids=ATTACKS)
@pytest.mark.parametrize("name", FORMATS)
def test_no_line_is_a_command_of_a_runner_that_the_renderer_did_not_write(name, text):
    output = outputs(name, text)
    assert not re.search(r"##(\[|vso\[)", output)
    commands = [line for line in output.splitlines() if re.match(r"\s*::[^:\s]", line)]
    if name != "github":
        assert commands == []
        return
    assert len(commands) == len(output.splitlines()) == 3
    for line in commands:
        parsed = re.fullmatch(r"::(error|notice) ([^:]*)::(.*)", line)
        assert parsed, line
        # Each property is name=value: no foreign comma or colon has made another one.
        for part in parsed[2].split(","):
            assert re.fullmatch(r"(file|line|col|endLine|endColumn|title)=[^,:\r\n]*", part), part


def test_github_escapes_percent_signs_so_that_no_line_break_can_be_smuggled_in():
    line = outputs("github", "%0A::error::y").splitlines()[0]
    assert "file=%250A%3A%3Aerror%3A%3Ay," in line
    assert "::name %250A::error::y%0A" in line


@pytest.mark.parametrize("text", ATTACKS.values(), ids=ATTACKS)
def test_junit_stays_well_formed_and_holds_no_element_of_the_text(text):
    root = ET.fromstring(outputs("junit", text))
    assert {one.tag for one in root.iter()} == {
        "testsuites",
        "testsuite",
        "testcase",
        "failure",
        "system-out",
    }
    assert len(root.findall("testsuite/testcase")) == 2


@pytest.mark.parametrize("text", ATTACKS.values(), ids=ATTACKS)
@pytest.mark.parametrize("name", ["json", "sarif", "gitlab"])
def test_json_formats_stay_json(name, text):
    assert json.loads(outputs(name, text))


def outside_fences(output: str) -> str:
    """What Markdown interprets: the text without its code blocks, found as CommonMark finds them."""
    kept, fence = [], ""
    for line in output.splitlines():
        run = re.match(r"`{3,}", line)
        if fence:
            if run and len(run[0]) >= len(fence) and line.strip("` ") == "":
                fence = ""
        elif run:
            fence = run[0]
        else:
            kept.append(line)
    assert fence == "", "a code block is never closed"
    return "\n".join(kept)


@pytest.mark.parametrize("text", ATTACKS.values(), ids=ATTACKS)
def test_markdown_interprets_nothing_of_the_text(text):
    outside = outside_fences(outputs("markdown", text))
    tags = set(re.findall(r"</?[a-z]+[^>]*>", outside))
    assert tags <= {"<details open>", "</details>", "<summary>", "</summary>", "<b>", "</b>"}
    assert outside.count("<details") == outside.count("</details>") == 2
    assert not re.search(r"[@#`](?!## Kohort|# Kohort| Kohort)\w", outside.replace("&#", ""))
    assert "](" not in outside
    assert "://" not in outside
    assert "www." not in outside
    for row in (line for line in outside.splitlines() if line.startswith("|")):
        assert row.count("|") == 5


@pytest.mark.parametrize("text", ATTACKS.values(), ids=ATTACKS)
def test_totals_are_harmless_too(text):
    output = totals(report_with(text)[0], RenderOptions())
    assert len(output.splitlines()) == 2
    assert output.replace("\n", "").isprintable()
    assert not re.match(r"\s*::[^:\s]", output)


def test_escapes_are_shown_as_numbers():
    output = outputs("concise", "\x1b[2J\u202e")
    assert "error[CAP901] name \\x1b[2J\\u202e (\\x1b[2J\\u202e)" in output


def test_a_link_in_a_sarif_message_is_no_link():
    result = json.loads(outputs("sarif", "[x](http://e)"))["runs"][0]["results"][0]
    assert "](" not in result["message"]["text"]
