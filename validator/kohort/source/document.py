"""What reading gives: plain values per document, and what was wrong with the text."""

from __future__ import annotations

from typing import Any

from kohort.dataclass import dataclass
from kohort.diagnostics import Finding


@dataclass(frozen=True, slots=True)
class Document:
    """One YAML document as JSON-like values: dict, list, str, int, float, bool, None; keys are always text.

    `index` counts the documents of the file from 0, empty and broken ones included, so that it agrees with `Origin`.
    A key that stands twice is left out of `value`: nobody may guess which one was meant.
    """

    file: str
    index: int
    value: Any


@dataclass(frozen=True, slots=True)
class SourceFile:
    """All documents of a file that could be read. `note` says in a phrase why a file gives no objects."""

    file: str
    documents: tuple[Document, ...]
    findings: tuple[Finding, ...]
    note: str = ""
