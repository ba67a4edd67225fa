from __future__ import annotations

import codecs
from typing import Any

import pytest

from kohort.diagnostics import Edit
from kohort.source.edit import EditError, apply_edits
from kohort.source.reader import read_file
from kohort.spans import Origin, Path

QUEUE = """\
# the training queue
spec:
  cohort: "training"  # shared
  quota: '8'
  names: [cpu, memory]   # in this order
  flow: {a: 1, b: 2}
  empty:
  nothing: {}

  groups:
  # cheap ones first
  - name: a100
    quota: 16G    # roughly
  # then the fast ones
  - name: h100
    quota: 8

# the end
"""


def edit(action: Any, path: Path, text: str = "", order: tuple[int, ...] = (), document: int = 0) -> Edit:
    return Edit(action, Origin("f", document, path), text, order)


def apply(text: str, *edits: Edit) -> str:
    return apply_edits(text.encode(), "f", edits).decode()


def changed(*edits: Edit) -> list[str]:
    """Lines removed and added, as a diff shows them."""
    import difflib

    diff = difflib.unified_diff(QUEUE.split("\n"), apply(QUEUE, *edits).split("\n"), lineterm="", n=0)
    return [line for line in diff if line[:3] not in {"---", "+++"} and not line.startswith("@@")]


@pytest.mark.parametrize(
    ("action", "path", "text", "diff"),
    [
        ("replace", ("spec", "cohort"), "production", ['-  cohort: "training"  # shared', '+  cohort: "production"  # shared']),
        ("replace", ("spec", "quota"), "9", ["-  quota: '8'", "+  quota: '9'"]),
        ("replace", ("spec", "quota"), "8", ["-  quota: '8'", "+  quota: 8"]),
        ("replace", ("spec", "quota"), '"9"', ["-  quota: '8'", '+  quota: "9"']),
        ("replace", ("spec", "groups", 0, "quota"), "16Gi", ["-    quota: 16G    # roughly", "+    quota: 16Gi    # roughly"]),
        ("replace", ("spec", "names", 1), "pods", ["-  names: [cpu, memory]   # in this order", "+  names: [cpu, pods]   # in this order"]),
        ("replace", ("spec", "empty"), "x", ["-  empty:", "+  empty: x"]),
        ("replace", ("spec", "empty"), "a: 1\nb: 2", ["+    a: 1", "+    b: 2"]),
        ("replace", ("spec", "empty"), "|\n  x\n  y", ["-  empty:", "+  empty: |", "+    x", "+    y"]),
        ("replace", ("spec", "flow"), "{c: 3}", ["-  flow: {a: 1, b: 2}", "+  flow: {c: 3}"]),
        ("quote", ("spec", "groups", 1, "quota"), "", ["-    quota: 8", '+    quota: "8"']),
        ("rename", ("spec", "cohort"), "cohortName", ['-  cohort: "training"  # shared', '+  cohortName: "training"  # shared']),
        ("rename", ("spec", "flow", "a"), "z", ["-  flow: {a: 1, b: 2}", "+  flow: {z: 1, b: 2}"]),
        ("insert", ("spec", "groups", 0), "limit: 4", ["+    limit: 4"]),
        ("insert", ("spec", "groups"), "- name: t4\n  quota: 1", ["+  - name: t4", "+    quota: 1"]),
        ("insert", ("spec", "groups"), "name: t4\nquota: 1", ["+  - name: t4", "+    quota: 1"]),
        ("insert", ("spec", "names"), "- pods", ["-  names: [cpu, memory]   # in this order", "+  names: [cpu, memory, pods]   # in this order"]),
        ("insert", ("spec", "flow"), "c: 3", ["-  flow: {a: 1, b: 2}", "+  flow: {a: 1, b: 2, c: 3}"]),
        ("insert", ("spec", "empty"), "a: 1", ["+    a: 1"]),
        ("insert", ("spec", "nothing"), "a: 1", ["-  nothing: {}", "+  nothing:", "+    a: 1"]),
        ("insert", ("spec",), "last:\n  x: 1", ["+  last:", "+    x: 1"]),
        ("delete", ("spec", "cohort"), "", ['-  cohort: "training"  # shared']),
        ("delete", ("spec", "groups", 1), "", ["-  - name: h100", "-    quota: 8"]),
        ("delete", ("spec", "groups", 1, "quota"), "", ["-    quota: 8"]),
        ("delete", ("spec", "groups", 1, "name"), "", ["-  - name: h100", "-    quota: 8", "+  - quota: 8"]),
        ("delete", ("spec", "names", 0), "", ["-  names: [cpu, memory]   # in this order", "+  names: [memory]   # in this order"]),
        ("delete", ("spec", "names", 1), "", ["-  names: [cpu, memory]   # in this order", "+  names: [cpu]   # in this order"]),
        ("delete", ("spec", "flow", "a"), "", ["-  flow: {a: 1, b: 2}", "+  flow: {b: 2}"]),
    ],
)  # fmt: skip
def test_one_edit_changes_only_its_words(action: str, path: Path, text: str, diff: list[str]) -> None:
    assert changed(edit(action, path, text)) == diff


def test_moved_items_take_their_comments_along() -> None:
    after = apply(QUEUE, edit("move", ("spec", "groups"), order=(1, 0)))
    assert after.split("groups:\n")[1] == (
        "  # then the fast ones\n  - name: h100\n    quota: 8\n"
        "  # cheap ones first\n  - name: a100\n    quota: 16G    # roughly\n\n# the end\n"
    )


def test_a_lone_comment_above_the_list_stays() -> None:
    text = "l:\n# all of them\n- a  # first\n- b\n- c"
    assert apply(text, edit("move", ("l",), order=(2, 0, 1))) == "l:\n# all of them\n- c\n- a  # first\n- b"


def test_moved_items_of_a_flow_list() -> None:
    assert apply("l: [a, {b: 1},  c]\n", edit("move", ("l",), order=(1, 2, 0))) == "l: [{b: 1}, c,  a]\n"


def test_several_edits_mean_the_text_as_given() -> None:
    after = apply(
        QUEUE,
        edit("delete", ("spec", "groups", 0)),
        edit("replace", ("spec", "groups", 1, "quota"), "9"),
        edit("insert", ("spec", "groups", 1), "limit: 2"),
        edit("insert", ("spec", "groups"), "- name: t4"),
        edit("rename", ("spec", "groups"), "resourceGroups"),
        edit("delete", ("spec", "names", 1)),
        edit("delete", ("spec", "names", 0)),
    )
    spec = read_file("f", after.encode()).documents[0].value["spec"]
    assert spec["resourceGroups"] == [{"name": "h100", "quota": 9, "limit": 2}, {"name": "t4"}]
    assert spec["names"] == []
    assert after.count("#") == QUEUE.count("#") - 1  # the one on the removed line


def test_the_last_entry_leaves_an_empty_collection() -> None:
    assert apply("a:\n  b: 1\nc: 2\n", edit("delete", ("a", "b"))) == "a: {}\nc: 2\n"
    assert apply("a:\n- b\n", edit("delete", ("a", 0))) == "a: []\n"


def test_crlf_and_encoding_stay() -> None:
    data = codecs.BOM_UTF16_LE + "a:\r\n- b: é\r\n".encode("utf-16-le")
    after = apply_edits(
        data, "f", [edit("insert", ("a",), "- c: 1\n  d: 2"), edit("replace", ("a", 0, "b"), "ü")]
    )
    assert after == codecs.BOM_UTF16_LE + "a:\r\n- b: ü\r\n- c: 1\r\n  d: 2\r\n".encode("utf-16-le")


def test_a_file_without_a_last_line_end() -> None:
    assert apply("a: 1\nb: 2", edit("delete", ("b",))) == "a: 1"
    assert apply("a: 1", edit("insert", (), "b: 2")) == "a: 1\nb: 2"


def test_other_documents_stay() -> None:
    text = "a: 1\n---\na: 2 # two\n---\na: 3\n"
    assert apply(text, edit("replace", ("a",), "5", document=1)) == "a: 1\n---\na: 5 # two\n---\na: 3\n"


def test_json_stays_json() -> None:
    text = '{\n  "a": [\n    1,\n    2\n  ],\n  "b": {"c": "8"}\n}\n'
    after = apply(
        text,
        edit("insert", ("a",), "- 3"),
        edit("replace", ("b", "c"), "10Gi"),
        edit("insert", ("b",), "d: on call"),
        edit("rename", ("b",), "bb"),
    )
    assert after == '{\n  "a": [\n    1,\n    2,\n    3\n  ],\n  "bb": {"c": "10Gi", "d": "on call"}\n}\n'


def test_compact_nested_lists() -> None:
    assert apply("- - a\n  - b\n- c\n", edit("delete", (0, 0))) == "- - b\n- c\n"


def test_text_that_needs_no_change_gives_the_same_bytes() -> None:
    assert apply(QUEUE) == QUEUE


@pytest.mark.parametrize(
    ("text", "edits", "why"),
    [
        (
            "a: &x {b: 1}\nc: *x\n",
            [edit("replace", ("c", "b"), "2")],
            "the value is shared through an anchor",
        ),
        (
            "a: &x {b: 1}\nc: *x\n",
            [edit("replace", ("a", "b"), "2")],
            "the change would alter more than it says",
        ),
        ("x: &x {a: 1}\nc:\n  <<: *x\n", [edit("delete", ("c", "a"))], "the value comes through a merge key"),
        ("a: 1\na: 2\n", [edit("replace", ("a",), "3")], "the key a stands twice"),
        ("a: 1\n", [edit("replace", ("b",), "3")], "the place does not exist any more"),
        ("a: 1\n", [edit("replace", ("a",), "[3")], "the new text is not one YAML value"),
        ("a: [b]\n", [edit("replace", ("a", 0), "c, d")], "the change would alter more than it says"),
        ("a: 1\nb: 2\n", [edit("rename", ("a",), "b")], "there is a key b already"),
        ("a: {b: 1}\n", [edit("insert", ("a",), "b: 2")], "there is a key b already"),
        ("a: x\n", [edit("insert", ("a",), "b: 2")], "the value is neither a mapping nor a list"),
        (
            "a: [1, 2]\n",
            [edit("move", ("a",), order=(0, 0))],
            "the order does not name each item of the list once",
        ),
        ("a: [\n", [edit("replace", ("a",), "1")], "the document cannot be read"),
        (
            "a: 1\n",
            [edit("replace", ("a",), "2"), edit("replace", ("a",), "3")],
            "two edits touch the same text",
        ),
        (
            "- x: 1\n  # about y\n  y: 2\n",
            [edit("delete", (0, "x"))],
            "a comment stands between this entry and the next",
        ),
        ("{? '' : ''}\n", [edit("delete", ("",))], "the change would alter more than it says"),
        ("a: 1\n", [edit("replace", (), "b: 2", document=3)], "the document cannot be read"),
    ],
)
def test_what_is_not_safe_is_refused(text: str, edits: list[Edit], why: str) -> None:
    with pytest.raises(EditError) as caught:
        apply(text, *edits)
    assert str(caught.value) == why


def test_a_file_that_is_no_text_is_refused() -> None:
    with pytest.raises(EditError, match=r"^not UTF-8 \(byte 0xff at offset 3, line 1\)$"):
        apply_edits(b"a: \xff", "f", [edit("replace", ("a",), "1")])


def test_edits_of_another_file_are_refused() -> None:
    with pytest.raises(EditError, match=r"^an edit is for other\.yaml, not for f$"):
        apply_edits(b"a: 1\n", "f", [Edit("delete", Origin("other.yaml", 0, ("a",)))])
