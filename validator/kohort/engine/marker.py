"""What makes a folder a Kohort repository."""

from __future__ import annotations

import os
from pathlib import Path

MARKER = "kohort.yaml"


def is_repository(path: Path) -> bool:
    """Whether the folder holds a Kohort repository."""
    return (path / MARKER).is_file()


def enclosing(path: Path) -> Path | None:
    """The nearest folder at or above `path` that holds a repository; links are not resolved."""
    start = Path(os.path.normpath(path.absolute()))
    return next((folder for folder in (start, *start.parents) if is_repository(folder)), None)
