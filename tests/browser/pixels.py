"""The colours of a PNG."""

from __future__ import annotations

import struct
import zlib
from collections import Counter


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
