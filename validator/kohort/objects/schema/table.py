"""The tables: which kinds exist in which version of Kueue, and their schemas.

The files under `tables/` are written by `ci/schema_tables.py` from the definitions that Kueue ships; one file
per kind and API version. The newest version of Kueue is the base, older ones are patches on it.
"""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final

from kohort.objects.schema.decode import Decoder
from kohort.objects.schema.patch import patched

if TYPE_CHECKING:
    from kohort.objects.schema.node import SchemaNode

KUEUE_GROUP: Final = "kueue.x-k8s.io"
KUEUE_MINORS: Final = ("0.15", "0.16", "0.17", "0.18", "0.19")
_MINOR_PARTS: Final = 2


def table_for(api_version: str, kind: str, kueue: str) -> SchemaNode | None:
    """The schema of a kind in a version of Kueue.

    Args:
        api_version: group and version as written in the object, "kueue.x-k8s.io/v1beta2".
        kind: "ClusterQueue"; also "AppWrapper" of "workload.codeflare.dev/v1beta2", which is the same for all.
        kueue: version of Kueue, "0.19.1" or "0.19"; only major and minor are looked at.

    Returns:
        The root node, or None when this version of Kueue does not serve that kind and API version (also for
        versions of Kueue that are not in `KUEUE_MINORS`).
    """
    minor = _minor(kueue)
    entry = _index().get((api_version, kind))
    if entry is None or minor not in entry["kueue"]:
        return None
    return _root(entry["file"], minor)


def served(kind: str, kueue: str) -> tuple[str, ...]:
    """The API versions ("v1beta1", …, oldest first) in which a version of Kueue serves a kind; empty if none."""
    minor = _minor(kueue)
    found = [key[0] for key, entry in _index().items() if key[1] == kind and minor in entry["kueue"]]
    return tuple(sorted(api_version.partition("/")[2] for api_version in found))


def kinds(kueue: str) -> tuple[str, ...]:
    """The kinds that a version of Kueue defines (and AppWrapper), sorted."""
    minor = _minor(kueue)
    return tuple(sorted({key[1] for key, entry in _index().items() if minor in entry["kueue"]}))


def is_namespaced(api_version: str, kind: str) -> bool | None:
    """Whether objects of a kind live in a namespace; None for kinds without a table."""
    entry = _index().get((api_version, kind))
    return None if entry is None else bool(entry["namespaced"])


def _minor(kueue: str) -> str:
    return ".".join(kueue.removeprefix("v").split(".")[:_MINOR_PARTS])


@cache
def _load(name: str) -> Any:
    return json.loads((files("kohort.objects.schema") / "tables" / name).read_text(encoding="utf-8"))


@cache
def _index() -> dict[tuple[str, str], dict[str, Any]]:
    return {(entry["apiVersion"], entry["kind"]): entry for entry in _load("index.json")["tables"]}


@cache
def _root(name: str, minor: str) -> SchemaNode:
    data = _load(name)
    table = patched(data["table"], _patch_of(data, minor))
    typed = bool(data.get("typed"))
    decoder = Decoder(
        table.get("definitions", {}),
        lambda other: _shared(other, minor, typed=typed),
        typed=typed,
        parsed=bool(data.get("parsed")),
        quantity_pattern=_load("index.json")["quantityPattern"],
    )
    schema = dict(table["schema"])
    fields = dict(schema["fields"])
    status = fields.get("status")
    root = decoder.node(schema)
    if status is not None and data.get("statusSubresource"):
        thrown_away = replace(decoder, unjudged=True, _built={})
        root = replace(root, fields={**root.fields, "status": thrown_away.node(status)})
    return replace(root, root=True)


@cache
def _shared(name: str, minor: str, *, typed: bool) -> SchemaNode:
    """The root of a table that others refer to: the pod template."""
    data = _load(f"{name}.json")
    table = patched(data["table"], _patch_of(data, minor))
    decoder = Decoder(
        table.get("definitions", {}),
        lambda other: _shared(other, minor, typed=typed),
        typed=typed,
        quantity_pattern=_load("index.json")["quantityPattern"],
    )
    return decoder.node(table["schema"])


def _patch_of(data: Any, minor: str) -> list[list[Any]]:
    for older in data.get("older", []):
        if minor in older["kueue"]:
            patch: list[list[Any]] = older["patch"]
            return patch
    return []
