"""What pydantic found wrong in a document, said in our own words and placed where it was typed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from kohort.diagnostics import Edit, Finding, Fix
from kohort.diagnostics.suggest import did_you_mean
from kohort.model.codes import finding
from kohort.model.fieldtree import choices, fields_of, view_at
from kohort.model.shown import found, shown
from kohort.objects.names import visible
from kohort.objects.podset import value_at
from kohort.spans import Origin, Path, show_path

if TYPE_CHECKING:
    from pydantic import BaseModel, ValidationError
    from pydantic_core import ErrorDetails

_TYPES = {
    "string_type": "text",
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "float_type": "a number",
    "bool_type": "true or false",
    "list_type": "a list",
    "dict_type": "a mapping",
    "model_type": "a mapping",
    "model_attributes_type": "a mapping",
}
_BEYOND_COUNTING = 2**63  # whole numbers so large are read as everybody reads them, with a fraction
# pydantic bounds: type → (words, name of the bound in the error's context)
_BOUNDS = {
    "greater_than_equal": ("is below {}", "ge"),
    "less_than_equal": ("is above {}", "le"),
    "too_short": ("is empty", "min_length"),
    "string_too_short": ("is empty", "min_length"),
    "too_long": ("has more than {} entries", "max_length"),
    "string_too_long": ("has more than {} characters", "max_length"),
    "int_parsing_size": ("is too large", ""),
}
_PATTERNS = {
    "versions": "is no version: write it in full, such as 0.19.1",
    "parameters": "is no name of a parameter: letters, digits and `_`, a letter first",
}


def problems(
    error: ValidationError, model: type[BaseModel], subject: str, origin: Origin
) -> Iterator[Finding]:
    """Findings for all errors of one document, in the order of pydantic, which is that of the fields.

    A misspelt field is one defect: that the right one is missing is not said as well.
    """
    details = error.errors(include_url=False)
    meant = set()
    for detail in details:
        if detail["type"] == "extra_forbidden":
            path = _path(detail["loc"])
            meant |= {(path[:-1], near) for near in did_you_mean(str(path[-1]), _known(model, path[:-1]))[:1]}
    for detail in details:
        path = _path(detail["loc"])
        if detail["type"] != "missing" or (path[:-1], path[-1]) not in meant:
            yield _problem(detail, model, subject, origin)


def _known(model: type[BaseModel], path: Path) -> list[str]:
    """The fields that a mapping takes."""
    view = view_at(model, path)
    return list(fields_of(view.model)) if view is not None and view.model is not None else []


def _problem(detail: ErrorDetails, model: type[BaseModel], subject: str, origin: Origin) -> Finding:
    kind, path, value = detail["type"], _path(detail["loc"]), detail.get("input")
    context: Mapping[str, Any] = detail.get("ctx", {})
    if kind == "extra_forbidden":
        return _unknown_field(model, path, subject, origin)
    if kind == "missing":
        return _missing(f"`{path[-1]}`", path[:-1], subject, origin)
    if kind == "invalid_key":
        text = f"{subject}: the key {shown(value)} in {_place(path[:-1])} must be text"
        return finding(
            "SRC102", text, origin.child(*path, part="key"), subject=subject, help=("write it in quotes",)
        )
    if kind == "literal_error":
        view = view_at(model, path)
        return _not_allowed(choices(view.type) if view else (), value, path, subject, origin)
    if kind == "kohort":
        return _own(context, path, value, subject, origin)
    if _TYPES.get(kind) == "a whole number" and isinstance(value, float) and abs(value) >= _BEYOND_COUNTING:
        return _bad_value("is too large for a count", value, path, subject, origin)
    if kind in _TYPES:
        return _wrong_type(_TYPES[kind], value, path, subject, origin)
    if kind in _BOUNDS:
        words, bound = _BOUNDS[kind]
        return _bad_value(words.format(context.get(bound, "")), value, path, subject, origin)
    words = "is badly written"
    if kind == "string_pattern_mismatch":
        words = next((text for step, text in _PATTERNS.items() if step in path), words)
    return _bad_value(words, value, path, subject, origin)


def _path(loc: tuple[int | str, ...]) -> Path:
    return tuple(step for step in loc if step != "[key]")


def _place(path: Path) -> str:
    return show_path(path) or "the document"


def _own(context: Mapping[str, Any], path: Path, value: Any, subject: str, origin: Origin) -> Finding:
    """One of the errors that the models raise themselves; its text depends on the code (`base.problem`)."""
    code, text, at = str(context["code"]), str(context["text"]), tuple(context["at"])
    value = value_at(value, at)
    path = (*path, *at)
    if code == "SRC103":
        return _missing(text, path, subject, origin)
    if code == "SRC102":
        return _wrong_type(text, value, path, subject, origin)
    if code == "SRC104":
        if at and not isinstance(value, str):  # a key of a mapping, not a value
            return _not_allowed(tuple(text.split("|")), path[-1], path, subject, origin, part_key=True)
        return _not_allowed(tuple(text.split("|")), value, path, subject, origin)
    if code == "SRC106":
        return finding(
            "SRC106",
            f"{subject}: {_place(path)} {shown(value)} {text}",
            origin.child(*path),
            subject=subject,
            help=_plainer(value),
        )
    return _bad_value(text, value, path, subject, origin)


def _plainer(value: Any) -> tuple[str, ...]:
    """A valid name close to the one that was typed."""
    text = re.sub(r"[^a-z0-9.]+", "-", str(value).lower()).strip("-.")
    return (f"`{text}` would be a name",) if text and text != value else ()


def _unknown_field(model: type[BaseModel], path: Path, subject: str, origin: Origin) -> Finding:
    name, place = str(path[-1]), _place(path[:-1])
    known = _known(model, path[:-1])
    near = did_you_mean(name, known)
    hint = f"; did you mean `{near[0]}`?" if near else ""
    at = origin.child(*path, part="key")
    fix = Fix(f"rename it to `{near[0]}`", (Edit("rename", at, near[0]),), safe=False) if near else None
    return finding(
        "SRC101",
        f"{subject}: {place} has no field `{visible(name)}`{hint}",
        at,
        subject=subject,
        help=(f"fields of {place}: {', '.join(known)}",) if known else (),
        fix=fix,
    )


def _missing(what: str, path: Path, subject: str, origin: Origin) -> Finding:
    at = origin.child(*path, part="key" if path and isinstance(path[-1], str) else "value")
    return finding("SRC103", f"{subject}: {_place(path)} lacks {what}", at, subject=subject)


def _wrong_type(wanted: str, value: Any, path: Path, subject: str, origin: Origin) -> Finding:
    help_: tuple[str, ...] = ()
    if wanted in ("text", "a name") and isinstance(value, (bool, int, float)):
        help_ = ("YAML reads it as another type; write it in quotes",)
    if wanted == "a list" and isinstance(value, (str, int)):
        help_ = (f"write a list of one: [{visible(str(value))}]",)
    text = f"{subject}: {_place(path)} must be {wanted}, not {found(value)}"
    return finding("SRC102", text, origin.child(*path), subject=subject, help=help_)


def _not_allowed(
    words: tuple[str, ...], value: Any, path: Path, subject: str, origin: Origin, *, part_key: bool = False
) -> Finding:
    near = did_you_mean(value, words) if isinstance(value, str) else ()
    hint = f"; did you mean `{near[0]}`?" if near else ""
    at = origin.child(*path, part="key" if part_key else "value")
    place = _place(path[:-1]) + " cannot name" if part_key else _place(path) + " cannot be"
    action = (
        Edit("rename", at, near[0]) if near and part_key else Edit("replace", at, near[0]) if near else None
    )
    return finding(
        "SRC104",
        f"{subject}: {place} {shown(value)}{hint}",
        at,
        subject=subject,
        help=(f"allowed: {', '.join(words)}",) if words else (),
        fix=Fix(f"write `{near[0]}`", (action,), safe=False) if action else None,
    )


def _bad_value(words: str, value: Any, path: Path, subject: str, origin: Origin) -> Finding:
    """`words` follow the value (`is below 0`), or are a sentence of their own."""
    if not words.startswith(("is ", "stands ")):
        text = f"{subject}: {_place(path)}: {words}"
    elif isinstance(value, (Mapping, list)) or value is None:
        text = f"{subject}: {_place(path)} {words}"
    else:
        text = f"{subject}: {_place(path)} {shown(value)} {words}"
    return finding("SRC105", text, origin.child(*path), subject=subject)
