from __future__ import annotations

import pytest

from kohort.source.positions import Positions
from kohort.spans import Origin, Path, Span

TEXT = """\
# teams
apiVersion: v1
metadata:
  name: train   # a comment
  labels: {team: "blue", on: call, empty: }
  empty:
spec:
  groups:
  - names: [cpu, memory]
    flavors:
    - name: a100
    # about the next
    - name: h100
      note: |
        two
        lines

  base: &base
    x: 0x10
  alias: *base
  tagged: !!str &t "8"
  merged:
    <<: *base
    own: 1

# the end
"""


def places(text: str = TEXT) -> Positions:
    return Positions({"f.yaml": text.encode()}.get)


def where(path: Path, part: str = "value", text: str = TEXT) -> tuple[int, int, int, int]:
    span = places(text).span(Origin("f.yaml", 0, path, part))  # type: ignore[arg-type]
    assert span is not None
    return (span.line, span.column, span.end_line, span.end_column)


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        (("metadata", "name"), (4, 9, 4, 14)),
        (("metadata", "labels"), (5, 11, 5, 44)),
        (("metadata", "labels", "team"), (5, 18, 5, 24)),
        (("metadata", "labels", "true"), (5, 30, 5, 34)),
        (("metadata", "empty"), (6, 9, 6, 9)),
        (("spec", "groups", 0, "names"), (9, 12, 9, 25)),
        (("spec", "groups", 0, "names", 1), (9, 18, 9, 24)),
        (("spec", "groups", 0, "flavors", 0), (11, 7, 11, 17)),
        (("spec", "groups", 0, "flavors"), (11, 5, 16, 14)),
        (("spec", "groups", 0, "flavors", 1, "note"), (14, 13, 16, 14)),
        (("spec", "base"), (19, 5, 19, 12)),
        (("spec", "alias"), (20, 10, 20, 15)),
        (("spec", "alias", "x"), (19, 8, 19, 12)),
        (("spec", "tagged"), (21, 20, 21, 23)),
        (("spec", "merged", "x"), (19, 8, 19, 12)),
        (("spec", "merged", "own"), (24, 10, 24, 11)),
    ],
)
def test_value_spans(path: Path, expected: tuple[int, int, int, int]) -> None:
    assert where(path) == expected


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        (("metadata", "name"), (4, 3, 4, 7)),
        (("metadata", "labels", "true"), (5, 26, 5, 28)),
        (("spec", "groups", 0, "flavors", 1), (13, 7, 14, 14)),
        (("spec", "merged", "x"), (19, 5, 19, 6)),
    ],
)
def test_key_spans(path: Path, expected: tuple[int, int, int, int]) -> None:
    span = where(path, "key")
    assert span[:2] == expected[:2]
    if not isinstance(path[-1], int):
        assert span == expected


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        (("spec", "missing", "deeper"), (7, 1, 7, 5)),
        (("spec", "groups", 0, "missing"), (9, 5, 9, 25)),
        (("spec", "groups", 7), (8, 3, 8, 9)),
        (("missing",), (2, 1, 2, 15)),
        ((), (2, 1, 2, 15)),
        (("metadata", "name", "deeper"), (4, 3, 4, 7)),
        (("metadata", 0), (3, 1, 3, 9)),
    ],
)
def test_a_path_that_leads_too_far_ends_at_a_key_or_a_line(
    path: Path, expected: tuple[int, int, int, int]
) -> None:
    assert where(path) == expected


def test_other_documents_and_files() -> None:
    text = "a: 1\n---\n# only a comment\n---\nb: 2\n"
    span = Positions({"f.yaml": text.encode()}.get).span(Origin("f.yaml", 2, ("b",)))
    assert span == Span(5, 4, 5, 5)
    assert Positions({"f.yaml": text.encode()}.get).span(Origin("f.yaml", 9, ("b",))) == Span(1, 1, 1, 5)
    assert Positions({}.get).span(Origin("gone.yaml")) is None
    assert Positions({}.get).lines("gone.yaml") == ()
    assert Positions({}.get).text(Origin("gone.yaml")) == ""


def test_columns_count_characters() -> None:
    assert where(("b",), text='{"ä€\U0001f600": 1, b: ü}\n') == (1, 15, 1, 16)


@pytest.mark.parametrize(
    ("path", "text"),
    [
        (("metadata", "labels", "team"), '"blue"'),
        (("spec", "base", "x"), "0x10"),
        (("spec", "alias", "x"), "0x10"),
        (("spec", "alias"), "x: 0x10"),
        (("spec", "tagged"), '"8"'),
        (("spec", "groups", 0, "names"), "[cpu, memory]"),
        (("spec", "missing"), ""),
        (("metadata", "empty"), ""),
    ],
)
def test_text_is_what_was_typed(path: Path, text: str) -> None:
    assert places().text(Origin("f.yaml", 0, path)) == text


def test_text_of_a_key() -> None:
    assert places().text(Origin("f.yaml", 0, ("metadata", "labels", "true"), "key")) == "on"


def test_each_file_is_read_once_and_only_when_asked_for() -> None:
    calls: list[str] = []

    def read(file: str) -> bytes:
        calls.append(file)
        return b"a: 1\n"

    positions = Positions(read)
    assert calls == []
    for _ in range(3):
        positions.span(Origin("x", 0, ("a",)))
        positions.lines("x")
    assert calls == ["x"]


def test_lines_of_a_file_that_is_no_text() -> None:
    assert Positions({"f": b"# caf\xe9\r\nb: 1\n"}.get).lines("f") == ["# caf\ufffd", "b: 1", ""]
    assert Positions({"f": b"# caf\xe9\n"}.get).span(Origin("f", 0, ("b",))) == Span(1, 1, 1, 7)


def test_a_key_that_stands_twice_is_its_second_occurrence() -> None:
    assert where(("a",), "key", "a: 1\nb: 2\na: 3\n") == (3, 1, 3, 2)
