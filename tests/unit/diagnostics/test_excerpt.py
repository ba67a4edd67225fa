"""Carets stand under what they mean, whatever the line holds and however narrow the terminal is."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kohort.diagnostics.excerpt import Mark, RowKind, excerpt
from kohort.diagnostics.visible import visible, width, wrap
from kohort.spans import Span


def at(line: int, column: int, end: int, text: str = "", *, primary: bool = True, end_line: int = 0) -> Mark:
    return Mark(Span(line, column, end_line or line, end), text, primary)


def drawn(lines: list[str], *marks: Mark, columns: int = 80) -> list[str]:
    return [row.text for row in excerpt(lines, marks, columns)]


def test_a_mark_underlines_its_range_and_says_its_label():
    assert drawn(["a: 100G"], at(1, 4, 8, "which is 93.1Gi")) == ["a: 100G", "   ^^^^ which is 93.1Gi"]


def test_wide_characters_take_two_columns():
    assert drawn(["研究: 名 # x"], at(1, 5, 6)) == ["研究: 名 # x", "      ^^"]


def test_marks_on_letters_take_no_column():
    assert drawn(["e\u0301: bad"], at(1, 5, 8)) == ["e\u0301: bad", "   ^^^"]


def test_tabs_reach_the_next_stop():
    assert drawn(["\ta:\tbad"], at(1, 5, 8)) == ["    a:  bad", "        ^^^"]


def test_invisible_characters_are_shown_and_counted():
    assert drawn(["\x1bname: \u202ex"], at(1, 8, 9)) == ["\\x1bname: \\u202ex", "          ^^^^^^"]


def test_an_empty_range_gets_one_caret_and_one_past_the_end_stays_at_the_end():
    assert drawn(["a:"], at(1, 3, 3)) == ["a:", "  ^"]
    assert drawn(["a:"], at(1, 90, 99)) == ["a:", "  ^"]


def test_a_range_over_lines_is_underlined_on_its_first():
    assert drawn(["spec:  ", "  a: 1"], at(1, 1, 7, end_line=2)) == ["spec:  ", "^^^^^"]


def test_marks_on_lines_that_do_not_exist_are_left_out():
    assert drawn(["a"], at(2, 1, 2), at(0, 1, 2)) == []
    assert drawn([], at(1, 1, 2)) == []


def test_several_marks_come_by_line_with_the_one_between_or_a_gap():
    lines = [f"line {number}" for number in range(1, 9)]
    rows = excerpt(lines, [at(8, 1, 5), at(1, 1, 5, "a", primary=False), at(3, 6, 7, primary=False)], 80)
    assert [(row.kind, row.number, row.text) for row in rows] == [
        (RowKind.SOURCE, 1, "line 1"),
        (RowKind.MARK, None, "---- a"),
        (RowKind.SOURCE, 2, "line 2"),
        (RowKind.SOURCE, 3, "line 3"),
        (RowKind.MARK, None, "     -"),
        (RowKind.GAP, None, "..."),
        (RowKind.SOURCE, 8, "line 8"),
        (RowKind.MARK, None, "^^^^"),
    ]


def test_neighbouring_lines_have_no_gap():
    assert drawn(["a", "b"], at(1, 1, 2), at(2, 1, 2)) == ["a", "^", "b", "^"]


def test_the_primary_mark_of_a_line_comes_first_and_equal_marks_once():
    twice = at(1, 1, 2, "x", primary=False)
    assert drawn(["a: b"], twice, at(1, 4, 5, "y"), twice) == ["a: b", "   ^ y", "- x"]


def test_a_label_without_room_is_wrapped_below():
    rows = drawn(["a: " + "b" * 17], at(1, 19, 21, "one two three four"), columns=22)
    assert rows == ["a: " + "b" * 17, " " * 18 + "^^", " " * 11 + "one two", " " * 11 + "three four"]


@pytest.mark.parametrize("column", [1, 50, 200, 398])
def test_a_long_line_is_cut_around_the_range(column):
    line = "".join(f"{number:04}" for number in range(100))
    source, mark = drawn([line], at(1, column, column + 3), columns=40)
    assert width(source) <= 40
    start = mark.index("^")
    assert source[start : start + 3] == line[column - 1 : column + 2]
    assert mark.strip() == "^^^"
    assert source.startswith("…") == (column > 1 + 40 // 3)
    assert source.endswith("…") == (column < 390)


def test_a_range_longer_than_the_room_is_cut_with_it():
    source, mark = drawn(["x" * 500], at(1, 101, 400), columns=40)
    assert source == "…" + "x" * 38 + "…"
    assert mark == " ^" + "^" * 37


def test_a_huge_line_costs_no_time():
    lines = ["x" * 100_000_000]
    began = time.process_time()
    source, _ = drawn(lines, at(1, 50_000_000, 50_000_003), columns=100)
    assert time.process_time() - began < 0.5
    assert width(source) <= 100


@settings(deadline=None, max_examples=300)
@given(
    line=st.text(st.sampled_from("a研\te\u0301\x1b\u202e#[🚀 "), max_size=120),
    column=st.integers(1, 130),
    length=st.integers(0, 130),
    columns=st.integers(20, 60),
)
def test_what_stands_over_the_carets_is_what_the_range_holds(line, column, length, columns):
    rows = drawn([line], at(1, column, column + length), columns=columns)
    assert width(rows[0]) <= columns
    assert width(rows[1]) <= columns + 1
    if "\t" in line or column > len(line) or width(visible(line)) > columns:
        return
    start = rows[1].index("^")
    if line[column - 1 :].startswith("\u0301") or line.startswith("\u0301"):
        return
    assert width(visible(line[: column - 1])) == start


def test_wrap_breaks_at_blanks_and_keeps_long_words_whole():
    assert wrap("a bb ccc dddddddddd e", 6) == ["a bb", "ccc", "dddddddddd", "e"]
    assert wrap("研究 研究", 5) == ["研究", "研究"]
    assert wrap("", 5) == [""]
    assert wrap("  ab cd", 5) == ["  ab", "  cd"]
