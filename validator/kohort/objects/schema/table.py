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
# Since controller-runtime 0.23 an object that a defaulting webhook does not change is not written back.
_ALWAYS_REWRITTEN: Final = ("0.15",)
_BEFORE_THE_SCHEMA: Final = ("defaults", "reads")


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
    return _served(kind, _minor(kueue))


@cache
def _served(kind: str, minor: str) -> tuple[str, ...]:
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


@cache
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
    webhook = data.get("webhook", "")
    if webhook == "defaults":
        as_written = (
            None if minor in _ALWAYS_REWRITTEN else _judged(name, minor, decoded=True, rewritten=False)
        )
        return replace(_judged(name, minor, decoded=True, rewritten=True), as_written=as_written)
    return _judged(
        name, minor, decoded=bool(webhook), rewritten=webhook == "reads" and minor in _ALWAYS_REWRITTEN
    )


def _judged(name: str, minor: str, *, decoded: bool, rewritten: bool) -> SchemaNode:
    """The root of a kind whose objects have gone, or not, through a webhook before they are judged."""
    data = _load(name)
    table = patched(data["table"], _patch_of(data, minor))
    decoder = _decoder(table, minor, decoded=decoded, rewritten=rewritten)
    root = decoder.node(table["schema"])
    status = table["schema"]["fields"].get("status")
    if status is not None and data.get("statusSubresource"):
        # Only a webhook that comes before the server throws the status away still reads it.
        before = data.get("webhook", "") in _BEFORE_THE_SCHEMA
        thrown_away = replace(decoder, unjudged=True, decoded=decoded and before, _built={})
        root = replace(root, fields={**root.fields, "status": thrown_away.node(status)})
    return replace(root, root=True)


@cache
def _shared(name: str, minor: str, *, decoded: bool, rewritten: bool) -> SchemaNode:
    """The root of a table that others refer to: the pod template."""
    data = _load(f"{name}.json")
    table = patched(data["table"], _patch_of(data, minor))
    return _decoder(table, minor, decoded=decoded, rewritten=rewritten).node(table["schema"])


def _decoder(table: Any, minor: str, *, decoded: bool, rewritten: bool) -> Decoder:
    return Decoder(
        table.get("definitions", {}),
        lambda other: _shared(other, minor, decoded=decoded, rewritten=rewritten),
        decoded=decoded,
        rewritten=rewritten,
        quantity_pattern=_load("index.json")["quantityPattern"],
    )


def _patch_of(data: Any, minor: str) -> list[list[Any]]:
    for older in data.get("older", []):
        if minor in older["kueue"]:
            patch: list[list[Any]] = older["patch"]
            return patch
    return []
