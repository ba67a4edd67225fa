"""Schemas of Kueue's kinds (0.15 to 0.19) and of AppWrapper, and what the API server does with them.

`table_for` gives the schema of a kind, `check` and `check_metadata` the verdict of the server on create with
strict field validation, `apply_defaults` the object with the defaults of the schema.
"""

from __future__ import annotations

from kohort.objects.schema.check import check
from kohort.objects.schema.default import apply_defaults
from kohort.objects.schema.metadata import check_metadata
from kohort.objects.schema.node import MISSING, SchemaNode
from kohort.objects.schema.table import KUEUE_GROUP, KUEUE_MINORS, is_namespaced, kinds, served, table_for
from kohort.objects.schema.violation import Violation, field_path

__all__ = [
    "KUEUE_GROUP",
    "KUEUE_MINORS",
    "MISSING",
    "SchemaNode",
    "Violation",
    "apply_defaults",
    "check",
    "check_metadata",
    "field_path",
    "is_namespaced",
    "kinds",
    "served",
    "table_for",
]
