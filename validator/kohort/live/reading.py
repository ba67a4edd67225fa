"""Bytes of a snapshot to plain objects: JSON at once, YAML piece by piece, since it takes fifty times as long.

Source: what `kubectl get KIND… -o json` and `-o yaml` print: one object, or a `List` whose items stand at the margin.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from kohort.live.remark import Kind, Remarks
from kohort.objects.names import visible
from kohort.source.positions import line_of
from kohort.source.reader import read_file

Json = Any
Tell = Callable[[str], None]

LARGEST: Final = 1 << 30
_PIECE: Final = 1 << 20
_PIECE_HEAD: Final = b"kind: List\nitems:\n"
_SLOW: Final = 4 << 20  # YAML from this size on is worth a word
_LIST: Final = re.compile(rb"\A(?:apiVersion: v1\r?\n)?items:\r?\n(?=- )")
_ITEM: Final = re.compile(rb"^- ", re.MULTILINE)
_TAIL: Final = re.compile(rb"^[^\s-]", re.MULTILINE)
_LEVELS: Final = 4  # a list in a list is opened, not for ever


def read(file: str, data: bytes, remarks: Remarks, tell: Tell) -> Iterator[Mapping[str, Json]]:
    """The objects of one file, lists opened. What cannot be read is a remark; never raises for bad bytes."""
    if len(data) > LARGEST:
        size = f"{len(data) / (1 << 20):,.0f} MiB"
        remarks.add(Kind.UNREADABLE, file, f"{file} is too large to be read ({size}; at most 1,024 MiB)")
        return
    head = data.lstrip()[:1]
    if head in {b"{", b"["}:
        try:
            value = json.loads(data)
        except (ValueError, RecursionError):
            pass  # YAML's flow style starts alike, and the reader of YAML says where JSON is broken
        else:
            yield from _objects(file, value, remarks)
            return
    for value in _yaml(file, data, remarks, tell):
        yield from _objects(file, value, remarks)


def _yaml(file: str, data: bytes, remarks: Remarks, tell: Tell) -> Iterator[Json]:
    pieces = [(data, 0)]
    if len(data) > _SLOW:
        tell(f"reading {len(data) >> 20} MiB of YAML: `kubectl get -o json` is read fifty times as fast")
        pieces = list(_pieces(data)) or pieces
    for number, (piece, above) in enumerate(pieces, 1):
        if len(pieces) > 1 and number % 5 == 0:
            tell(f"read {100 * number // len(pieces)} % of {file}")
        source = read_file(file, piece)
        for finding in source.findings:
            line = line_of(finding.primary.origin, piece)
            where = file if line is None else f"{file}:{line + above}"
            remarks.add(Kind.UNREADABLE, file, f"{where}: {finding.message}")
        for document in source.documents:
            yield document.value


def _pieces(data: bytes) -> Iterator[tuple[bytes, int]]:
    """A list as kubectl prints it, cut between items into lists of about a megabyte; nothing for any other text.

    With each piece the number to add to its lines for those of the whole.
    """
    head = _LIST.match(data)
    if head is None:
        return
    tail = _TAIL.search(data, head.end())
    end = tail.start() if tail else len(data)
    start = head.end()
    above = data.count(b"\n", 0, start) - _PIECE_HEAD.count(b"\n")
    for item in _ITEM.finditer(data, head.end(), end):
        if item.start() - start >= _PIECE:
            yield _PIECE_HEAD + data[start : item.start()], above
            above += data.count(b"\n", start, item.start())
            start = item.start()
    yield _PIECE_HEAD + data[start:end], above


def _objects(file: str, value: Json, remarks: Remarks, depth: int = 0) -> Iterator[Mapping[str, Json]]:
    if isinstance(value, list):
        for item in value:
            yield from _objects(file, item, remarks, depth + 1) if depth < _LEVELS else ()
        return
    if not isinstance(value, dict):
        remarks.add(Kind.NOT_AN_OBJECT, file, f"{file}: {visible(str(value)[:40])} is no Kubernetes object")
        return
    kind = value.get("kind")
    items = value.get("items")
    if items is None and "items" in value:
        items = []  # how Go writes a list of nothing
    if isinstance(kind, str) and kind.endswith("List") and isinstance(items, list) and depth < _LEVELS:
        element, version = kind.removesuffix("List"), value.get("apiVersion")
        for item in items:
            if element and isinstance(item, dict) and ("kind" not in item or "apiVersion" not in item):
                item = {"apiVersion": version, "kind": element, **item}  # noqa: PLW2901 - typed lists leave both out
            yield from _objects(file, item, remarks, depth + 1)
        return
    if isinstance(kind, str) and kind.endswith("List") and not isinstance(items, list):
        wrong = "has no items" if items is None else "has items that are no list"
        remarks.add(Kind.NOT_AN_OBJECT, file, f"{file}: {visible(kind)} {wrong}: nothing of it was read")
        return
    if not isinstance(kind, str) or not isinstance(value.get("metadata"), dict):
        remarks.add(
            Kind.NOT_AN_OBJECT, file, f"{file}: a document without kind and metadata is no Kubernetes object"
        )
        return
    yield value
