from __future__ import annotations

import codecs
import gc
import time
import tracemalloc
from pathlib import Path
from typing import Any

import pytest

from kohort.diagnostics import Finding, Severity
from kohort.source.codes import RULES
from kohort.source.document import SourceFile
from kohort.source.positions import Positions
from kohort.source.reader import read_file
from kohort.spans import Origin

CASES = Path(__file__).parents[4] / "shared" / "cases"
QUEUE = "apiVersion: kueue.x-k8s.io/v1beta2\nkind: ClusterQueue\n"


def read(text: str | bytes) -> SourceFile:
    return read_file("f.yaml", text.encode() if isinstance(text, str) else text)


def value(text: str) -> Any:
    result = read(text)
    assert not result.findings
    assert len(result.documents) == 1
    return result.documents[0].value


def shown(text: str | bytes) -> list[str]:
    """Findings as `line:column CODE message`."""
    data = text.encode() if isinstance(text, str) else text
    places = Positions({"f.yaml": data}.get)
    lines = []
    for finding in read_file("f.yaml", data).findings:
        span = places.span(finding.primary.origin)
        assert span is not None
        lines.append(f"{span.line}:{span.column} {finding.code} {finding.message}")
    return lines


def only(text: str | bytes) -> Finding:
    (finding,) = read(text).findings
    return finding


def case(name: str) -> bytes:
    path = CASES / name
    if not path.exists():
        pytest.skip("the shared cases are not on this machine")
    return path.read_bytes()


# --- the cases after public reports


def test_case_61_duplicate_keys_give_no_quota_from_either() -> None:
    data = case("61-duplicate-keys/input.yaml")
    assert shown(data) == [
        '10:3 YAM003 duplicate key "resourceGroups" (first at line 7)',
        '17:9 YAM003 duplicate key "nominalQuota" (first at line 16)',
    ]
    (document,) = read(data).documents
    assert document.value["spec"] == {"cohortName": "training", "stopPolicy": "None", "namespaceSelector": {}}
    places = Positions({"f.yaml": data}.get)
    first = places.span(read(data).findings[0].related[0].origin)
    assert first is not None
    assert (first.line, first.column, first.end_column) == (7, 3, 17)


def test_case_63_noise_between_documents() -> None:
    data = case("63-multi-doc-noise/input.yaml")
    result = read(data)
    assert [(d.index, d.value["kind"]) for d in result.documents] == [(1, "ResourceFlavor"), (4, "List")]
    assert shown(data) == ["28:1 YAM013 not a Kubernetes object (string)"]
    assert result.findings[0].severity is Severity.ERROR


def test_case_65_tab() -> None:
    assert shown(case("65-tabs/input.yaml")) == ["4:1 YAM002 tab used for indentation"]


def test_case_67_utf16_is_read_and_latin1_named() -> None:
    utf16 = read(case("67-utf16-and-latin1/utf16.yaml"))
    assert utf16.documents[0].value["metadata"] == {"name": "default-flavor"}
    assert [f.severity for f in utf16.findings] == [Severity.INFO]
    assert shown(case("67-utf16-and-latin1/latin1.yaml")) == [
        "1:6 YAM004 not UTF-8 (byte 0xe9 at offset 5, line 1)"
    ]


def test_case_68_merge_keys_expand_and_share_nothing() -> None:
    result = read(case("68-anchors-and-merge/input.yaml"))
    assert result.findings == ()
    a, b, c = (item["spec"] for item in result.documents[0].value["items"])
    assert (a["cohortName"], b["cohortName"], "cohortName" in c) == ("org", "org", False)
    assert b["queueingStrategy"] == "StrictFIFO"
    quotas = [spec["resourceGroups"][0]["flavors"][0]["resources"][0] for spec in (a, b, c)]
    assert quotas == [{"name": "cpu", "nominalQuota": 4}] * 3
    quotas[1]["nominalQuota"] = 5
    assert [quota["nominalQuota"] for quota in quotas] == [4, 5, 4]


def test_case_68_bomb_is_refused_quickly_in_little_memory() -> None:
    data = case("68-anchors-and-merge/bomb.yaml")
    started = time.process_time()
    finding = only(data)
    elapsed = time.process_time() - started
    tracemalloc.start()
    read(data)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert (finding.code, finding.message) == ("YAM008", "aliases expand to more than 100,036 values")
    assert elapsed < 1
    assert peak < 30 << 20


def test_cases_59_and_60_keep_the_typed_text() -> None:
    data = case("60-boolean-labels-norway/input.yaml")
    labels = read(data).documents[0].value["spec"]["nodeLabels"]
    assert labels == {
        "gpu": True,
        "country": False,
        "spot": True,
        "gpu-count": 8,
        "cuda": 12.1,
        "empty": None,
        "quoted": "on",
    }
    places = Positions({"f.yaml": data}.get)
    texts = [places.text(Origin("f.yaml", 0, ("spec", "nodeLabels", name))) for name in labels]
    assert texts == ["on", "NO", "true", "8", "12.10", "", '"on"']
    numbers = case("59-yaml-number-traps/input.yaml")
    spec = read(numbers).documents[1].value["spec"]
    quotas = [r["nominalQuota"] for r in spec["resourceGroups"][0]["flavors"][0]["resources"]]
    assert (spec["cohortName"], quotas) == (7, [16, 1000, 8])


@pytest.mark.parametrize(
    "name",
    [
        "18-job-without-requests/input.yaml",
        "18-job-without-requests/workloads.yaml",
        "64-server-dump-import/input.yaml",
    ],
)
def test_ordinary_cases_read_without_findings(name: str) -> None:
    result = read(case(name))
    assert result.findings == ()
    assert result.documents


# --- the catalogue


def _encoded(code: str, text: str) -> bytes:
    return text.encode({"YAM004": "latin-1", "YAM005": "utf-16"}.get(code, "utf-8"))


@pytest.mark.parametrize("rule", [r for r in RULES if not r.bad.startswith("(")], ids=lambda r: r.code)
def test_bad_example_gives_exactly_its_code_and_good_gives_none(rule: Any) -> None:
    assert [f.code for f in read(_encoded(rule.code, rule.bad)).findings] == [rule.code]
    good = read(rule.good)
    assert good.findings == ()
    assert good.documents
    finding = only(_encoded(rule.code, rule.bad))
    assert (finding.name, finding.severity, finding.consequence) == (
        rule.name,
        rule.severity,
        rule.consequence,
    )


def test_codes_and_names_are_unique_and_in_order() -> None:
    codes = [rule.code for rule in RULES]
    assert codes == sorted(set(codes))
    assert len({rule.name for rule in RULES}) == len(RULES)


# --- syntax errors: place and words


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


# --- encodings


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


# --- documents


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


# --- duplicates


def test_three_times_is_one_finding_that_names_all() -> None:
    text = "a: 1\nb: 2\na: 3\na: 4\n"
    finding = only(text)
    assert shown(text) == ['3:1 YAM003 duplicate key "a" (first at line 1)']
    assert [(label.origin.path[1], label.text) for label in finding.related] == [
        (1, "first here"),
        (4, "and here"),
    ]
    assert read(text).documents[0].value == {"b": 2}


def test_the_same_key_in_different_spelling_is_a_duplicate() -> None:
    assert shown('8: a\n"8": b\n')[-1] == '2:1 YAM003 duplicate key "8" (first at line 1)'


def test_a_duplicate_is_not_filled_from_a_merge() -> None:
    text = "x: &x {a: 1, b: 2}\nz:\n  <<: *x\n  a: 3\n  a: 4\n"
    assert read(text).documents[0].value["z"] == {"b": 2}


def test_the_same_key_in_two_mappings_is_none() -> None:
    assert value("a: {x: 1}\nb: {x: 1}\nc: [{x: 1}, {x: 1}]\n")["c"] == [{"x": 1}, {"x": 1}]


def test_a_duplicate_in_an_anchored_value_is_one_finding() -> None:
    text = "a: &a {x: 1, x: 2, z: 3}\nb: *a\n"
    assert len(read(text).findings) == 1
    assert read(text).documents[0].value == {"a": {"z": 3}, "b": {"z": 3}}


# --- keys


def test_keys_that_read_otherwise() -> None:
    text = QUEUE + "metadata:\n  labels: {on: x, 010: y, 1.10: z, 8: a, true: b}\n"
    assert read(text).documents[0].value["metadata"]["labels"] == {"1.1": "z"}
    assert sorted(line.split(" ", 2)[1] for line in shown(text)) == (
        ["YAM003"] * 2 + ["YAM016"] * 3 + ["YAM017"] * 2
    )
    assert shown(QUEUE + "on: x\n") == ['3:1 YAM016 key on without quotes is a boolean and becomes "true"']
    assert shown(QUEUE + "8: x\n") == ['3:1 YAM017 key 8 is a number, used as the text "8"']


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("null: x\n", "null"),
        ("? [a]\n: x\n", "a list"),
        ("? {a: b}\n: x\n", "a mapping"),
        ("18446744073709551615: x\n", "a number beyond 2^63"),
    ],
)
def test_unusable_keys_are_left_out_with_their_values(text: str, what: str) -> None:
    result = read("a: 1\n" + text + "b: {c: 2}\n")
    assert [f.message for f in result.findings] == [
        f"a key cannot be {what}: Kubernetes knows keys of text only"
    ]
    assert result.documents[0].value == {"a": 1, "b": {"c": 2}}


# --- anchors and merges


def test_aliases_are_copies() -> None:
    document = value("a: &a {x: [1]}\nb: *a\nc: [*a, *a]\n")
    document["b"]["x"].append(2)
    document["c"][0]["x"].append(3)
    assert document["a"] == {"x": [1]}
    assert document["c"] == [{"x": [1, 3]}, {"x": [1]}]


def test_merge_lists_prefer_the_earlier_and_own_keys_win() -> None:
    assert value("<<: [{a: 1, b: 1}, {b: 2, c: 2}]\nc: 3\n") == {"a": 1, "b": 1, "c": 3}


def test_a_quoted_merge_key_is_a_key() -> None:
    assert value('"<<": {a: 1}\n') == {"<<": {"a": 1}}


@pytest.mark.parametrize("text", ["<<: 3\n", "<<:\n", "x: &l [{a: 1}]\ny:\n  <<: *l\n", "<<: [{a: 1}, 2]\n"])
def test_bad_merges(text: str) -> None:
    assert only(text).code == "YAM011"


def test_merge_below_an_own_key_warns_and_the_own_key_wins() -> None:
    text = "a: 1\nb: 2\n<<: {a: 3, c: 4}\n"
    assert shown(text) == [
        '3:1 YAM012 "<<" stands below a: kubectl takes the merged value, not the one typed here'
    ]
    assert read(text).documents[0].value == {"a": 1, "b": 2, "c": 4}


def test_two_merge_keys_are_a_duplicate_and_merge_nothing() -> None:
    text = "<<: {a: 1}\n<<: {b: 2}\nc: 3\n"
    assert shown(text) == ['2:1 YAM003 duplicate key "<<" (first at line 1)']
    assert read(text).documents[0].value == {"c": 3}


# --- tags and numbers


def test_tags() -> None:
    assert value('a: !!str 8\nb: !!int "8"\nc: !!float 8\nd: !!bool "yes"\ne: !!null ""\nf: ! 8\n') == {
        "a": "8", "b": 8, "c": 8.0, "d": True, "e": None, "f": "8",
    }  # fmt: skip
    assert shown(QUEUE + "a: !!int many\n") == ['3:10 YAM021 "many" cannot be read as !!int']
    assert shown(QUEUE + "a: !vault [x]\n") == [
        "3:11 YAM020 tag !vault means nothing to Kubernetes: kubectl reads the value as if the tag were not there"
    ]


def test_infinity_is_no_value() -> None:
    text = "a: .inf\nb: [-.Inf, .nan]\n"
    assert shown(text) == [
        "1:4 YAM019 .inf is infinite, which JSON and so Kubernetes cannot say",
        "2:5 YAM019 -.Inf is infinite, which JSON and so Kubernetes cannot say",
        "2:12 YAM019 .nan is not a number, which JSON and so Kubernetes cannot say",
    ]
    assert read(text).documents[0].value == {"a": ".inf", "b": ["-.Inf", ".nan"]}


def test_styles_of_files_without_objects_are_not_judged() -> None:
    assert read("theme: !relative x\non: push\n").findings == ()


# --- templates


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


# --- JSON


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


# --- hostile sizes


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
        "too large to be read (64 MiB; at most 64 MiB a file and 32 MiB a document)"
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
