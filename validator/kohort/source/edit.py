"""Editing a file as a person would: the words that change, and nothing else.

Edits are changes of ranges of text, so comments, indentation, quotes and line ends around them stay. The result is read
again and compared with what the edits mean: if a single value differs from that, nothing is written.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from yaml.error import YAMLError

from kohort.diagnostics import Edit
from kohort.source import edited_values as meaning
from kohort.source.decode import Decoded, decode
from kohort.source.edited_values import EditError
from kohort.source.json_values import read_json
from kohort.source.layout import lay_out
from kohort.source.node import Node
from kohort.source.patches import Patch, Writer
from kohort.source.values import MOST_LEVELS, read_values
from kohort.source.wording import Wording
from kohort.spans import Path

_IN_PLACE = frozenset({"replace", "quote"})

__all__ = ["EditError", "apply_edits"]


def apply_edits(data: bytes, file: str, edits: Sequence[Edit]) -> bytes:
    """The bytes of `file` with all edits made, in its own encoding. Raises EditError when that is not safe.

    Origins mean the text as it is given, whatever the other edits do. Edits of one place twice, of values shared
    through an anchor or merge key, and of keys that stand twice are refused.
    """
    decoded = decode(data)
    if not isinstance(decoded, Decoded):
        raise EditError(decoded.message)
    if strangers := [edit for edit in edits if edit.origin.file != file]:
        raise EditError(f"an edit is for {strangers[0].origin.file}, not for {file}")
    try:
        text = _edited(decoded.text, list(dict.fromkeys(edits)))
    except YAMLError as error:
        raise EditError(f"the file is not YAML: {error}") from error
    return decoded.encode(text)


def _edited(text: str, edits: list[Edit]) -> str:
    wording = Wording(json_only=_is_json(text))
    expected, problems = _documents(text)
    in_place = [edit for edit in edits if edit.action in _IN_PLACE]
    text = _write(text, in_place, wording, expected)
    layout = lay_out(text)
    others = [edit for edit in edits if edit.action not in _IN_PLACE]
    # From the end of the file to its start, so that what is done later keeps its path.
    places = {id(edit): locate(layout.root(edit.origin.document), edit.origin.path)[1] for edit in others}
    others.sort(key=lambda edit: (places[id(edit)].start, len(edit.origin.path)), reverse=True)
    for edit in others:
        text = _write(text, [edit], wording, expected)
    actual, problems_left = _documents(text)
    if _canonical(actual) != _canonical(expected) or problems_left > problems:
        raise EditError("the change would alter more than it says")
    if wording.json_only and not _is_json(text):
        raise EditError("the result would not be JSON")
    return text


def _write(text: str, edits: list[Edit], wording: Wording, expected: dict[int, Any]) -> str:
    """Make edits that do not move each other's paths, and note in `expected` what they mean."""
    if not edits:
        return text
    layout = lay_out(text)
    writer = Writer(layout, wording)
    patches: list[Patch] = []
    for edit in edits:
        document, path = edit.origin.document, edit.origin.path
        if document not in expected:
            raise EditError("the document cannot be read")
        key, node = locate(layout.root(document), path)
        root = expected[document]
        meaning.at(root, path)
        match edit.action:
            case "replace" | "quote":
                words = (
                    wording.quoted(layout, node)
                    if edit.action == "quote"
                    else wording.styled(node, edit.text)
                )
                patches += writer.replace(key, node, words)
                expected[document] = meaning.replaced(root, path, wording.value(words))
            case "rename":
                if key is None:
                    raise EditError("an item of a list has no key")
                words = wording.styled(key, edit.text)
                patches += writer.rename(key, words)
                meaning.renamed(root, path, wording.name(words))
            case "insert":
                patches += writer.insert(key, node, edit.text)
                expected[document] = meaning.inserted(root, path, wording.entry(edit.text, node))
            case "delete":
                holder_key, holder = locate(layout.root(document), path[:-1])
                patches += writer.delete(holder_key, holder, node)
                meaning.deleted(root, path)
            case "move":
                meaning.moved(root, path, edit.order)
                patches += writer.move(node, edit.order)
    return _patched(text, patches)


def _patched(text: str, patches: list[Patch]) -> str:
    parts, end = [], 0
    for patch in sorted(patches, key=lambda p: (p.start, p.end)):
        if patch.start < end:
            raise EditError("two edits touch the same text")
        parts += [text[end : patch.start], patch.text]
        end = patch.end
    return "".join([*parts, text[end:]])


def locate(root: Node | None, path: Path) -> tuple[Node | None, Node]:
    """The key and value that stand at `path` themselves, not through an alias or a merge key."""
    if root is None:
        raise EditError("the document cannot be read")
    key: Node | None = None
    node = root
    for step in path:
        if node.kind == "alias":
            raise EditError("the value is shared through an anchor")
        if isinstance(step, str) and node.kind == "map":
            numbers = node.find(step)
            if len(numbers) > 1:
                raise EditError(f"the key {step} stands twice")
            if not numbers:
                shared = any(name is not None and name.is_merge() for name, _ in node.entries)
                raise EditError(
                    "the value comes through a merge key" if shared else "the place does not exist any more"
                )
            key, node = node.entries[numbers[0]]
        elif isinstance(step, int) and node.kind == "list" and 0 <= step < len(node.entries):
            key, node = node.entries[step]
        else:
            raise EditError("the place does not exist any more")
    return key, node


def _documents(text: str) -> tuple[dict[int, Any], int]:
    """The values of a text, and how many problems reading finds."""
    values = read_values(text)
    return dict(values.documents), len(values.problems)


def _canonical(documents: dict[int, Any]) -> str:
    """Text that differs where a value or its type differs."""
    return json.dumps(documents, sort_keys=True)


def _is_json(text: str) -> bool:
    try:
        read_json(text, MOST_LEVELS)
    except ValueError:
        return False
    return True
