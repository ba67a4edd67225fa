"""The HTML page in a real browser: it is drawn, light and dark, without script, network or messages on the console."""

from __future__ import annotations

import shutil
import struct
import subprocess
import zlib
from collections import Counter
from pathlib import Path

import pytest
from small_world import played

from kohort.simulator.reports.formats import FORMATS

BROWSER = next(
    (path for name in ("chromium", "chromium-browser", "google-chrome") if (path := shutil.which(name))), ""
)
SPEC = (
    "jobs:\n- {name: a, namespace: blue, queue: lq, at: 0s, gpus: 8, pods: 2, duration: 2h}\n"
    "- {name: b, namespace: red, queue: lq, at: 1h, gpus: 8, duration: 1h}\n"
)
BLUE, ORANGE = (0x00, 0x72, 0xB2), (0xE6, 0x9F, 0x00)

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not BROWSER, reason="no chromium here: apt-get install chromium, and the page is opened in it"
    ),
]


def browse(page: Path, *flags: str) -> subprocess.CompletedProcess[str]:
    """Open the page; everything that the browser would fetch has nowhere to go."""
    command = [
        *(BROWSER, "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--no-first-run"),
        *(
            "--disable-background-networking",
            "--disable-component-update",
            "--host-resolver-rules=MAP * ~NOTFOUND",
        ),
        *(f"--user-data-dir={page.parent / 'profile'}", "--enable-logging=stderr", "--window-size=800,900"),
        *flags,
        page.as_uri(),
    ]
    return subprocess.run(command, capture_output=True, text=True, timeout=250, check=True)


def pixels(png: bytes) -> tuple[int, int, Counter[tuple[int, int, int]]]:
    """Width, height and how often each colour occurs, of a PNG of 8-bit RGB or RGBA."""
    at, data, width, height, depth = 8, b"", 0, 0, 3
    while at < len(png):
        size, kind = struct.unpack(">I4s", png[at : at + 8])
        body = png[at + 8 : at + 8 + size]
        if kind == b"IHDR":
            width, height, bits, color = struct.unpack(">IIBB", body[:10])
            assert (bits, color) in ((8, 2), (8, 6))
            depth = 3 if color == 2 else 4
        elif kind == b"IDAT":
            data += body
        at += 12 + size
    raw, before, found = zlib.decompress(data), bytearray(width * depth), Counter[tuple[int, int, int]]()
    for row in range(height):
        start = row * (width * depth + 1)
        line = unfiltered(raw[start], bytearray(raw[start + 1 : start + 1 + width * depth]), before, depth)
        found.update(zip(line[0::depth], line[1::depth], line[2::depth], strict=True))
        before = line
    return width, height, found


def unfiltered(kind: int, line: bytearray, above: bytearray, depth: int) -> bytearray:
    for i in range(len(line)):
        left = line[i - depth] if i >= depth else 0
        up, corner = above[i], above[i - depth] if i >= depth else 0
        if kind == 1:
            add = left
        elif kind == 2:
            add = up
        elif kind == 3:
            add = (left + up) // 2
        elif kind == 4:
            add = min((left, up, corner), key=lambda value: abs(left + up - corner - value))
        else:
            return line
        line[i] = (line[i] + add) & 255
    return line


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    folder = tmp_path_factory.mktemp("page")
    file = folder / "run.html"
    file.write_text(FORMATS["html"](played(folder, SPEC)), "utf-8")
    return file


@pytest.mark.parametrize(("scheme", "paper"), [("light", (255, 255, 255)), ("dark", (0x12, 0x18, 0x1F))])
def test_the_charts_are_drawn_in_the_colours_of_the_teams(page, scheme, paper):
    picture = page.with_name(f"{scheme}.png")
    dark = ["--blink-settings=preferredColorScheme=0"] if scheme == "dark" else []
    done = browse(page, f"--screenshot={picture}", *dark)
    assert "CONSOLE" not in done.stderr
    width, height, found = pixels(picture.read_bytes())
    assert (width, height) == (800, 900)
    assert found.most_common(1)[0][0] == paper
    near = sum(
        count
        for color, count in found.items()
        if all(abs(a - b) < 24 for a, b in zip(color, BLUE, strict=True))
    )
    assert near > 5_000  # blue holds 16 GPUs for half of the time
    assert found[ORANGE] > 1_000


def test_the_browser_reads_what_was_written(page):
    text = browse(page, "--dump-dom").stdout
    assert text.count("<svg") == 4
    assert text.count("</svg>") == 4
    assert "<h2>Jobs that wait</h2>" in text
    assert ">blue/a-1, team blue, 16 GPUs: 0:00:00 to 2:00:00 on n0, n1, succeeded</title>" in text
