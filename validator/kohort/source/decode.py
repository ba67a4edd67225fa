"""From bytes to text: which encoding a file has, and where it breaks it."""

from __future__ import annotations

import codecs
import re
from collections.abc import Sequence

from kohort.dataclass import dataclass

# UTF-32 first: its little-endian mark begins like that of UTF-16.
_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32-le", "UTF-32"),
    (codecs.BOM_UTF32_BE, "utf-32-be", "UTF-32"),
    (codecs.BOM_UTF8, "utf-8", "UTF-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le", "UTF-16"),
    (codecs.BOM_UTF16_BE, "utf-16-be", "UTF-16"),
)
# What YAML 1.1 takes for the end of a line; libyaml counts so.
BREAK = re.compile("\r\n|[\n\r\x85\u2028\u2029]")
_RARE_BREAKS = re.compile("[\r\x85\u2028\u2029]")
# All but tab, line breaks and YAML's printable characters; the other way round it compiles ten times as slowly.
_NOT_ALLOWED = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufffe\uffff]")
_HARMLESS_BYTES = bytes(range(0x20, 0x7F)) + b"\t\n\r" + bytes(range(0x80, 0x100))
_SAMPLE = 64


@dataclass(frozen=True, slots=True)
class Decoded:
    """Text without its byte order mark, and what is needed to write it back."""

    text: str
    encoding: str
    mark: bytes
    name: str  # UTF-8, UTF-16, UTF-32

    def encode(self, text: str) -> bytes:
        """The bytes of `text` in the file's own encoding."""
        return self.mark + text.encode(self.encoding)


@dataclass(frozen=True, slots=True)
class BadByte:
    """Where a file is not what its encoding says: message, line and column from 1."""

    message: str
    line: int
    column: int


def decode(data: bytes) -> Decoded | BadByte:
    """The text of a file: UTF-8, or UTF-16 and UTF-32 with a byte order mark."""
    mark, encoding, name = next((row for row in _MARKS if data.startswith(row[0])), (b"", "utf-8", "UTF-8"))
    if not mark and _looks_wide(data[:_SAMPLE]):
        return BadByte("not UTF-8 (it looks like UTF-16 without a byte order mark): save it as UTF-8", 1, 1)
    body = data[len(mark) :]
    try:
        return Decoded(body.decode(encoding), encoding, mark, name)
    except UnicodeDecodeError as error:
        before = body[: error.start].decode(encoding, "replace")
        line, column = place(before, len(before))
        offset = error.start + len(mark)
        return BadByte(
            f"not {name} (byte 0x{data[offset]:02x} at offset {offset}, line {line})", line, column
        )


def decode_leniently(data: bytes) -> str:
    """Text for showing: what cannot be decoded becomes U+FFFD."""
    decoded = decode(data)
    if isinstance(decoded, Decoded):
        return decoded.text
    mark, encoding, _ = next((row for row in _MARKS if data.startswith(row[0])), (b"", "utf-8", ""))
    if not mark and _looks_wide(data[:_SAMPLE]):
        encoding = "utf-16-le" if data[1:2] == b"\0" else "utf-16-be"
    return data[len(mark) :].decode(encoding, "replace")


def _looks_wide(sample: bytes) -> bool:
    """Every second byte NUL, as ASCII text is in UTF-16."""
    even, odd = sample[::2], sample[1::2]
    return len(sample) > 3 and 0 in (sum(even), sum(odd)) and any(sample)


def bad_character(data: bytes, text: str) -> int | None:
    """Index of the first character that YAML does not allow; None where there is none among the ASCII ones.

    The quick test by bytes leaves out C1 controls and the like; libyaml finds those, see `first_bad_character`.
    """
    wide = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE, codecs.BOM_UTF32_BE))
    return first_bad_character(text) if wide or data.translate(None, _HARMLESS_BYTES) else None


def first_bad_character(text: str) -> int | None:
    """Index of the first character that YAML does not allow."""
    match = _NOT_ALLOWED.search(text)
    return match.start() if match else None


def place(text: str, index: int) -> tuple[int, int]:
    """Line and column, both from 1, of a character."""
    line, start = 1, 0
    for match in BREAK.finditer(text, 0, index):
        line, start = line + 1, match.end()
    return line, index - start + 1


def split_lines(text: str) -> Sequence[str]:
    """The lines of a text without their ends, counted as libyaml counts."""
    if text.isascii() and "\r" not in text:
        return text.split("\n")
    return BREAK.split(text) if _RARE_BREAKS.search(text) else text.split("\n")
