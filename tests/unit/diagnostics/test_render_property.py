"""Nothing is lost between formats: counts and codes agree for any report."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from collections import Counter

import pytest
from diagnostics_samples import Memory
from hypothesis import given, settings
from hypothesis import strategies as st

from kohort.diagnostics import Audience, Consequence, Finding, Label, Report, Severity, Term
from kohort.diagnostics.render import FORMATS, RenderOptions
from kohort.spans import Origin, Span

LINES = ["spec:", "\tname: 研究", "  a: " + "x" * 300, "", "e\u0301\u202e"]
FILES = ["a.yaml", "dir with space/b.yaml", "日本.yaml", "", "-"]

text = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
origins = st.builds(
    Origin, st.sampled_from(FILES), st.integers(0, 2), st.tuples(st.integers(0, 4), st.integers(1, 40))
)
findings = st.builds(
    Finding,
    code=st.sampled_from(["CAP901", "YAM001", "REF201"]),
    name=st.just("some-rule"),
    severity=st.sampled_from(Severity),
    consequence=st.sampled_from(Consequence),
    audience=st.sampled_from(Audience),
    message=text,
    primary=st.builds(Label, origins, text),
    subject=text,
    field=text,
    related=st.lists(st.builds(Label, origins, text), max_size=8).map(tuple),
    terms=st.lists(st.builds(Term, st.sampled_from("+-="), text, text), max_size=3).map(tuple),
    help=st.lists(text, max_size=2).map(tuple),
    clusters=st.lists(text, max_size=2).map(tuple),
)
reports = st.lists(findings, max_size=8).map(lambda found: Report(tuple(found)))


class Anywhere(Memory):
    """Every place has a range, not always one that the file has."""

    def span(self, origin: Origin) -> Span | None:
        row, column = origin.path
        if row == 4:
            return None
        return Span(int(row) + 1, int(column), int(row) + 1 + origin.document % 2, int(column) + 3)


PLACES = Anywhere(dict.fromkeys(FILES, "\n".join(LINES)))


def codes_of(name: str, output: str) -> list[str]:
    if name == "json":
        return [found["code"] for found in json.loads(output)["findings"]]
    if name == "sarif":
        run = json.loads(output)["runs"][0]
        return [run["tool"]["driver"]["rules"][found["ruleIndex"]]["id"] for found in run["results"]]
    if name == "gitlab":
        return [found["check_name"] for found in json.loads(output)]
    if name == "junit":
        cases = ET.fromstring(output).iter("testcase")
        return [case.attrib["name"].split()[0] for case in cases if case.attrib["name"] != "no findings"]
    patterns = {
        "full": r"^(?:error|warning|info)\[([A-Z]+\d+)\]: ",
        "concise": r"(?:^|: )(?:error|warning|info)\[([A-Z]+\d+)\] ",
        "github": r"^::(?:error|warning|notice) .*?title=([A-Z]+\d+) ",
        "markdown": r"<summary><b>(?:error|warning|info)</b> ([A-Z]+\d+) ",
    }
    return re.findall(patterns[name], output, re.MULTILINE)


@pytest.mark.parametrize("name", FORMATS)
@settings(deadline=None, max_examples=60)
@given(report=reports)
def test_every_format_has_every_finding_and_no_other(name, report):
    output = FORMATS[name](report, PLACES, RenderOptions(width=60))
    assert Counter(codes_of(name, output)) == Counter(found.code for found in report.findings)
    assert output == FORMATS[name](report, PLACES, RenderOptions(width=60))


@settings(deadline=None, max_examples=60)
@given(report=reports)
def test_fingerprints_are_distinct_within_a_report(report):
    marks = [issue["fingerprint"] for issue in json.loads(FORMATS["gitlab"](report, PLACES, RenderOptions()))]
    assert len(set(marks)) == len(marks)
