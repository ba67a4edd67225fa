"""File names as URI references."""

from __future__ import annotations

from urllib.parse import quote

from kohort.diagnostics.identity import relative


def file_uri(file: str) -> str:
    """A relative reference with every byte that is not plain percent-encoded; an absolute path as `file:`."""
    path = relative(file)
    encoded = quote(
        path.encode("utf-8", "surrogateescape" if _undecodable(path) else "surrogatepass"), safe="/"
    )
    return f"file://{encoded}" if path.startswith("/") else encoded


def _undecodable(path: str) -> bool:
    """Whether every half character stands for a byte that was no UTF-8."""
    return all("\udc80" <= char <= "\udcff" for char in path if "\ud800" <= char <= "\udfff")
