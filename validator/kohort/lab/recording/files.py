"""Trace files: several YAML documents, one trace each, compact and still readable."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import yaml

from kohort.simulator.replay.trace import Trace
from kohort.simulator.replay.writing import plain

_Base: Any = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
_FLOW = frozenset({"object", "configuration", "features"})


class _Line(dict[str, Any]):
    """A mapping that is written on one line, with all it holds."""


class _Items(list[Any]):
    """A list that is written on one line."""


class _Dumper(_Base):  # type: ignore[misc]
    def ignore_aliases(self, data: Any) -> bool:  # noqa: ARG002 - a value that occurs twice is written twice
        return True


_Dumper.add_representer(
    _Line,
    lambda dumper, data: dumper.represent_mapping("tag:yaml.org,2002:map", data.items(), flow_style=True),
)
_Dumper.add_representer(
    _Items, lambda dumper, data: dumper.represent_sequence("tag:yaml.org,2002:seq", data, flow_style=True)
)


def text(traces: Iterable[Trace]) -> str:
    """Return the file's text."""
    documents = [_shaped(plain(trace)) for trace in traces]
    return yaml.dump_all(
        documents, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=160, explicit_start=True
    )


def write(path: Path, traces: Iterable[Trace]) -> None:
    """Write a file, and its folder when it is absent."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text(traces), encoding="utf-8")


def _shaped(document: dict[str, Any]) -> dict[str, Any]:
    for key in _FLOW & document.keys():
        document[key] = _line(document[key])
    document["objects"] = [_line(each) for each in document["objects"]]
    if "start" in document:
        document["start"] = _fields(document["start"])
    for step in document["steps"]:
        if "object" in step:
            step["object"] = _line(step["object"])
        for key in ("after", "alsoSeen"):
            if key in step:
                step[key] = _fields(step[key])
        if "podsets" in step:
            step["podsets"] = _line(step["podsets"])
    if "runs" in document:
        document["runs"] = [[_fields(after) for after in run] for run in document["runs"]]
    return document


def _fields(after: Mapping[str, Any]) -> Any:
    return {key: _line(value) for key, value in after.items()} or _Line()


def _line(value: Any) -> Any:
    if isinstance(value, Mapping):
        return _Line(value)
    return _Items(value) if isinstance(value, list) else value
