"""Columns of text: the first to the left, numbers to the right. Names in the cells are strangers': they are made visible."""

from __future__ import annotations

from collections.abc import Sequence

from kohort.diagnostics.visible import visible, width


def grid(head: Sequence[str], rows: Sequence[Sequence[str]], *, indent: str = "  ") -> list[str]:
    """Lines of a table."""
    table = [[visible(cell) for cell in row] for row in (head, *rows)]
    widths = [max(width(row[i]) for row in table) for i in range(len(head))]
    return [
        indent + "  ".join(_set(i, cell, widths[i]) for i, cell in enumerate(row)).rstrip() for row in table
    ]


def _set(column: int, cell: str, columns: int) -> str:
    blanks = " " * (columns - width(cell))
    return blanks + cell if column else cell + blanks
