"""Files as they come: broken syntax, encodings, empty documents, templates, JSON and hostile sizes."""

from __future__ import annotations

import codecs
import gc
import time

import pytest
from read_text import only, read, shown, value

from kohort.diagnostics import Severity
from kohort.source.positions import Positions
from kohort.source.reader import read_file
from kohort.spans import Origin


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a: b: c\n", '1:5 YAM001 a second ": " on one line: quote the value'),
        ("a: 1\n  b: 2\n", '2:4 YAM001 unexpected ":": the indentation is wrong, or the line above is not finished'),
        ("a: 1\nb\nc: 2\n", '2:1 YAM001 expected ":" after this key'),
        ("a: 'x\nb: c\n", "1:4 YAM001 the quote opened here is never closed"),
        ("a: 'x\nb: c\n---\nq: 1\n", "1:4 YAM001 the quote opened here is not closed in this document"),
        ("a: [x\nb: c\n", '2:2 YAM001 the list opened at line 1 is not closed: expected "," or "]"'),
        ("a:\n  b: {x: 1\nc: 2\n", '3:2 YAM001 the mapping opened at line 2 is not closed: expected "," or "}"'),
        ("- a\nb: c\n", '2:1 YAM001 expected a list item ("- ") here, as in the lines above'),
        ("a:\n  - b\n c: d\n", "3:2 YAM001 expected a key here: indentation or quotes do not match the lines above"),
        ("a: @x\n", '1:4 YAM001 "@" cannot begin a value: quote the text'),
        ("a: `x`\n", '1:4 YAM001 "`" cannot begin a value: quote the text'),
        ('a: "\\q"\n', '1:5 YAM001 unknown escape "\\q" in double quotes: double the backslash or use single quotes'),
        ("a: *\n", '1:4 YAM001 "*" begins an alias and needs a name of letters and digits: quote it if it is text'),
        ("a: & b\n", '1:4 YAM001 "&" begins an anchor and needs a name of letters and digits: quote it if it is text'),
        ("{a: b}\nc: d\n", '2:1 YAM001 text after the end of the document: expected "---"'),
        ("a: !x!y z\n", "1:4 YAM001 the tag's prefix is not declared"),
        ("a: b\n\tc: d\n", "2:1 YAM002 tab used for indentation"),
        ("a:\n  \tc: d\n", "2:3 YAM002 tab used for indentation"),
        ("a:\n  b: c\n    \td: e\n", "3:5 YAM002 tab used for indentation"),
        ("a: |\n\tx\n", "2:1 YAM002 tab used for indentation"),
        ("a: *x\n", "1:4 YAM007 alias *x names an anchor that is not defined above it"),
        ("a: &x b\n---\nc: *x\n", "3:4 YAM007 alias *x names an anchor that is not defined above it"),
        ("a: &x [*x]\n", "1:8 YAM009 alias *x stands inside the value that it names"),
        ("a: &x {<<: *x}\n", "1:12 YAM009 alias *x stands inside the value that it names"),
        ("a: b\x00\n", "1:5 YAM006 NUL character (U+0000) is not allowed in YAML"),
        ("a: 1\nb: \x1b[31m\n", "2:4 YAM006 terminal escape character (U+001B) is not allowed in YAML"),
        ("a: \x9b1m\n", "1:4 YAM006 control character (U+009B) is not allowed in YAML"),
    ],
)  # fmt: skip
def test_syntax_error_says_what_and_where(text: str, expected: str) -> None:
    assert shown(text) == [expected]


def test_an_open_bracket_is_shown_where_it_opens() -> None:
    finding = only("a:\n  b: [x,\nc: 2\n")
    assert [(label.origin.path[1:], label.text) for label in finding.related] == [((2, 6, 7), "opened here")]


def test_other_documents_are_read_behind_a_broken_one() -> None:
    text = "a: 1\n---\nb: [\n---\nc: 3\n---\nd: 'x\n---\ne: 5\n"
    result = read(text)
    assert [(d.index, d.value) for d in result.documents] == [(0, {"a": 1}), (2, {"c": 3}), (4, {"e": 5})]
    assert [line.split()[0] for line in shown(text)] == ["4:1", "7:4"]
    span = Positions({"f": text.encode()}.get).span(Origin("f", 4, ("e",)))
    assert span is not None
    assert (span.line, span.column) == (9, 4)


def test_a_file_of_broken_documents_ends() -> None:
    result = read("---\na: [\n" * 20_000)
    assert len(result.findings) == 10


@pytest.mark.parametrize(
    ("mark", "encoding"),
    [
        (codecs.BOM_UTF8, "utf-8"),
        (codecs.BOM_UTF16_LE, "utf-16-le"),
        (codecs.BOM_UTF16_BE, "utf-16-be"),
        (codecs.BOM_UTF32_LE, "utf-32-le"),
        (codecs.BOM_UTF32_BE, "utf-32-be"),
    ],
)
def test_byte_order_marks(mark: bytes, encoding: str) -> None:
    data = mark + "name: café\nlast: 2\n".encode(encoding)
    result = read_file("f", data)
    assert result.documents[0].value == {"name": "café", "last": 2}
    assert [f.code for f in result.findings] == ([] if encoding == "utf-8" else ["YAM005"])
    span = Positions({"f": data}.get).span(Origin("f", 0, ("name",)))
    assert span is not None
    assert (span.line, span.column, span.end_column) == (1, 7, 11)


def test_utf16_without_a_mark_is_named() -> None:
    assert only("kind: x\n".encode("utf-16-le")).message == (
        "not UTF-8 (it looks like UTF-16 without a byte order mark): save it as UTF-8"
    )


def test_a_bad_byte_is_found_by_offset_and_line() -> None:
    assert shown(b"a: 1\nb: caf\xe9 x\n") == ["2:7 YAM004 not UTF-8 (byte 0xe9 at offset 11, line 2)"]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_line_ends_do_not_matter(end: str) -> None:
    text = end.join(["a: 1", "b:", "  c: |", "    x", "    y", "  d: e", "d: [1", "---", ""])
    assert value(text.replace("d: [1", "d: 1")) == {"a": 1, "b": {"c": "x\ny\n", "d": "e"}, "d": 1}
    assert shown(text)[0].startswith("8:1 ")


@pytest.mark.parametrize(
    "text", ["", "\n\n", "# only\n# comments\n", "---\n", "---\n---\nnull\n...\n", "~\n", "\ufeff"]
)
def test_empty_files(text: str) -> None:
    result = read(text)
    assert (result.documents, result.findings, result.note) == ((), (), "empty")


def test_a_trailing_end_mark_is_no_document() -> None:
    assert value("a: 1\n...\n") == {"a": 1}


@pytest.mark.parametrize(
    ("text", "what"), [("- a\n", "list"), ("just text\n", "string"), ("8\n", "number"), ("on\n", "boolean")]
)
def test_a_file_without_mappings_is_no_kubernetes_yaml(text: str, what: str) -> None:
    result = read(text)
    assert result.note == "not Kubernetes YAML"
    assert shown(text) == [f"1:1 YAM015 not Kubernetes YAML: the document is a {what}"]
    assert result.findings[0].severity is Severity.INFO


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("name: {{ .Values.x }}\n", 1),
        ("a: 1\n{{- if .Values.x }}\nb: 2\n{{- end }}\n", 2),
        ('metadata:\n  labels:\n    {{- include "x.labels" . | nindent 4 }}\n  name: x\n', 3),
        ("a: [${LIST}, {x: ${Y}}]\n", 1),
        ("a: 1\n{% if x %}\nb: 2\n{% endif %}\n", 2),
    ],
)
def test_templates_are_named_not_judged(text: str, line: int) -> None:
    result = read(text)
    assert (result.documents, result.note) == ((), "template")
    assert [f.code for f in result.findings] == ["YAM014"]
    assert shown(text)[0].startswith(f"{line}:")
    assert result.findings[0].severity is Severity.INFO


def test_a_helm_template_says_how_to_go_on() -> None:
    assert (
        only("name: {{ .Values.x }}\n").message
        == 'looks like a template (Helm/Go "{{"): render it first and pipe the result'
    )


@pytest.mark.parametrize(
    "text",
    ['a: "{{ $labels.x }}"\nb: [\n', "# {{ .Values.x }}\nb: [\n", "a: '${X}'\nb: 'x\n"],
)
def test_a_mistake_beside_a_quoted_template_is_a_mistake(text: str) -> None:
    assert only(text).code == "YAM001"


def test_template_text_that_is_yaml_is_yaml() -> None:
    assert value('a: "{{ x }}"\nb: ${X}\nc: |\n  {{ y }}\n') == {
        "a": "{{ x }}",
        "b": "${X}",
        "c": "{{ y }}\n",
    }


def test_json_gives_what_yaml_gives() -> None:
    text = '{\n\t"a": [1, 2.5, true, null, "x\\u003c\\/"],\n\t"b": {"on": "no", "8": 1e3}\n}\n'
    assert value(text) == {"a": [1, 2.5, True, None, "x</"], "b": {"on": "no", "8": 1000.0}}
    span = Positions({"f": text.encode()}.get).span(Origin("f", 0, ("b", "8")))
    assert span is not None
    assert (span.line, span.column, span.end_column) == (3, 25, 28)


def test_json_oddities_are_judged_as_yaml() -> None:
    assert shown('{"a": 1,\n "a": 2}') == ['2:2 YAM003 duplicate key "a" (first at line 1)']
    assert value('{"a": 1000000000000000000000000000000}') == {"a": 1e30}
    assert only('{"a": ' + "[" * 300 + "]" * 300 + "}").code == "YAM010"
    assert value('{"<<": {"a": 1}}') == {"<<": {"a": 1}}


def test_json_with_surrogates_keeps_positions() -> None:
    text = '{"a": "\\ud83d\\ude00", "b": 2}'
    assert value(text) == {"a": "\U0001f600", "b": 2}
    span = Positions({"f": text.encode()}.get).span(Origin("f", 0, ("b",)))
    assert span is not None
    assert span.column == text.index("2") + 1


@pytest.mark.parametrize(
    "text",
    [
        "[" * 10_000, "{a: " * 10_000, "- " * 10_000, "? " * 10_000, "a: " + "[" * 201 + "]" * 201,
        '{"a":' * 10_000, "[" * 5000 + "]" * 5000,
        "\n".join(f"{' ' * n}a:" for n in range(300)),
        "a0: &a0 [x]\n" + "".join(f"a{n}: &a{n} [*a{n - 1}]\n" for n in range(1, 400)),
    ],
)  # fmt: skip
def test_ten_thousand_levels_are_one_finding(text: str) -> None:
    started = time.process_time()
    assert [(f.code, f.message) for f in read(text).findings] == [
        ("YAM010", "nested more than 200 levels deep")
    ]
    assert time.process_time() - started < 2


def test_two_hundred_levels_are_read() -> None:
    assert value("a: " + "[" * 199 + "]" * 199)["a"]


@pytest.mark.parametrize(
    "text",
    [
        "a: &a [" + ",".join("x" * 1000) + "]\n" + "".join(f"k{n}: *a\n" for n in range(1000)),
        "a: &a {"
        + ",".join(f"k{n}: 1" for n in range(1000))
        + "}\n"
        + "".join(f"m{n}: {{<<: *a}}\n" for n in range(1000)),
    ],
)
def test_wide_aliases_are_bounded(text: str) -> None:
    assert only(text).code == "YAM008"


def test_ordinary_use_of_anchors_is_not_a_bomb() -> None:
    text = "base: &b {a: 1, b: [1, 2, 3]}\n" + "".join(f"k{n}: *b\n" for n in range(5000))
    assert len(value(text)) == 5001


def test_files_beyond_the_limits_are_refused_unparsed() -> None:
    assert only(b"#" * ((64 << 20) + 1)).message == (
        "too large to be read (more than 64 MiB; at most 64 MiB a file and 32 MiB a document)"
    )
    started = time.process_time()
    assert only(b"a: " + b"x" * (33 << 20)).code == "YAM022"
    assert time.process_time() - started < 3
    assert read(b"---\n#" + b"x" * (20 << 20) + b"\n---\n#" + b"y" * (20 << 20)).findings == ()


@pytest.mark.parametrize("enabled", [True, False])
def test_the_collector_is_left_as_it_was(enabled: bool) -> None:
    was = gc.isenabled()
    try:
        (gc.enable if enabled else gc.disable)()
        read("a: [\n")
        assert gc.isenabled() is enabled
    finally:
        (gc.enable if was else gc.disable)()
