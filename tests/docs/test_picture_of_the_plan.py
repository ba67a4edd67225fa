"""The picture in docs/plan.md is there, small, shown with words, and taken of the page as it is now."""

from __future__ import annotations

import re
import struct
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "browser"))
from story import DIGEST, PICTURE, RENEW, ROOT, digest, make_page


def test_the_picture_is_of_the_present_page(tmp_path):
    kept = DIGEST.read_text("utf-8").strip()
    assert digest(make_page(tmp_path)) == kept, (
        f"the page changed: look at it, and renew its picture by {RENEW}"
    )


def test_the_picture_is_a_small_png_of_the_page_s_width():
    data = PICTURE.read_bytes()
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = struct.unpack(">II", data[16:24])
    assert width == 920
    assert 400 < height < 1000
    assert len(data) < 180_000


def test_the_page_shows_it_with_its_content_in_words():
    text = (ROOT / "docs" / "plan.md").read_text("utf-8")
    ((words, file),) = re.findall(r"!\[([^\]]+)\]\((pictures/[^)]+)\)", text)
    assert (ROOT / "docs" / file) == PICTURE
    for part in ("admins and team red must agree", "8 to 16", "8 to 0"):
        assert part in words.replace("\n", " ")
    assert RENEW in (ROOT / "CONTRIBUTING.md").read_text("utf-8")
