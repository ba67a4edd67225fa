"""One text through the reader: its value, its findings, and their places."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from kohort.diagnostics import Finding
from kohort.source.document import SourceFile
from kohort.source.positions import Positions
from kohort.source.reader import read_file

CASES = Path(__file__).parents[4] / "shared" / "cases"


QUEUE = "apiVersion: kueue.x-k8s.io/v1beta2\nkind: ClusterQueue\n"


def read(text: str | bytes) -> SourceFile:
    return read_file("f.yaml", text.encode() if isinstance(text, str) else text)


def value(text: str) -> Any:
    result = read(text)
    assert not result.findings
    assert len(result.documents) == 1
    return result.documents[0].value


def shown(text: str | bytes) -> list[str]:
    """Findings as `line:column CODE message`."""
    data = text.encode() if isinstance(text, str) else text
    places = Positions({"f.yaml": data}.get)
    lines = []
    for finding in read_file("f.yaml", data).findings:
        span = places.span(finding.primary.origin)
        assert span is not None
        lines.append(f"{span.line}:{span.column} {finding.code} {finding.message}")
    return lines


def only(text: str | bytes) -> Finding:
    (finding,) = read(text).findings
    return finding


def case(name: str) -> bytes:
    path = CASES / name
    if not path.exists():
        pytest.skip("the shared cases are not on this machine")
    return path.read_bytes()
