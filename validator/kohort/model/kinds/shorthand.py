"""A plain value that stands for a mapping with one field: `every: 5m` for `every: {constant: 5m}`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import GetJsonSchemaHandler, ValidationError, ValidatorFunctionWrapHandler
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, PydanticCustomError, PydanticKnownError


def plain_for(field: str, value: Any, read: ValidatorFunctionWrapHandler) -> Any:
    """Read a plain value as the field; what is wrong with it is said where it stands, without the field's name."""
    if isinstance(value, Mapping):
        return read(value)
    try:
        return read({field: value})
    except ValidationError as error:
        detail = error.errors(include_url=False)[0]
        context = detail.get("ctx", {})
        if detail["type"] == "kohort":
            raise PydanticCustomError("kohort", "{text}", context) from None
        raise PydanticKnownError(detail["type"], context) from None  # type: ignore[arg-type]


def plain_or_mapping(field: str, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
    """The JSON Schema: what the field takes, or the mapping."""
    mapping = handler(schema)
    whole = handler.resolve_ref_schema(mapping)["properties"][field]
    plain = [
        {key: item for key, item in arm.items() if key not in ("description", "examples", "default")}
        for arm in whole.get("anyOf", [whole])
        if arm.get("type") != "null"
    ]
    return {"anyOf": [*plain, mapping]}
