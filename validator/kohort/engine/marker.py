"""What makes a folder a Kohort repository."""

from __future__ import annotations

from pathlib import Path

MARKER = "kohort.yaml"


def is_repository(path: Path) -> bool:
    """Whether the folder holds a Kohort repository."""
    return (path / MARKER).is_file()
