"""Replay every recorded trace, write docs/agreement.md and its first table in README. `--check` only compares."""

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
README = ROOT / "README.md"
_BEGIN, _END = "<!-- agreement -->", "<!-- /agreement -->"


def written() -> str:
    """Return the page as the traces and the model of this tree give it."""
    sums, kinds = Agreement(), Counter[str]()
    for trace in read([TRACES]):
        kinds[Path(trace.file).relative_to(TRACES).parts[0]] += 1
        for _ in replay(trace, start_model, "", sums):
            pass
    return page(sums, dict(sorted(kinds.items())))


def shown(page_text: str, readme: str) -> str:
    """README with the page's first table between its marks."""
    table = page_text.partition(_BEGIN)[2].partition(_END)[0]
    before, _, rest = readme.partition(_BEGIN)
    return f"{before}{_BEGIN}{table}{_END}{rest.partition(_END)[2]}"


def main() -> int:
    """Exit 1 when a page is not what it should be and may not be written."""
    now = written()
    wanted = {PAGE: now, README: shown(now, README.read_text("utf-8"))}
    stale = [path for path, text in wanted.items() if not path.is_file() or path.read_text("utf-8") != text]
    if "--check" in sys.argv[1:]:
        for path in stale:
            print(f"{path.relative_to(ROOT)} is not up to date: run python ci/agreement.py", file=sys.stderr)
        return int(bool(stale))
    for path in stale:
        path.write_text(wanted[path], "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
