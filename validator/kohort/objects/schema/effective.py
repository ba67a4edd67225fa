"""Whether Kueue's defaulting webhook rewrites an object before the schema judges it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kohort.objects.schema.node import SchemaNode

RESOURCE_IN_USE: Final = "kueue.x-k8s.io/resource-in-use"


def effective(value: Mapping[str, Any], table: SchemaNode) -> SchemaNode:
    """The schema that applies to `value`.

    The webhooks of ClusterQueue and ResourceFlavor add a finalizer. An object that has it already, such as
    one dumped from a cluster, is not changed by them and reaches the schema as it was written.
    """
    if table.as_written is None or not isinstance(value, dict):
        return table
    meta = value.get("metadata")
    finalizers = meta.get("finalizers") if isinstance(meta, dict) else None
    has_it = isinstance(finalizers, list) and RESOURCE_IN_USE in finalizers
    return table.as_written if has_it else table
