"""Renew the picture in docs/plan.md: the page of the story there, as Chromium draws it, and the digest of its text."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "browser"))
from chromium import BROWSER, Browser
from story import DIGEST, PICTURE, digest, make_page

WIDTH = 920
_END = "Math.ceil(document.querySelector('.rows').getBoundingClientRect().bottom + scrollY + 12)"


def main() -> int:
    """Play the story, look at it down to the end of the cohort tree, keep both files."""
    if not BROWSER:
        print("screenshot: no chromium here (apt-get install chromium)", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "story").mkdir()
        file = make_page(Path(folder) / "story")
        browser = Browser(Path(folder))
        try:
            page = browser.open(file, width=WIDTH)
            PICTURE.parent.mkdir(exist_ok=True)
            PICTURE.write_bytes(page.picture(height=page.run(_END)))
        finally:
            browser.end()
        DIGEST.write_text(f"{digest(file)}\n", "utf-8")
    print(f"{PICTURE} ({PICTURE.stat().st_size:,} bytes); look at it before you commit it")
    return 0


if __name__ == "__main__":
    sys.exit(main())
