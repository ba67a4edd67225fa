"""Reading one file: bytes in, plain values and findings out. Never raises, whatever the bytes are."""

from __future__ import annotations

from typing import Any

from yaml.reader import ReaderError

from kohort.diagnostics.report import arrange
from kohort.source import codes
from kohort.source.collector import no_collection
from kohort.source.decode import (
    BadByte,
    Decoded,
    bad_character,
    decode,
    first_bad_character,
    place,
)
from kohort.source.document import Document, SourceFile
from kohort.source.json_values import read_json
from kohort.source.problem import Problem, Spot
from kohort.source.recover import longest_document
from kohort.source.template import find_template
from kohort.source.values import MOST_LEVELS, Values, read_values

LARGEST_FILE = 64 << 20
LARGEST_DOCUMENT = 32 << 20
_MILD = {codes.UNKNOWN_TAG.code, codes.KEY_NOT_TEXT.code, codes.KEY_READS_OTHERWISE.code}


def read_file(file: str, data: bytes) -> SourceFile:
    """Read all documents of a file as kubectl and Argo CD would, in YAML or JSON.

    `file` is the path as the user would type it. Documents that are empty are left out, as is what cannot be read;
    findings say why. A template gives one finding and no documents.
    """
    if len(data) > LARGEST_FILE:
        return _refused(file, too_large(len(data)), "too large")
    decoded = decode(data)
    if isinstance(decoded, BadByte):
        spot = Spot(decoded.line, decoded.column, decoded.column + 1)
        return _refused(file, Problem(codes.NOT_UTF8, decoded.message, spot=spot), "not UTF-8")
    text = decoded.text
    bad = bad_character(data, text)
    if bad is not None:
        return _refused(file, _character(text, bad), "not YAML")
    if len(text) > LARGEST_DOCUMENT and longest_document(text) > LARGEST_DOCUMENT:
        return _refused(file, too_large(len(text)), "too large")
    with no_collection():
        values = _values(text)
    if isinstance(values, Problem):
        return _refused(file, values, "not YAML")
    return _result(file, decoded, values)


def too_large(size: int) -> Problem:
    """A file or document beyond the limits; no more than one byte beyond is read of what has no size."""
    mebibytes = f"{size / (1 << 20):,.0f} MiB"
    return Problem(
        codes.TOO_LARGE,
        f"too large to be read ({f'more than {mebibytes}' if size == LARGEST_FILE + 1 else mebibytes}; at most 64 MiB a file and 32 MiB a document)",
        spot=Spot(1, 1, 1),
    )


def _values(text: str) -> Values | Problem:
    try:
        return Values([(0, read_json(text, MOST_LEVELS))])
    except ValueError:
        pass
    try:
        return read_values(text)
    except ReaderError:
        return _character(text, first_bad_character(text) or 0)


def _result(file: str, decoded: Decoded, values: Values) -> SourceFile:
    problems = values.problems
    if values.broken or any(problem.rule is codes.UNUSABLE_KEY for problem in problems):
        template = _template(decoded.text, problems)
        if template is not None:
            return _refused(file, template, "template")
    objects, problems, note = _judge(values.documents, problems, complete=not values.broken)
    if decoded.name != "UTF-8":
        message = f"the file is {decoded.name}; most tools expect UTF-8"
        problems = [Problem(codes.WIDE_ENCODING, message, spot=Spot(1, 1)), *problems]
    return SourceFile(
        file,
        tuple(Document(file, index, value) for index, value in objects),
        arrange(problem.finding(file) for problem in problems),
        note,
    )


def _judge(
    documents: list[tuple[int, Any]], problems: list[Problem], *, complete: bool
) -> tuple[list[tuple[int, Any]], list[Problem], str]:
    """The mappings among the documents, with what is to be said of the others."""
    full = [(index, value) for index, value in documents if value is not None]
    objects = [(index, value) for index, value in full if isinstance(value, dict)]
    others = [(index, _shape(value)) for index, value in full if not isinstance(value, dict)]
    if not any("apiVersion" in value and "kind" in value for _, value in objects):
        problems = [problem for problem in problems if problem.rule.code not in _MILD]
    if objects or not complete:
        strays = [
            Problem(codes.NOT_AN_OBJECT, f"not a Kubernetes object ({what})", index) for index, what in others
        ]
        return objects, problems + strays, ""
    if not others:
        return [], problems, "empty"
    index, what = others[0]
    remark = Problem(codes.NOT_KUBERNETES, f"not Kubernetes YAML: the document is a {what}", index)
    return [], [*problems, remark], "not Kubernetes YAML"


def _template(text: str, problems: list[Problem]) -> Problem | None:
    lines = [problem.spot.line for problem in problems if problem.spot is not None]
    found = find_template(text, lines)
    if found is None:
        return None
    message = f"looks like a template ({found.name}): render it first and pipe the result"
    return Problem(codes.TEMPLATE, message, spot=found.spot, help=("helm template … | kohort check -",))


def _character(text: str, index: int) -> Problem:
    line, column = place(text, index)
    number = ord(text[index]) if text else 0
    name = {0: "NUL character", 0x1B: "terminal escape character"}
    message = f"{name.get(number, 'control character')} (U+{number:04X}) is not allowed in YAML"
    return Problem(codes.CONTROL_CHARACTER, message, spot=Spot(line, column, column + 1))


def _refused(file: str, problem: Problem, note: str) -> SourceFile:
    return SourceFile(file, (), (problem.finding(file),), note)


def _shape(value: Any) -> str:
    names: tuple[tuple[type, str], ...] = (
        (bool, "boolean"),
        (str, "string"),
        (int, "number"),
        (float, "number"),
    )
    return next((name for kind, name in names if isinstance(value, kind)), "list")
