"""Every format of one fixed report, byte for byte. KOHORT_UPDATE_GOLDENS=1 writes them again, to be read in review."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from diagnostics_samples import sample

from kohort.diagnostics import Report
from kohort.diagnostics.render import FORMATS, RenderOptions
from kohort.diagnostics.render.totals import totals

GOLDEN = Path(__file__).parents[2] / "golden" / "render"
SUFFIXES = {"json": "json", "sarif": "json", "gitlab": "json", "junit": "xml", "markdown": "md"}


def compare(name: str, text: str) -> None:
    path = GOLDEN / name
    if os.environ.get("KOHORT_UPDATE_GOLDENS") == "1":
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode("utf-8"))
    assert text == path.read_bytes().decode("utf-8")


@pytest.mark.parametrize("name", FORMATS)
def test_format(name):
    compare(f"{name}.{SUFFIXES.get(name, 'txt')}", FORMATS[name](*sample(), RenderOptions(version="0.1.0")))


def test_full_in_colour_and_narrow():
    compare("full-colour.txt", FORMATS["full"](*sample(), RenderOptions(color=True)))
    compare("full-narrow.txt", FORMATS["full"](*sample(), RenderOptions(width=48)))


def test_full_without_help():
    text = FORMATS["full"](*sample(), RenderOptions(show_help=False))
    compare("full-no-help.txt", text)
    assert "= help" not in text
    assert "= sum" in text


def test_totals():
    report, _ = sample()
    assert totals(report, RenderOptions()) == (
        "Kueue 0.19, 2 clusters\n3 errors, 1 warning, 1 info in 4 files, 12 objects (1 suppressed)\n"
    )
    assert totals(Report((), files=1, objects=1), RenderOptions()) == "no findings in 1 file, 1 object\n"


@pytest.mark.parametrize("name", FORMATS)
def test_colours_appear_only_where_asked_for_and_only_in_the_formats_for_people(name):
    assert "\x1b" not in FORMATS[name](*sample(), RenderOptions())
    coloured = FORMATS[name](*sample(), RenderOptions(color=True))
    assert ("\x1b" in coloured) == (name in {"full", "concise"})


@pytest.mark.parametrize("name", FORMATS)
def test_the_order_of_the_report_changes_nothing(name):
    report, places = sample()
    turned = Report(
        tuple(reversed(report.findings)),
        report.unchecked,
        report.summary,
        report.files,
        report.objects,
        report.suppressed,
        report.hidden,
    )
    assert FORMATS[name](turned, places, RenderOptions()) == FORMATS[name](report, places, RenderOptions())
