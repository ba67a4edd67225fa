"""The table files themselves."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from importlib.resources import files
from pathlib import Path

import pytest

from kohort.objects.schema import KUEUE_MINORS, check, kinds, served, table_for
from kohort.objects.schema.cel import cel_rules
from kohort.objects.schema.patch import difference, patched
from kohort.objects.schema.pattern import compile_pattern

ROOT = Path(__file__).parents[4]
TABLES = files("kohort.objects.schema") / "tables"


def test_tables_stay_small_and_hold_no_prose():
    texts = {entry.name: entry.read_text(encoding="utf-8") for entry in TABLES.iterdir()}
    assert sum(len(text) for text in texts.values()) < 100_000
    for name, text in texts.items():
        assert "description" not in set(re.findall(r'"(description)":"[^"]{40}', text)), name
        json.loads(text)


@pytest.mark.parametrize("minor", KUEUE_MINORS)
def test_every_table_of_every_version_can_be_built_and_applied(minor):
    for kind in kinds(minor):
        group = "workload.codeflare.dev" if kind == "AppWrapper" else "kueue.x-k8s.io"
        for api in served(kind, minor):
            table = table_for(f"{group}/{api}", kind, minor)
            assert table.root
            assert next(v.path for v in check({"no": 1}, table)) == ("no",)


@pytest.mark.go
@pytest.mark.skipif(shutil.which("go") is None, reason="Go is not installed")
def test_the_tables_are_what_the_definitions_say():
    done = subprocess.run(
        [sys.executable, ROOT / "ci" / "schema_tables.py", "--check"],
        capture_output=True,
        text=True,
        check=False,
    )
    if "cannot be downloaded" in done.stderr:
        pytest.skip("the Go module proxy cannot be reached")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "as generated" in done.stdout


def test_cel_rules_are_listed_with_their_places():
    rules = {rule.digest: rule for rule in cel_rules()}
    assert len(rules) == len(cel_rules())
    assert all(re.fullmatch("[0-9a-f]{12}", digest) for digest in rules)
    counted = rules["0449c7dbd6cb"]
    assert not counted.on_update
    places = {(place.kind, place.api, place.path): place.kueue for place in counted.places}
    assert places["Cohort", "v1beta2", "spec.resourceGroups[*]"] == KUEUE_MINORS
    kinds_with_rules = {place.kind for rule in rules.values() for place in rule.places}
    assert {"ClusterQueue", "Cohort", "LocalQueue", "ResourceFlavor", "Workload"} <= kinds_with_rules


def test_a_patch_leads_from_one_version_to_another():
    base = {"a": {"b": 1, "c": [1]}, "d": 2}
    other = {"a": {"b": 3, "c": [1, 2]}, "e": {"f": 1}}
    patch = difference(base, other)
    assert patched(base, patch) == other
    assert base == {"a": {"b": 1, "c": [1]}, "d": 2}
    assert difference(base, base) == []
    assert [["d"]] in patch


@pytest.mark.parametrize(
    ("pattern", "text", "matches"),
    [
        ("^a$", "a", True),
        ("^a$", "a\n", False),
        ("^[a$]+$", "$a", True),
        (r"^\$$", "$", True),
        ("^(?i)[a-z]+$", "aZ", True),
        (r"^\d$", "٣", False),
        ("b", "abc", True),
    ],
)
def test_patterns_mean_what_they_mean_in_go(pattern, text, matches):
    assert bool(compile_pattern(pattern).search(text)) is matches
