"""The tree of a text with the place of every key and value; made only for files that have something to show."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

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

from kohort.source.dialect import TagError, key_text, resolve_plain, resolve_tagged
from kohort.source.events import events
from kohort.source.frames import MERGE
from kohort.source.recover import MOST_BROKEN, blanked, next_document
from kohort.source.values import MOST_LEVELS

Kind = Literal["scalar", "map", "list", "alias"]
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F][0-9a-fA-F]{2}")


class Place(Protocol):
    """libyaml's mark, in characters from 0."""

    index: int
    line: int
    column: int


@dataclass(slots=True, eq=False)
class Node:
    """A key or value as typed. `entries` of a mapping are (key, value), of a list (None, item).

    `style` is empty for plain scalars and block collections, otherwise the quote, `|`, `>`, `{` or `[`. An alias has its
    `target`.
    """

    kind: Kind
    start: Place
    end: Place
    style: str = ""
    value: str = ""
    tag: str | None = None
    named: bool = False  # carries an anchor
    entries: list[tuple[Node | None, Node]] = field(default_factory=list)
    target: Node | None = None
    _index: dict[str, list[int]] | None = None

    def resolved(self) -> Node:
        """The node itself, or what the alias names."""
        return self.target if self.target is not None else self

    def is_merge(self) -> bool:
        """Whether this key is the merge key."""
        return (
            self.kind == "scalar"
            and self.value == MERGE
            and not self.style
            and self.tag in {None, "tag:yaml.org,2002:merge"}
        )

    def name(self) -> str | None:
        """The text that this node is as a key."""
        node = self.resolved()
        if node.kind != "scalar":
            return None
        if node.tag not in {None, "!"}:
            try:
                return key_text(resolve_tagged(str(node.tag), node.value))
            except TagError:
                return node.value
        return node.value if node.style or node.tag == "!" else key_text(resolve_plain(node.value))

    def find(self, name: str) -> list[int]:
        """Which entries of a mapping have this key."""
        if self._index is None:
            self._index = {}
            for number, (key, _) in enumerate(self.entries):
                text = key.name() if key is not None else None
                if text is not None:
                    self._index.setdefault(text, []).append(number)
        return self._index.get(name, [])


@dataclass(slots=True)
class Layout:
    """A text and the roots of its documents by their index; broken documents are left out."""

    text: str
    documents: dict[int, Node]


def lay_out(text: str) -> Layout:
    """The layout of a text. Documents are counted as the reader counts them."""
    layout = Layout(text, {})
    source, beyond, index = text, -1, 0
    for _ in range(MOST_BROKEN):
        progress = _Progress(index, beyond)
        try:
            for number, root in _documents(source, progress):
                layout.documents[number] = root
        except MarkedYAMLError as error:
            mark = error.problem_mark or error.context_mark
            where = mark.index if mark is not None else len(source)
        except _StoppedError as stopped:
            where = stopped.index
        except YAMLError:
            return layout
        else:
            return layout
        if not layout.documents and text.lstrip()[:1] in {"{", "["} and _SURROGATE.search(text):
            # JSON may write a character as two surrogates; libyaml may not read it so. Same length, same places.
            return Layout(text, lay_out(_SURROGATE.sub(r"\\u0041", text)).documents)
        following = next_document(text, where, max(progress.start, beyond))
        if following is None:
            return layout
        source, beyond, index = blanked(text, following), following, progress.index + 1
    return layout


@dataclass(slots=True)
class _Progress:
    index: int
    start: int


class _StoppedError(Exception):
    def __init__(self, index: int) -> None:
        super().__init__(index)
        self.index = index


def _documents(source: str, progress: _Progress) -> Iterator[tuple[int, Node]]:
    next_event = events(source)
    anchors: dict[str, Node] = {}
    stack: list[tuple[Node, Node | None]] = []  # a collection and the key that waits for its value
    root: Node | None = None
    while (event := next_event()) is not None:
        kind = event.__class__
        if kind is DocumentStartEvent:
            progress.start, anchors, stack, root = event.start_mark.index, {}, [], None
        elif kind is DocumentEndEvent:
            assert root is not None
            yield progress.index, root
            progress.index += 1
            progress.start = event.end_mark.index - 1
        elif kind in {MappingEndEvent, SequenceEndEvent}:
            stack.pop()[0].end = event.end_mark
        elif (node := _node(event, anchors)) is not None:
            root = root or node
            if stack:
                _attach(stack, node)
            if node.kind in {"map", "list"}:
                if len(stack) >= MOST_LEVELS:
                    raise _StoppedError(event.start_mark.index)
                stack.append((node, None))


def _node(event: Any, anchors: dict[str, Node]) -> Node | None:
    kind, start, end = event.__class__, event.start_mark, event.end_mark
    if kind is AliasEvent:
        target = anchors.get(event.anchor)
        if target is None:
            raise _StoppedError(start.index)
        return Node("alias", start, end, value=event.anchor, target=target)
    if kind is ScalarEvent:
        node = Node("scalar", start, end, event.style or "", event.value, event.tag)
    elif kind is MappingStartEvent:
        node = Node("map", start, end, "{" if event.flow_style else "", tag=event.tag)
    elif kind is SequenceStartEvent:
        node = Node("list", start, end, "[" if event.flow_style else "", tag=event.tag)
    else:
        return None
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
