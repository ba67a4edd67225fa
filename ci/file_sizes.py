"""Fail when a source file grows beyond what one person reads at a time."""

from __future__ import annotations

import sys
from pathlib import Path

LIMIT = 400


def main() -> int:
    """Name every Python file above the limit."""
    root = Path(__file__).resolve().parent.parent
    long = []
    for folder in ("validator", "tests", "ci"):
        for path in sorted((root / folder).rglob("*.py")):
            lines = len(path.read_text("utf-8").splitlines())
            if lines > LIMIT:
                long.append(f"{path.relative_to(root)}: {lines} lines, at most {LIMIT}")
    print("\n".join(long) or "no file is too long")
    return 1 if long else 0


if __name__ == "__main__":
    sys.exit(main())
