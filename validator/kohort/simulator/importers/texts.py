"""Bytes of a trace as text and as rows of a table."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from typing import Any

from kohort.simulator.importers.imported import TraceError


def text_of(data: bytes) -> str:
    """UTF-8, with or without a mark."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise TraceError(f"line {line}: not UTF-8") from None


def json_of(data: bytes) -> Any:
    """A JSON document."""
    try:
        return json.loads(text_of(data))
    except json.JSONDecodeError as error:
        raise TraceError(f"line {error.lineno}: not JSON: {error.msg}") from None
    except RecursionError:
        raise TraceError("nested too deeply") from None


def rows_of(data: bytes, delimiter: str, wanted: tuple[str, ...]) -> Iterator[tuple[int, dict[str, str]]]:
    """Rows by their header with the number of their line; raises where a wanted column is missing."""
    reader = csv.reader(io.StringIO(text_of(data)), delimiter=delimiter)
    try:
        header = [name.strip() for name in next(reader, [])]
        missing = [name for name in wanted if name not in header]
        if missing:
            raise TraceError(
                f"line 1: no column {', '.join(missing)} (columns: {', '.join(header[:20]) or 'none'})"
            )
        for row in reader:
            if row:
                cells = dict(zip(header, (cell.strip() for cell in row), strict=False))
                yield reader.line_num, {**dict.fromkeys(header, ""), **cells}
    except csv.Error as error:
        raise TraceError(f"line {reader.line_num}: {error}") from None


def number(text: str | None) -> int | None:
    """A whole number from a text such as `8` or `8.0`; None for anything else."""
    try:
        value = float(text or "")
    except ValueError:
        return None
    return round(value) if abs(value) < 1e12 else None
