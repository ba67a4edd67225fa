"""Everything that is said about every documented example, in full and for other versions of Kueue, reviewed as a whole.

After a wanted change: KOHORT_UPDATE_GOLDENS=1 pytest tests/rules/test_examples_golden.py, and read the diff.
"""

from __future__ import annotations

import os
import re
from datetime import date
from pathlib import Path

import pytest
from told import told

from kohort.engine.outcome import Settings
from kohort.engine.plain import check_plain
from kohort.engine.repository import check_repository
from kohort.rules.catalogue import catalogue
from kohort.source.tree import MemoryTree

GOLDEN = Path(__file__).parents[1] / "golden" / "examples"
DOCS = catalogue()
# What is wrong with a change has an example in words; tests/plan has the changes.
JUDGED = [code for code, doc in DOCS.items() if not (code[:3] in {"AUT", "PLN"} and doc.bad.startswith("("))]
FAMILIES = sorted({code[:3] for code in JUDGED})
FILE = re.compile(r"^# file: (\S+)$", re.MULTILINE)
NEWEST = "0.19.1"
OTHERS = ("0.15.2", "0.16.9", "0.17.1", "0.18.6")


def option(example: str, name: str) -> str:
    found = re.search(rf"^# {name}: (.+)$", example, re.MULTILINE)
    return found.group(1) if found else ""


def judge(example: str, kueue: str):
    at, baseline = option(example, "at"), option(example, "baseline")
    settings = Settings(
        kueue=kueue,
        at=date.fromisoformat(at) if at else None,
        baseline=baseline.encode() if baseline else None,
    )
    parts = FILE.split(example)
    if len(parts) == 1:
        return check_plain([MemoryTree({"example.yaml": (example + "\n").encode()})], settings)
    files = {parts[i]: (parts[i + 1].lstrip("\n") + "\n").encode() for i in range(1, len(parts), 2)}
    return check_repository(MemoryTree(files), settings)[0]


def everything(family: str) -> str:
    out = []
    for code in (code for code in JUDGED if code.startswith(family)):
        for kind in ("bad", "good"):
            example = getattr(DOCS[code], kind)
            version = option(example, "kueue") or NEWEST
            lines = told(judge(example, version), version)
            out += [f"== {code} {kind}", *lines]
            if FILE.search(example):
                continue  # a repository says itself which versions its clusters have
            for other in OTHERS:
                differing = told(judge(example, other), other) if other != version else lines
                if differing != lines:
                    out += [f"-- {other}", *(f"+ {line}" for line in differing if line not in lines)]
                    out += [f"- {line}" for line in lines if line not in differing]
    return "\n".join(out) + "\n"


@pytest.mark.parametrize("family", FAMILIES)
def test_what_is_said_about_the_examples(family):
    text = everything(family)
    path = GOLDEN / f"{family}.txt"
    if os.environ.get("KOHORT_UPDATE_GOLDENS"):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    assert text == path.read_text("utf-8")


def test_no_golden_is_left_over():
    assert sorted(path.stem for path in GOLDEN.glob("*.txt")) == FAMILIES
