"""JSON Schemas of the source language, for editors."""

from __future__ import annotations

from typing import Any

from pydantic.json_schema import GenerateJsonSchema

from kohort.model.kinds import API_VERSION, KINDS

_DIALECT = "https://json-schema.org/draft/2020-12/schema"


def schemas() -> dict[str, dict[str, Any]]:
    """One schema per kind by file name (`team.schema.json`), and `kohort.schema.json` for any kind.

    Draft 2020-12. `$id` is the file name, so that they refer to each other wherever they lie.
    """
    files = {f"{kind.lower()}.schema.json": _schema(kind) for kind in KINDS}
    files["kohort.schema.json"] = {
        "$schema": _DIALECT,
        "$id": "kohort.schema.json",
        "title": f"Any document of {API_VERSION}",
        "type": "object",
        "required": ["kind"],
        "properties": {"kind": {"enum": list(KINDS)}},
        "allOf": [
            {
                "if": {"properties": {"kind": {"const": kind}}, "required": ["kind"]},
                "then": {"$ref": f"{kind.lower()}.schema.json"},
            }
            for kind in KINDS
        ],
    }
    return files


class _Quiet(GenerateJsonSchema):
    """Schemas without what pydantic adds for its own sake."""

    def field_title_should_be_set(self, schema: Any) -> bool:  # noqa: ARG002
        """Titles would only repeat the names of the fields."""
        return False


def _schema(kind: str) -> dict[str, Any]:
    model = KINDS[kind]
    schema = model.model_json_schema(by_alias=True, mode="validation", schema_generator=_Quiet)
    schema.pop("title", None)
    for definition in schema.get("$defs", {}).values():
        definition.pop("title", None)
    return {
        "$schema": _DIALECT,
        "$id": f"{kind.lower()}.schema.json",
        "title": f"{kind} ({API_VERSION})",
        **schema,
    }
