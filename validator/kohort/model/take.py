"""From one document to its declaration: validated by the model of its kind, with findings for what is wrong."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast

from pydantic import ValidationError

from kohort.diagnostics import Finding
from kohort.diagnostics.suggest import did_you_mean
from kohort.model.codes import finding
from kohort.model.kinds import API_VERSION, KINDS, Envelope
from kohort.model.problems import problems
from kohort.model.shown import shown
from kohort.model.taken import Document, Taken, about
from kohort.spans import Origin

if TYPE_CHECKING:
    from kohort.model.kinds.inventory import InventoryDocument


def take(document: Document) -> Taken:
    """Read one document. Never raises on bad input."""
    value, origin = document.value, Origin(document.file, document.index)
    if not isinstance(value, Mapping):
        return Taken()
    kind, version = value.get("kind"), value.get("apiVersion")
    name = _name_of(value)
    subject = f"{kind} {name}" if name else f"{kind} in {document.file}"
    if version != API_VERSION:
        text = f"{subject}: this Kohort reads {API_VERSION}, not {shown(version)}"
        return Taken(
            findings=(finding("SRC108", text, origin.child("apiVersion")),), broken=_broken(kind, name)
        )
    model = KINDS.get(kind) if isinstance(kind, str) else None
    if model is None or not isinstance(kind, str):
        near = did_you_mean(kind, KINDS) if isinstance(kind, str) else ()
        hint = f"; did you mean `{near[0]}`?" if near else ""
        text = (
            f"there is no kind {shown(kind)} in {API_VERSION}{hint}"
            if "kind" in value
            else f"a document of {API_VERSION} lacks `kind`"
        )
        at = origin.child("kind") if "kind" in value else origin.child("apiVersion", part="key")
        return Taken(findings=(finding("SRC108", text, at, help=(f"kinds: {', '.join(KINDS)}",)),))
    read, found = _validated(value, model, subject, origin)
    if read is None:
        return Taken(findings=tuple(found), broken=_broken(kind, name))
    if kind == "Inventory":
        return Taken(kind, tuple(found), inventory=cast("InventoryDocument", read))
    declared = read.declare(origin)
    return Taken(kind, tuple(found), declared=declared, about=about(kind, declared))


def _validated(
    value: Mapping[str, Any], model: type[Envelope[Any]], subject: str, origin: Origin
) -> tuple[Envelope[Any] | None, list[Finding]]:
    """The document, or None when it is unusable, and what is wrong. Unknown fields are reported and read over."""
    try:
        return model.model_validate(value), []
    except ValidationError as error:
        findings = list(problems(error, model, subject, origin))
        details = error.errors(include_url=False)
    unknown = [detail["loc"] for detail in details if detail["type"] == "extra_forbidden"]
    if len(unknown) < len(details):
        return None, findings
    try:
        return model.model_validate(_without(value, unknown)), findings
    except ValidationError as error:
        # Validation of a whole mapping runs only when its fields are right, so it may find more now; but what lacks
        # beside an unknown field is what that one was meant to be.
        parents = {origin.child(*path[:-1]).path for path in unknown}
        findings += [
            found
            for found in problems(error, model, subject, origin)
            if found.code != "SRC103" or found.primary.origin.path not in parents
        ]
        return None, findings


def _without(value: Any, paths: list[tuple[int | str, ...]]) -> Any:
    """A copy of a document without the values at these paths."""
    here = {path[0] for path in paths if len(path) == 1}
    further = {
        step: [path[1:] for path in paths if len(path) > 1 and path[0] == step]
        for step in {p[0] for p in paths}
    }
    if isinstance(value, Mapping):
        return {
            key: _without(item, further[key]) if further.get(key) else item
            for key, item in value.items()
            if key not in here
        }
    if isinstance(value, list):
        return [_without(item, further[i]) if further.get(i) else item for i, item in enumerate(value)]
    return value


def _broken(kind: Any, name: str) -> tuple[str, str] | None:
    return (kind, name) if isinstance(kind, str) and kind in KINDS and name else None


def _name_of(value: Mapping[str, Any]) -> str:
    metadata = value.get("metadata")
    name = metadata.get("name") if isinstance(metadata, Mapping) else None
    return name if isinstance(name, str) else ""
