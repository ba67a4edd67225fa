"""The words of an edit: in the quotes that stand there, or as JSON where the file is JSON."""

from __future__ import annotations

import json
import textwrap
from typing import Any

from yaml.error import YAMLError

from kohort.source.dialect import key_text, resolve_plain
from kohort.source.edited_values import EditError
from kohort.source.extent import extent
from kohort.source.layout import Layout, lay_out
from kohort.source.node import Node
from kohort.source.values import read_values


class Wording:
    """Reads and writes small texts for edits. In a JSON file every text is written as JSON."""

    def __init__(self, *, json_only: bool) -> None:
        self.json_only = json_only

    def value(self, text: str) -> Any:
        """What a text reads as where more lines follow."""
        try:
            read = read_values(text + "\n")
        except YAMLError as error:
            raise EditError(f"the new text is not YAML: {error}") from error
        if read.problems or len(read.documents) > 1:
            raise EditError("the new text is not one YAML value")
        return read.documents[0][1] if read.documents else None

    def name(self, text: str) -> str:
        """The key that a text reads as."""
        value = self.value(text)
        name = None if isinstance(value, dict | list) else key_text(value)
        if name is None:
            raise EditError("the new key is no text")
        return name

    def entry(self, text: str, node: Node) -> Any:
        """New entries: a mapping, or a list for text that begins with a dash or goes into a list."""
        text = textwrap.dedent(text).strip("\n")
        value = self.value(text)
        if node.kind == "list" and not text.startswith("-"):
            return [value]
        if not isinstance(value, dict | list):
            raise EditError("the new entry is neither an entry of a mapping nor of a list")
        return value

    def styled(self, node: Node, text: str) -> str:
        """`text` in the quotes of the scalar that it replaces, where that does not change what is meant.

        A quoted number stays quoted when another number takes its place; when only the quotes differ, they are the
        change that is wanted.
        """
        text = text.strip("\n")
        if self.json_only:
            return json.dumps(self.value(text), ensure_ascii=False)
        if node.kind != "scalar" or node.style not in {'"', "'"} or not _is_plain(text):
            return text
        wanted_text = isinstance(resolve_plain(text), str)
        numbers = text != node.value and not isinstance(resolve_plain(node.value), str)
        return _in_quotes(text, node.style) if wanted_text or numbers else text

    def quoted(self, layout: Layout, node: Node) -> str:
        """The source text of a plain scalar in double quotes."""
        if node.kind != "scalar" or node.style:
            raise EditError("only a scalar without quotes can be put into quotes")
        start, end = extent(layout, node)
        return json.dumps(layout.text[start:end], ensure_ascii=False)


def _is_plain(text: str) -> bool:
    """Whether a text is one scalar without quotes."""
    if "\n" in text:
        return False
    try:
        root = lay_out(text).root(0)
    except YAMLError:
        return False
    return (
        root is not None and root.kind == "scalar" and not root.style and not root.named and root.tag is None
    )


def _in_quotes(text: str, quote: str) -> str:
    return json.dumps(text, ensure_ascii=False) if quote == '"' else "'" + text.replace("'", "''") + "'"
