"""Replay every recorded trace and write docs/agreement.md. `--check` only compares."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

from conformance_replay import read
from kohort.simulator.replay.agreement import Agreement, replay
from kohort.simulator.replay.model import start_model
from kohort.simulator.replay.page import page

ROOT = Path(__file__).resolve().parent.parent
TRACES = ROOT / "tests/conformance/traces"
PAGE = ROOT / "docs/agreement.md"


def written() -> str:
    """Return the page as the traces and the model of this tree give it."""
    sums, kinds = Agreement(), Counter[str]()
    for trace in read([TRACES]):
        kinds[Path(trace.file).relative_to(TRACES).parts[0]] += 1
        for _ in replay(trace, start_model, "", sums):
            pass
    return page(sums, dict(sorted(kinds.items())))


def main() -> int:
    """Exit 1 when the page is not what it should be and may not be written."""
    now = written()
    if "--check" in sys.argv[1:]:
        if not PAGE.is_file() or PAGE.read_text("utf-8") != now:
            print("docs/agreement.md is not up to date: run python ci/agreement.py", file=sys.stderr)
            return 1
        return 0
    PAGE.write_text(now, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
