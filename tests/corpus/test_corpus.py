"""Public configurations, where the folder beside the repository has them: none stops the tool, every finding has a place."""

from __future__ import annotations

from pathlib import Path

import pytest

from kohort.diagnostics.places import locate
from kohort.engine.outcome import Settings
from kohort.engine.plain import check_plain
from kohort.source.tree import MemoryTree

CORPUS = Path(__file__).resolve().parents[2].parent / "shared" / "corpus"
SUFFIXES = {".yaml", ".yml", ".json"}
FILES = (
    sorted(p for p in CORPUS.rglob("*") if p.suffix in SUFFIXES and p.is_file()) if CORPUS.is_dir() else []
)


@pytest.mark.skipif(not FILES, reason="no corpus of public configurations beside this repository")
@pytest.mark.parametrize("path", FILES, ids=lambda p: p.relative_to(CORPUS).as_posix())
def test_a_public_file_is_judged_without_a_crash(path):
    name = path.relative_to(CORPUS).as_posix()
    outcome = check_plain([MemoryTree({name: path.read_bytes()})], Settings())
    for finding in outcome.report.findings:
        assert finding.message
        assert locate(outcome.places, finding.primary.origin) is not None, finding
