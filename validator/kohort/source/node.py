"""One key or value as it stands in the text."""

from __future__ import annotations

from dataclasses import field
from typing import Literal

from kohort.dataclass import dataclass
from kohort.source.dialect import TagError, key_text, resolve_plain, resolve_tagged
from kohort.source.frames import MERGE

Kind = Literal["scalar", "map", "list", "alias"]


@dataclass(slots=True, eq=False)
class Node:
    """A key or value as typed. `entries` of a mapping are (key, value), of a list (None, item).

    `style` is empty for plain scalars and block collections, otherwise the quote, `|`, `>`, `{` or `[`. An alias has its
    `target`.
    """

    kind: Kind
    start: int  # index of the first character, anchor and tag included
    end: int
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
