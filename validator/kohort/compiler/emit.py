"""Canonical YAML of compiled objects: one form per value, so that the same objects are always the same bytes.

Order of keys, at every level: `apiVersion`, `kind`, `metadata`, `name`, `namespace`, `labels`, `annotations`, then
the alphabet. Block style, lists not indented under their key, no anchors, no folding; texts of several lines as
literal blocks. Own code because dumpers cost more than all the rest of compiling.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from kohort.compiler.bundle import Bundle
from kohort.compiler.scalar import literal_lines, other_scalar, text_scalar
from kohort.objects.kube import KubeObject

HEADER: Final = "# Compiled by kohort"
_FIRST: Final = ("apiVersion", "kind", "metadata", "name", "namespace", "labels", "annotations")
_RANK: Final = {key: rank for rank, key in enumerate(_FIRST)}
_LAST: Final = len(_FIRST)
_MAX_ORDERS: Final = 4096  # sets of keys remembered; objects of one kind share theirs
_MAX_SIMPLE_KEY: Final = 1000  # YAML wants longer keys marked with `?`
_NAMED_FILES: Final = 2

_orders: dict[tuple[Any, ...], tuple[tuple[Any, str], ...]] = {}


def emit(objects: Sequence[KubeObject]) -> bytes:
    """One file: a header that names the sources, then one document per object."""
    out = [f"{HEADER} from {_sources(objects)}. Do not edit.\n"]
    for obj in objects:
        out.append("---\n")
        _mapping(obj.data, "", "", out)
    return "".join(out).encode("utf-8", "replace")


def render_files(bundle: Bundle) -> dict[str, bytes]:
    """All files of all clusters by path, in order of path."""
    files = {path: objects for built in bundle.clusters.values() for path, objects in built.files.items()}
    return {path: emit(files[path]) for path in sorted(files)}


def document(value: Mapping[str, Any]) -> str:
    """One mapping as YAML text, for configuration files inside ConfigMaps."""
    out: list[str] = []
    _mapping(value, "", "", out)
    return "".join(out)


def _sources(objects: Sequence[KubeObject]) -> str:
    files = sorted({obj.at().file for obj in objects})
    if len(files) <= _NAMED_FILES:
        return " and ".join(files) or "nothing"
    # Many files: their top folders, so that one more team does not change the header.
    tops = sorted({f"{file.partition('/')[0]}/" if "/" in file else file for file in files})
    return ", ".join(tops)


def _order(value: Mapping[Any, Any]) -> tuple[tuple[Any, str], ...]:
    """The keys in order, each with its text and colon. Sets of keys repeat, so their order is remembered."""
    keys = tuple(value)
    known = _orders.get(keys)
    if known is None:
        ordered = sorted(keys, key=lambda key: (_RANK.get(key, _LAST), str(key)))
        known = tuple((key, f"{_key(key)}:") for key in ordered)
        # 1 and True are one key to a dict but two texts, so only sets of strings are remembered.
        if len(_orders) < _MAX_ORDERS and all(type(key) is str for key in keys):
            _orders[keys] = known
    return known


def _key(key: Any) -> str:
    return text_scalar(key) if type(key) is str else other_scalar(key)


def _mapping(value: Mapping[Any, Any], lead: str, pad: str, out: list[str]) -> None:
    """Lines of a non-empty mapping: the first begins with `lead`, the others with `pad`."""
    deeper = f"{pad}  "
    for key, name in _order(value):
        item = value[key]
        kind = type(item)
        head = f"{lead}{name}" if len(name) <= _MAX_SIMPLE_KEY else f"{lead}? {name[:-1]}\n{pad}:"
        lead = pad
        if kind is str:
            if "\n" in item:
                _text(item, head, pad, out)
            else:
                out.append(f"{head} {text_scalar(item)}\n")
        elif kind is dict or isinstance(item, Mapping):
            if item:
                out.append(f"{head}\n")
                _mapping(item, deeper, deeper, out)
            else:
                out.append(f"{head} {{}}\n")
        elif kind is list or kind is tuple:
            if item:
                out.append(f"{head}\n")
                _list(item, pad, pad, out)
            else:
                out.append(f"{head} []\n")
        else:
            out.append(f"{head} {other_scalar(item)}\n")


def _list(value: Sequence[Any], lead: str, pad: str, out: list[str]) -> None:
    """Lines of a non-empty list whose dashes stand at `pad`; the first line begins with `lead`."""
    deeper = f"{pad}  "
    for item in value:
        kind = type(item)
        if kind is str:
            _text(item, f"{lead}-", pad, out)
        elif kind is dict or isinstance(item, Mapping):
            if item:
                _mapping(item, f"{lead}- ", deeper, out)
            else:
                out.append(f"{lead}- {{}}\n")
        elif kind is list or kind is tuple:
            if item:
                _list(item, f"{lead}- ", deeper, out)
            else:
                out.append(f"{lead}- []\n")
        else:
            out.append(f"{lead}- {other_scalar(item)}\n")
        lead = pad


def _text(text: str, head: str, pad: str, out: list[str]) -> None:
    """A string after its key or dash."""
    block = literal_lines(text) if "\n" in text else None
    if block is None:
        out.append(f"{head} {text_scalar(text)}\n")
        return
    indicator, lines = block
    out.append(f"{head} {indicator}\n")
    out.extend(f"{pad}  {line}\n" if line else "\n" for line in lines)
