"""Reports of one run: the numbers of the table, every line of JSON, every row of CSV, and HTML that nothing can break out of."""

from __future__ import annotations

import csv
import io
import json
import re
from dataclasses import replace
from xml.etree import ElementTree as ET

import pytest
from small_world import played

from kohort.simulator.record import JobRecord, Run
from kohort.simulator.reports.formats import FORMATS
from kohort.simulator.reports.html.buckets import means, peaks
from kohort.simulator.reports.html.frame import Frame
from kohort.simulator.reports.html.gantt import MOST, chosen
from kohort.simulator.reports.words import clock, length

SPEC = (
    "jobs:\n- {name: a, namespace: blue, queue: lq, at: 0s, gpus: 8, pods: 3, duration: 1h}\n"
    "- {name: b, namespace: blue, queue: lq, at: 10m, gpus: 8, duration: 5m, priority: high}\n"
    "- {name: c, namespace: red, queue: lq, at: 3h59m, gpus: 8, duration: 5m}\n"
)
EVIL = "</title><script>alert(1)</script>\"' onload=x \x1b[31m"


@pytest.fixture(scope="module")
def run(tmp_path_factory) -> Run:
    return played(tmp_path_factory.mktemp("reports"), SPEC)


def document(html: str) -> ET.Element:
    """The page as XML: it is written so that any parser of tags reads it."""
    return ET.fromstring(html.removeprefix("<!DOCTYPE html>\n"))


def test_the_table_tells_waits_shares_and_waste(run):
    text = FORMATS["table"](run)
    assert "scenario small on the given manifests (Kueue 0.19.1): 4h, seed 1" in text
    assert "3 jobs: 1 running, 2 succeeded" in text
    assert re.search(r"^  blue +2 +2 +0s +0s +0s +0s +0s$", text, re.MULTILINE)
    assert "interruptions: InClusterQueue 1; 4.0 GPU-hours wasted" in text
    assert max(map(len, text.splitlines())) <= 130


def test_the_timeline_has_a_line_for_everything(run):
    lines = FORMATS["timeline"](run).splitlines()
    assert len(lines) == len(run.timeline)
    assert lines[0].split() == ["0:00:00", "submitted", "blue/a-1", "24"]
    assert any(line.endswith("InClusterQueue for blue/b-1") for line in lines)


def test_json_lines_hold_the_run_its_summary_every_job_and_every_event(run):
    lines = [json.loads(line) for line in FORMATS["jsonl"](run).splitlines()]
    assert [line["type"] for line in lines[:2]] == ["run", "summary"]
    assert lines[0]["format"] == "kohort-run-v1"
    jobs = [line for line in lines if line["type"] == "job"]
    assert [job["job"] for job in jobs] == [job.key for job in run.jobs]
    first, second = jobs[0]["attempts"]
    assert (first["end"], first["reason"], first["by"], first["ended"]) == (
        "evicted",
        "InClusterQueue",
        "blue/b-1",
        600,
    )
    assert second["kept"] == 3600
    assert jobs[2]["finished"] is None
    assert sum(line["type"] == "event" for line in lines) == len(run.timeline)
    assert lines[1]["waste"]["preemptions"] == 1


def test_csv_has_a_row_per_attempt(run):
    rows = list(csv.DictReader(io.StringIO(FORMATS["csv"](run))))
    assert [(row["job"], row["attempt"], row["end"]) for row in rows] == [
        ("blue/a-1", "1", "evicted"),
        ("blue/a-1", "2", "succeeded"),
        ("blue/b-1", "1", "succeeded"),
        ("red/c-1", "1", "running"),
    ]
    assert (rows[0]["admitted_s"], rows[0]["ended_s"], rows[0]["nodes"]) == ("0", "600", "n0 n1 n2")


def test_csv_has_a_row_for_a_job_that_never_had_quota(run):
    waiting = JobRecord("red/x", "x", "red", "red", 0, "", 1, 8, 0, 1000)
    (row,) = csv.DictReader(io.StringIO(FORMATS["csv"](replace(run, jobs=(waiting,)))))
    assert (row["outcome"], row["attempt"], row["nodes"]) == ("waiting", "", "")


def test_the_page_needs_nothing_from_elsewhere(run):
    html = FORMATS["html"](run)
    assert "default-src 'none'" in html
    assert not re.search(r"<script|https?://|src=|href=|@import|url\(", html)
    assert len(list(document(html).iter("svg"))) == 4


def test_names_cannot_break_out_of_the_page(run):
    job = replace(run.jobs[0], key=f"blue/{EVIL}", team=EVIL)
    evil = replace(
        run, scenario=EVIL, notes=(EVIL,), cluster=EVIL, jobs=(job,), entitlement=((0, {EVIL: 8}),)
    )
    html = FORMATS["html"](evil)
    assert "<script" not in html
    assert "\x1b" not in html
    texts = [text for each in document(html).iter() for text in (each.text or "",)]
    assert any("alert(1)" in text for text in texts)
    assert not any("onload" in each.attrib for each in document(html).iter())


ACTING = "a\x9b2J\u202eb\u2028c\u2069\x1b[31m"


@pytest.mark.parametrize("name", FORMATS)
def test_names_do_nothing_in_any_format(run, name):
    job = replace(run.jobs[0], key=f"blue/{ACTING}", team=ACTING, queue=ACTING, priority_class=ACTING)
    event = run.timeline[0]._replace(about=ACTING, detail=ACTING)
    evil = replace(
        run,
        scenario=ACTING,
        notes=(ACTING,),
        cluster=ACTING,
        kueue=ACTING,
        jobs=(job,),
        timeline=(event,),
        entitlement=((0, {ACTING: 8}),),
    )
    text = FORMATS[name](evil)
    assert not re.search("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]", text)
    shown = {"jsonl": r"a\u009b2J\u202eb\u2028c\u2069\u001b[31m", "html": "a\ufffd2J\ufffdb\ufffdc"}
    assert shown.get(name, r"a\x9b2J\u202eb\u2028c\u2069\x1b[31m") in text
    if name == "jsonl":
        assert all(json.loads(line) for line in text.splitlines())
        assert json.loads(text.splitlines()[0])["cluster"] == ACTING


@pytest.mark.parametrize("jobs", [0, 1, 5000])
def test_the_page_stays_small_whatever_the_number_of_jobs(run, jobs):
    many = replace(run, jobs=tuple(replace(run.jobs[0], key=f"blue/a-{n}") for n in range(jobs)), timeline=())
    html = FORMATS["html"](many)
    document(html)
    assert len(html) < 400_000
    assert len(chosen(many.jobs)) == min(jobs, MOST)


def test_an_empty_run_can_be_shown_in_every_format(run):
    empty = replace(run, jobs=(), timeline=(), capacity=(), entitlement=((0, {}),))
    for render in FORMATS.values():
        render(empty)


def test_the_same_run_gives_the_same_bytes(run, tmp_path):
    again = played(tmp_path, SPEC)
    for name, render in FORMATS.items():
        assert render(again) == render(run), name


@pytest.mark.parametrize(
    ("milliseconds", "text"),
    [
        (None, "–"),
        (0, "0s"),
        (1500, "1.5s"),
        (59_999, "1m"),
        (61_000, "1m 1s"),
        (3_600_000, "1h"),
        (90_061_000, "1d 1h"),
        (86_400_000 * 90, "90d"),
    ],
)
def test_lengths(milliseconds, text):
    assert length(milliseconds) == text


def test_clocks():
    assert clock(5_000) == "0:00:05"
    assert clock(93_784_000) == "26:03:04"
    assert clock(3 * 86_400_000 + 7_380_000) == "3d 02:03:00"


def test_columns_of_a_chart_keep_means_and_peaks():
    steps = [(0, 4), (50, 0), (75, 8)]
    assert means(steps, 100, 4) == [4, 4, 0, 8]
    assert means(steps, 100, 1) == [4]
    assert peaks(steps, 100, 2) == [4, 8]
    assert means([], 100, 2) == [0, 0]


@pytest.mark.parametrize("end", [500, 60_000, 4 * 3_600_000, 90 * 86_400_000, 5 * 365 * 86_400_000])
def test_axes_have_a_few_round_marks(end):
    marks = Frame(end, 24).times()
    assert 1 <= len(marks) <= 14
    assert marks[0] == 0
    assert Frame(end, 24).values() == [0, 10, 20] or len(Frame(end, 24).values()) <= 6
