"""The reader never raises, agrees with PyYAML where both speak the same dialect, and its places hold what they say."""

from __future__ import annotations

import json
import math
import time
from typing import Any

import yaml
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from kohort.diagnostics import Edit
from kohort.diagnostics.places import locate
from kohort.source.edit import EditError, apply_edits
from kohort.source.positions import Positions
from kohort.source.reader import read_file
from kohort.spans import Origin, Path

_SETTINGS = settings(
    max_examples=200, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck)
)

# Scalars that YAML 1.1 as Kubernetes and as PyYAML read it take for the same, when quoted or plain.
_WORDS = st.text("abcdeghijklmpqrsuvwxzABC-_./ äß€\U0001f600'\"#:[]{}!&*|>%@`,?\\", max_size=12)
_SCALARS = st.one_of(
    _WORDS,
    st.integers(-(2**63), 2**63 - 1),
    st.booleans(),
    st.none(),
    st.floats(allow_nan=False, allow_infinity=False, width=32).filter(lambda f: "e" not in repr(f)),
)
_VALUES = st.recursive(
    _SCALARS,
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(_WORDS, inner, max_size=4)),
    max_leaves=20,
)
_DOCUMENTS = st.dictionaries(_WORDS, _VALUES, min_size=1, max_size=5)
_STYLES = st.fixed_dictionaries(
    {
        "default_flow_style": st.sampled_from([None, True, False]),
        "default_style": st.sampled_from([None, '"', "'"]),
        "indent": st.sampled_from([2, 4]),
        "width": st.sampled_from([20, 1000]),
        "allow_unicode": st.booleans(),
        "line_break": st.sampled_from(["\n", "\r\n"]),
    }
)
_YAML_BITS = st.lists(
    st.sampled_from(
        ["a", "b: ", "- ", "\n", "  ", "\t", "[", "]", "{", "}", ",", ":", "&x ", "*x", "<<: ", "'", '"', "|\n", "# c\n",
         "---\n", "...\n", "!!int ", "!t ", "? ", "{{ x }}", "${y}", "0x1", "on", "~", ".inf", "%", "@", "\\", "\r\n", "é",
         "\x00", "\x85", "\u2028", "\ufeff", "null: ", "a: 1\n", "a: 2\n"]
    ),
    max_size=40,
).map("".join)  # fmt: skip


def _dump(value: Any, style: dict[str, Any]) -> str:
    # a quoted style would quote numbers with a tag; then only text is quoted
    style = style if style["default_style"] is None else {**style, "default_style": None}
    return str(yaml.safe_dump(value, sort_keys=False, **style))


def _check_any(data: bytes) -> None:
    started = time.process_time()
    result = read_file("f", data)
    places = Positions({"f": data}.get)
    lines = places.lines("f")
    for finding in result.findings:
        assert "\n" not in finding.message
        for label in (finding.primary, *finding.related):
            span = locate(places, label.origin)
            assert span is not None
            assert 1 <= span.line <= max(len(lines), 1)
            assert span.column >= 1
            assert (span.line, span.column) <= (span.end_line, span.end_column)
    for document in result.documents:
        assert isinstance(document.value, dict)
        json.dumps(document.value, allow_nan=False)
        for path, _ in _leaves(document.value, ()):
            assert places.span(Origin("f", document.index, path)) is not None
    assert result.documents or result.findings or result.note
    assert time.process_time() - started < 5


def _leaves(value: Any, path: Path) -> list[tuple[Path, Any]]:
    if isinstance(value, dict):
        return [
            leaf
            for key, item in value.items()
            for leaf in [((*path, key), item), *_leaves(item, (*path, key))]
        ]
    if isinstance(value, list):
        return [
            leaf for n, item in enumerate(value) for leaf in [((*path, n), item), *_leaves(item, (*path, n))]
        ]
    return []


@_SETTINGS
@given(st.binary(max_size=200))
@example(b"\xff\xfe\x00")
@example(b"\xef\xbb\xbf")
@example(b"\xff\xfe\x00\xd8")
def test_random_bytes(data: bytes) -> None:
    _check_any(data)


@_SETTINGS
@given(st.text(max_size=200))
@example("\ufffe: \uffff")
@example("a: \U0001f600\x85b: c")
def test_random_text(text: str) -> None:
    _check_any(text.encode("utf-8", "surrogatepass"))


@settings(_SETTINGS, max_examples=800)
@given(_YAML_BITS)
@example("<<: &x [*x]\n")
@example("&x ? *x\n")
@example("a: 1\na: 2\n<<: {a: 3}\n<<: [")
@example("? [a: 1, a: 2]\n: {a: 1, a: 1}\n")
def test_bits_of_yaml(text: str) -> None:
    _check_any(text.encode())


@_SETTINGS
@given(_DOCUMENTS, _STYLES, st.data())
def test_mutated_yaml(value: dict[str, Any], style: dict[str, Any], data: st.DataObject) -> None:
    text = _dump(value, style)
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, min(len(text), start + 5)))
    _check_any((text[:start] + data.draw(_YAML_BITS) + text[end:]).encode())


@_SETTINGS
@given(_DOCUMENTS, _STYLES)
def test_values_are_those_of_pyyaml(value: dict[str, Any], style: dict[str, Any]) -> None:
    result = read_file("f", _dump(value, style).encode())
    assert result.findings == ()
    assert [document.value for document in result.documents] == [value]
    assert repr(result.documents[0].value) == repr(value)  # types too: 1 is not 1.0 and not True


@_SETTINGS
@given(_DOCUMENTS)
def test_json_and_yaml_agree(value: dict[str, Any]) -> None:
    text = json.dumps(value, indent=1, ensure_ascii=False)
    as_yaml = "# not JSON\n" + text
    assert [d.value for d in read_file("f", text.encode()).documents] == [value]
    assert [d.value for d in read_file("f", as_yaml.encode()).documents] == [value]


@_SETTINGS
@given(_DOCUMENTS, _STYLES)
def test_every_span_holds_text_that_reads_to_the_same_value(
    value: dict[str, Any], style: dict[str, Any]
) -> None:
    text = _dump(value, style)
    places = Positions({"f": text.encode()}.get)
    lines = places.lines("f")
    for path, leaf in _leaves(value, ()):
        origin = Origin("f", 0, path)
        span = places.span(origin)
        assert span is not None
        inside = [line + "\n" for line in lines[span.line - 1 : span.end_line]]
        inside[-1] = inside[-1][: span.end_column - 1]
        # block collections keep their indentation when the first line is moved back to its column
        inside[0] = " " * (span.column - 1) + inside[0][span.column - 1 :]
        source = "".join(inside)
        if source.lstrip(" ").startswith(("|", ">")):
            assert isinstance(leaf, str)
            continue
        again = yaml.safe_load(source)
        assert again == leaf or (isinstance(leaf, float) and math.isclose(again, leaf))
        assert places.text(origin).strip() in text


@_SETTINGS
@given(_DOCUMENTS, _STYLES, st.data())
def test_a_replaced_scalar_changes_nothing_else(
    value: dict[str, Any], style: dict[str, Any], data: st.DataObject
) -> None:
    text = _dump(value, style)
    scalars = [path for path, leaf in _leaves(value, ()) if not isinstance(leaf, dict | list)]
    if not scalars:
        return
    path = data.draw(st.sampled_from(scalars))
    try:
        after = apply_edits(text.encode(), "f", [Edit("replace", Origin("f", 0, path), "42Gi")])
    except EditError:
        return
    expected = yaml.safe_load(text)
    holder = expected
    for step in path[:-1]:
        holder = holder[step]
    holder[path[-1]] = "42Gi"
    assert yaml.safe_load(after) == expected


@_SETTINGS
@given(_DOCUMENTS, _STYLES, st.data())
def test_edits_never_break_a_file(value: dict[str, Any], style: dict[str, Any], data: st.DataObject) -> None:
    text = _dump(value, style)
    paths = [path for path, _ in _leaves(value, ())]
    path = data.draw(st.sampled_from(paths))
    action = data.draw(st.sampled_from(["delete", "insert", "rename", "quote", "replace"]))
    words = data.draw(st.sampled_from(["zz: 1", "- zz", "zz", "[1, 2]", "a: b: c", "zz:\n  a: 1", "'x'", ""]))
    edit = Edit(action, Origin("f", 0, path), words)
    try:
        after = apply_edits(text.encode(), "f", [edit])
    except EditError:
        return
    result = read_file("f", after)
    assert result.findings == ()
    assert result.documents or result.note == "empty"
