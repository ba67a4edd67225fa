"""Each kind of edit as changes of ranges of text."""

from __future__ import annotations

import json
import re
import textwrap
from dataclasses import dataclass
from typing import NoReturn

from kohort.source.edited_values import EditError
from kohort.source.extent import begin, extent
from kohort.source.layout import Layout, lay_out
from kohort.source.node import Node
from kohort.source.slots import Slot, behind_break, line_end, line_start, slots, with_comments
from kohort.source.wording import Wording

_STEP = 2  # spaces of one level where the file shows none
_COMMA = re.compile(r"\s*,[ \t]*")


@dataclass(frozen=True, slots=True)
class Patch:
    """`text` in place of what stands from `start` to `end`."""

    start: int
    end: int
    text: str


class Writer:
    """Patches for one state of a text."""

    def __init__(self, layout: Layout, wording: Wording) -> None:
        self._layout = layout
        self._text = layout.text
        self._wording = wording
        self._break = "\r\n" if "\r\n" in layout.text else "\n"

    def replace(self, key: Node | None, node: Node, words: str) -> list[Patch]:
        """Other words for a value."""
        start, end = extent(self._layout, node)
        if _is_block(words):
            if key is None:
                return [Patch(start, end, self._indented(words, self._column(start), first=False))]
            return [
                Patch(
                    self._behind_colon(key, node),
                    end,
                    self._lines(words, self._column(key.start) + _STEP),
                )
            ]
        if words[:1] in {"|", ">"} and "\n" in words:
            column = self._column(key.start if key is not None else start)
            words = self._indented(words, column, first=False)
        if node.kind in {"map", "list"} and not node.style and key is not None:
            return [Patch(self._behind_colon(key, node), end, " " + words)]
        if start == end:  # an empty value
            return [Patch(start, end, words if self._text[start - 1 : start].isspace() else " " + words)]
        return [Patch(start, end, words)]

    def rename(self, key: Node, words: str) -> list[Patch]:
        """Another key."""
        if key.kind != "scalar" or "\n" in words:
            _refuse("the key cannot be renamed")
        return [Patch(*extent(self._layout, key), words)]

    def insert(self, key: Node | None, node: Node, text: str) -> list[Patch]:
        """A new last entry."""
        entry = textwrap.dedent(text).strip("\n")
        if node.kind == "list" and not entry.startswith("-"):
            entry = "- " + self._indented(entry, 2, first=False)
        if node.entries and node.style:
            return [self._insert_in_flow(node, entry)]
        if node.entries:
            last = slots(self._layout, node)[-1]
            column = self._column(slots(self._layout, node)[0].start)
            return [Patch(last.line_end, last.line_end, self._lines(entry, column))]
        start, end = extent(self._layout, node)
        empty = start == end or node.style or self._text[start:end] in {"~", "null"}
        if not empty or node.kind == "alias":
            _refuse("the value is neither a mapping nor a list")
        if key is None or self._wording.json_only:
            return [Patch(start, end, self._enclosed(entry))]
        if entry.startswith("-") != (node.kind == "list") and node.kind != "scalar":
            _refuse("the new entry does not fit into what stands there")
        line = line_end(self._text, end)
        lines = Patch(line, line, self._lines(entry, self._column(key.start) + _STEP))
        return [Patch(self._behind_colon(key, node), end, ""), lines]

    def delete(self, key: Node | None, holder: Node, node: Node) -> list[Patch]:
        """Take an entry out of `holder`, whose own key is `key`."""
        number = next(n for n, (_, value) in enumerate(holder.entries) if value is node)
        places = slots(self._layout, holder)
        slot = places[number]
        if holder.style:
            return [self._delete_in_flow(places, number)]
        if len(places) == 1:
            return self.replace(key, holder, "{}" if holder.kind == "map" else "[]")
        if slot.alone:
            start, end = line_start(self._text, slot.start), behind_break(self._text, slot.line_end)
            if slot.line_end == len(self._text):  # the last line has no break of its own: take the one above
                start = start - 2 if self._text.startswith("\r\n", start - 2) else max(start - 1, 0)
            return [Patch(start, end, "")]
        if number + 1 == len(places) or self._text[slot.end : places[number + 1].start].strip():
            _refuse("a comment stands between this entry and the next")
        return [Patch(slot.start, places[number + 1].start, "")]

    def move(self, node: Node, order: tuple[int, ...]) -> list[Patch]:
        """The items of a list in another order; comments directly above an item go with it."""
        places = slots(self._layout, node)
        if node.style:
            ranges = [(slot.start, slot.end) for slot in places]
        else:
            starts = [with_comments(self._text, slot) for slot in places]
            if starts and all(
                start == slot.start for start, slot in zip(starts[1:], places[1:], strict=True)
            ):
                starts[0] = places[0].start  # a lone comment above the first item speaks of the list
            ranges = [(start, slot.line_end) for start, slot in zip(starts, places, strict=True)]
        texts = [self._text[start:end] for start, end in ranges]
        if not node.style and any(not slot.alone for slot in places) and any("\n#" in text for text in texts):
            _refuse("comments stand between the items")
        return [Patch(*ranges[place], texts[index]) for place, index in enumerate(order) if place != index]

    def _insert_in_flow(self, node: Node, entry: str) -> Patch:
        places = slots(self._layout, node)
        last = places[-1]
        words = self._one_line(entry, node)
        separator = ", "
        if last.alone and len(places) > 1:
            separator = "," + self._break + " " * self._column(last.start)
        elif last.alone:
            separator = "," + self._break + self._text[line_start(self._text, last.start) : last.start]
        return Patch(last.end, last.end, separator + words)

    def _delete_in_flow(self, places: list[Slot], number: int) -> Patch:
        slot = places[number]
        if number > 0:
            return Patch(places[number - 1].end, slot.end, "")
        if len(places) == 1:
            comma = _COMMA.match(self._text, slot.end)
            return Patch(slot.start, comma.end() if comma else slot.end, "")
        return Patch(slot.start, places[1].start, "")

    def _one_line(self, entry: str, node: Node) -> str:
        """An entry as it is written between braces or brackets."""
        value = self._wording.entry(entry, node)
        if self._wording.json_only:
            words = json.dumps(value, ensure_ascii=False)
            return words[1:-1]
        words = entry.removeprefix("-").strip() if node.kind == "list" else entry
        if "\n" in words:
            _refuse("several lines do not fit between braces")
        if node.kind == "list" and _is_block(words):
            words = "{" + words + "}"
        return words

    def _enclosed(self, entry: str) -> str:
        """An entry as a whole new collection in flow style."""
        value = self._wording.value(entry)
        if self._wording.json_only:
            return json.dumps(value, ensure_ascii=False)
        if "\n" in entry:
            _refuse("several lines do not fit between braces")
        return "[" + entry.removeprefix("-").strip() + "]" if isinstance(value, list) else "{" + entry + "}"

    def _behind_colon(self, key: Node, node: Node) -> int:
        if node.named or node.tag is not None:
            _refuse("the value carries an anchor or a tag")
        start = begin(self._text, node)
        colon = self._text.find(":", key.end, max(start, key.end + 1))
        if colon < 0 or "#" in self._text[colon:start]:
            _refuse("a comment stands between the key and its value")
        return colon + 1

    def _column(self, index: int) -> int:
        return index - line_start(self._text, index)

    def _lines(self, text: str, column: int) -> str:
        return self._break + self._indented(text, column, first=True)

    def _indented(self, text: str, column: int, *, first: bool) -> str:
        lines = text.split("\n")
        margin = " " * column
        shifted = [margin + line if line.strip() and (first or n) else line for n, line in enumerate(lines)]
        return self._break.join(shifted)


def _is_block(words: str) -> bool:
    """Whether a text is a mapping or list that needs lines of its own."""
    root = lay_out(words).root(0)
    return root is not None and root.kind in {"map", "list"} and not root.style


def _refuse(why: str) -> NoReturn:
    raise EditError(why)
