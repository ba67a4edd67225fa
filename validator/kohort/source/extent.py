"""Which text belongs to a node: without its anchor and tag, without the comments and blank lines behind it."""

from __future__ import annotations

import re

from kohort.source.layout import Layout
from kohort.source.node import Node

_PROPERTY = re.compile(r"[&!][^\s,\[\]{}]*(?:\s|#[^\n\r]*)*")
_BLANKS = " \t\r\n\x85\u2028\u2029"


def extent(layout: Layout, node: Node) -> tuple[int, int]:
    """Indices of the first character of a node and of the one behind its last."""
    return begin(layout.text, node), _end(layout.text, node)


def begin(text: str, node: Node) -> int:
    """Index of the first character of the value itself, behind anchor and tag."""
    index = node.start
    if node.kind == "alias" or not (node.named or node.tag is not None):
        return index
    end = _end(text, node)
    while (match := _PROPERTY.match(text, index, max(end, index))) is not None:
        index = match.end()
    return index


def _end(text: str, node: Node) -> int:
    while node.kind in {"map", "list"} and not node.style:
        if not node.entries:
            break
        key, value = node.entries[-1]
        if key is not None and value.kind == "scalar" and value.start == value.end:
            # the empty value of a last key: up to the colon
            return max(value.end, key.end)
        node = value
    end = node.end
    if node.kind == "scalar" and node.style in {"|", ">"}:
        start = node.start
        end = start + len(text[start:end].rstrip(_BLANKS))
    return end
