"""The tree of a document with the place of every key and value; made only for documents that have something to show."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import field
from typing import Any

from yaml.error import MarkedYAMLError, YAMLError
from yaml.events import (
    AliasEvent,
    DocumentEndEvent,
    DocumentStartEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
)

from kohort.dataclass import dataclass
from kohort.source.collector import no_collection
from kohort.source.events import events
from kohort.source.node import Node
from kohort.source.recover import MOST_BROKEN, blanked, next_document
from kohort.source.values import MOST_LEVELS

_SURROGATE = re.compile(r"\\u[dD][89a-fA-F][0-9a-fA-F]{2}")


@dataclass(slots=True)
class Layout:
    """A text and where its documents begin and end; trees are made when asked for."""

    text: str
    bounds: dict[int, tuple[int, int]]
    _source: str = ""
    _roots: dict[int, Node | None] = field(default_factory=dict)

    def root(self, document: int) -> Node | None:
        """The tree of a document, counted as the reader counts them; None where it is broken or missing."""
        if document not in self._roots:
            bounds = self.bounds.get(document)
            self._roots[document] = None
            if bounds is not None:
                with suppress(YAMLError), no_collection():
                    self._roots[document] = _tree((self._source or self.text)[slice(*bounds)], bounds[0])
        return self._roots[document]


def lay_out(text: str) -> Layout:
    """The layout of a text. A document may be asked for before it is known whether it can be read."""
    layout = Layout(text, _bounds(text))
    if not layout.bounds and text.lstrip()[:1] in {"{", "["} and _SURROGATE.search(text):
        # JSON may write a character as two surrogates; libyaml may not read it so. Same length, same places.
        source = _SURROGATE.sub(r"\\u0041", text)
        layout = Layout(text, _bounds(source), source)
    return layout


def _bounds(text: str) -> dict[int, tuple[int, int]]:
    """Where each readable document begins and ends."""
    found: dict[int, tuple[int, int]] = {}
    source, beyond, index = text, -1, 0
    for _ in range(MOST_BROKEN):
        scan = _Scan(index, beyond)
        try:
            scan.run(source, found)
        except MarkedYAMLError as error:
            mark = error.problem_mark or error.context_mark
            where = mark.index if mark is not None else len(source)
        except _StoppedError as stopped:
            where = stopped.index
        except YAMLError:
            break
        else:
            break
        following = next_document(text, where, max(scan.start, beyond))
        if following is None:
            break
        source, beyond, index = blanked(text, following), following, scan.index + 1
    return found


class _StoppedError(Exception):
    """The reader refuses the document here."""

    def __init__(self, index: int) -> None:
        super().__init__(index)
        self.index = index


class _Scan:
    """Finds the bounds of documents as the reader sees them; `index` is the next document's number."""

    def __init__(self, index: int, start: int) -> None:
        self.index = index
        self.start = start

    def run(self, source: str, found: dict[int, tuple[int, int]]) -> None:
        """Note in `found` where each document begins and ends; raises where the reader would refuse one."""
        next_event = events(source)
        anchors: set[str] = set()
        level = 0
        while (event := next_event()) is not None:
            kind = event.__class__
            if kind is ScalarEvent:
                if event.anchor is not None:
                    anchors.add(event.anchor)
            elif kind is MappingStartEvent or kind is SequenceStartEvent:
                level += 1
                if level > MOST_LEVELS:
                    raise _StoppedError(event.start_mark.index)
                if event.anchor is not None:
                    anchors.add(event.anchor)
            elif kind is MappingEndEvent or kind is SequenceEndEvent:
                level -= 1
            elif kind is AliasEvent:
                if event.anchor not in anchors:
                    raise _StoppedError(event.start_mark.index)
            elif kind is DocumentStartEvent:
                # the first document keeps its directives and its indentation
                self.start = event.start_mark.index
                begin = event.start_mark.index - event.start_mark.column if found or self.index else 0
                anchors, level = set(), 0
            elif kind is DocumentEndEvent:
                found[self.index] = (begin, event.end_mark.index)
                self.index += 1
                self.start = event.end_mark.index - 1


def _tree(source: str, offset: int) -> Node | None:
    """The tree of the first document of a text; indices count from `offset`."""
    next_event = events(source)
    anchors: dict[str, Node] = {}
    stack: list[tuple[Node, Node | None]] = []  # a collection and the key that waits for its value
    root: Node | None = None
    while (event := next_event()) is not None:
        kind = event.__class__
        if kind is DocumentEndEvent:
            return root
        if kind is MappingEndEvent or kind is SequenceEndEvent:
            stack.pop()[0].end = event.end_mark.index + offset
            continue
        node = _node(event, anchors, offset)
        if node is None:
            continue
        root = root or node
        if stack:
            _attach(stack, node)
        if node.kind in {"map", "list"}:
            stack.append((node, None))
    return None


def _node(event: Any, anchors: dict[str, Node], offset: int) -> Node | None:
    kind = event.__class__
    if kind not in {AliasEvent, ScalarEvent, MappingStartEvent, SequenceStartEvent}:
        return None
    start, end = event.start_mark.index + offset, event.end_mark.index + offset
    if kind is AliasEvent:
        return Node("alias", start, end, value=event.anchor, target=anchors.get(event.anchor))
    if kind is ScalarEvent:
        node = Node("scalar", start, end, event.style or "", event.value, event.tag)
    elif kind is MappingStartEvent:
        node = Node("map", start, end, "{" if event.flow_style else "", tag=event.tag)
    else:
        node = Node("list", start, end, "[" if event.flow_style else "", tag=event.tag)
    if event.anchor is not None:
        node.named = True
        anchors[event.anchor] = node
    return node


def _attach(stack: list[tuple[Node, Node | None]], node: Node) -> None:
    holder, key = stack[-1]
    if holder.kind == "list":
        holder.entries.append((None, node))
    elif key is None:
        stack[-1] = (holder, node)
    else:
        holder.entries.append((key, node))
        stack[-1] = (holder, None)
