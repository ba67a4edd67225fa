"""The check of an object against the schema of its kind."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kohort.objects.schema.effective import effective
from kohort.objects.schema.embedded import check_embedded
from kohort.objects.schema.quick import certainly_right
from kohort.objects.schema.report import visit

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kohort.objects.schema.node import SchemaNode
    from kohort.objects.schema.violation import Violation


def check(value: Mapping[str, Any], table: SchemaNode) -> list[Violation]:
    """What the API server has against `value` on create, with strict field validation.

    Args:
        value: the whole object as plain values (dict, list, str, int, float, bool, None).
        table: the root of the schema of its kind, from `table_for`.

    Returns:
        Violations in the order of the object; empty when the schema has nothing against it. The metadata is
        judged by `check_metadata`, CEL rules and webhooks by the rules of each kind.
    """
    table = effective(value, table)
    if certainly_right(value, table):
        return []
    out: list[Violation] = []
    visit(value, table, (), out, check_embedded)
    return out
