"""Files that Kohort brings along for new repositories: workload templates and JSON Schemas."""

from __future__ import annotations

import json
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path

from kohort.model.schema import schemas

# In a checkout the templates are the example organisation's own; a built distribution carries a copy of them.
_PACKAGED = files("kohort") / "shipped" / "templates"
_CHECKOUT = Path(__file__).resolve().parents[3] / "workloads" / "templates"


def templates() -> Mapping[str, str]:
    """The shipped workload templates by their path in a repository."""
    folder = _CHECKOUT if _CHECKOUT.is_dir() else _PACKAGED
    return {
        f"workloads/templates/{entry.name}": entry.read_text(encoding="utf-8")
        for entry in sorted(folder.iterdir(), key=lambda e: e.name)
        if entry.name.endswith(".yaml")
    }


def schema_files() -> Mapping[str, str]:
    """The JSON Schemas that the first line of each declaration points to."""
    return {
        f"ci/schemas/{name}": json.dumps(schema, indent=2, ensure_ascii=False) + "\n"
        for name, schema in sorted(schemas().items())
    }
