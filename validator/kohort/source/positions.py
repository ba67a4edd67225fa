"""From symbolic places to lines and columns: the few files with findings are parsed once more."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence

from kohort.dataclass import dataclass
from kohort.diagnostics.places import is_line, locate
from kohort.source.decode import BREAK, BadByte, decode, decode_leniently, split_lines
from kohort.source.extent import extent
from kohort.source.layout import Layout, lay_out
from kohort.source.node import Node
from kohort.source.reader import LARGEST_FILE
from kohort.spans import Origin, Path, Span

_MOST_MERGES = 50


@dataclass(frozen=True, slots=True)
class Found:
    """Where a path leads. `rest` is what of it does not exist; `key` is None for list items and the root."""

    key: Node | None
    value: Node
    rest: Path


def line_of(origin: Origin, data: bytes) -> int | None:
    """The line of one place of a file whose bytes are at hand."""
    span = Positions(lambda _: data).span(origin)
    return span.line if span is not None else None


class Positions:
    """Spans, excerpts and source text of origins. Each file is read and parsed at most once, when first asked for."""

    def __init__(self, read: Callable[[str], bytes | None]) -> None:
        """`read` gives the bytes of a file, None where it cannot be read."""
        self.read = read
        self._files: dict[str, _File | None] = {}

    def span(self, origin: Origin) -> Span | None:
        """The range of a key or value; None when the file cannot be read.

        Where the path leads further than the document, the key of the deepest ancestor that exists, or the first line
        of it where it is a list item or the whole document. A whole document is its first line too. Of a key that
        stands twice the second one. Without any such document the first line of the file.
        """
        if is_line(origin):
            return locate(self, origin)
        file = self._file(origin.file)
        if file is None:
            return None
        root = file.layout.root(origin.document)
        if root is None:
            return file.first_line(0)
        found = find(root, origin.path)
        if found.key is not None and (found.rest or origin.part == "key"):
            return file.between(*extent(file.layout, found.key))
        if found.rest or not origin.path:
            return file.first_line(extent(file.layout, found.value)[0])
        return file.between(*extent(file.layout, found.value))

    def lines(self, file: str) -> Sequence[str]:
        """The lines of a file without their ends; empty when it cannot be read."""
        known = self._file(file)
        return known.lines if known is not None else ()

    def text(self, origin: Origin) -> str:
        """The source of a value as typed (`0x10`, `"on"`), without anchor and tag; empty where there is none.

        An alias gives the text of what it names. The lines behind the first keep their indentation.
        """
        file = self._file(origin.file)
        root = file.layout.root(origin.document) if file is not None and not is_line(origin) else None
        if file is None or root is None:
            return ""
        found = find(root, origin.path)
        if found.rest:
            return ""
        node = found.key if origin.part == "key" and found.key is not None else found.value
        start, end = extent(file.layout, node.resolved())
        return file.text[start:end]

    def _file(self, name: str) -> _File | None:
        if name not in self._files:
            data = self.read(name)
            self._files[name] = _File(data) if data is not None else None
        return self._files[name]


_SHOWN_OF_REFUSED = 1 << 16


class _File:
    def __init__(self, data: bytes) -> None:
        # What is too large is refused unread: only its beginning is ever shown.
        self.text = decode_leniently(data if len(data) <= LARGEST_FILE else data[:_SHOWN_OF_REFUSED])
        self.lines = split_lines(self.text)
        self._broken = isinstance(decode(data), BadByte)
        self._layout: Layout | None = None
        self._starts: list[int] | None = None

    @property
    def layout(self) -> Layout:
        """Made when first asked for: excerpts alone do not need it."""
        if self._layout is None:
            self._layout = Layout(self.text, {}) if self._broken else lay_out(self.text)
        return self._layout

    def between(self, start: int, end: int) -> Span:
        """The span of a range of indices."""
        return Span(*self._place(start), *self._place(end))

    def first_line(self, start: int) -> Span:
        """From `start` to the end of its line."""
        line, column = self._place(start)
        text = self.lines[line - 1] if line <= len(self.lines) else ""
        return Span(line, column, line, max(len(text.rstrip()) + 1, column))

    def _place(self, index: int) -> tuple[int, int]:
        if self._starts is None:
            self._starts = [0, *(match.end() for match in BREAK.finditer(self.text))]
        line = bisect_right(self._starts, index)
        return line, index - self._starts[line - 1] + 1


def find(root: Node, path: Path) -> Found:
    """Follow a path from the root of a document as far as it exists, through aliases and merge keys."""
    key: Node | None = None
    node = root
    for depth, step in enumerate(path):
        entry = _entry(node.resolved(), step, [_MOST_MERGES])
        if entry is None:
            return Found(key, node, path[depth:])
        key, node = entry
    return Found(key, node, ())


def _entry(node: Node, step: str | int, budget: list[int]) -> tuple[Node | None, Node] | None:
    if isinstance(step, int):
        return node.entries[step] if node.kind == "list" and 0 <= step < len(node.entries) else None
    if node.kind != "map":
        return None
    numbers = node.find(step)
    if numbers:
        return node.entries[numbers[min(1, len(numbers) - 1)]]
    budget[0] -= 1
    if budget[0] < 0:
        return None
    for key, value in node.entries:
        if key is None or not key.is_merge():
            continue
        base = value.resolved()
        for mapping in [item.resolved() for _, item in base.entries] if base.kind == "list" else [base]:
            entry = _entry(mapping, step, budget)
            if entry is not None:
                return entry
    return None
