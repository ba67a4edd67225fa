import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from kohort.compiler.scalar import literal_lines, other_scalar, text_scalar


@pytest.mark.parametrize(
    "text",
    [
        *["on", "Off", "NO", "yes", "y", "N", "true", "False", "null", "Null", "~", ""],
        *["8", "-1", "+5", "1e3", "12.10", ".5", "0x1f", "0o17", "017", "1_000", "1:30", "2026-01-31", "1E"],
        *[
            " lead",
            "trail ",
            "a: b",
            "a #b",
            "a:",
            "- a",
            "? a",
            "&a",
            "*a",
            "!a",
            "%a",
            "@a",
            "`a`",
            "{a}",
            "[a]",
        ],
        *["<<", "=", "---", "...", ".inf", ".nan", "#a", "|", ">", "a\tb", "\ufeffa", "\x85", "\u2028"],
        *["8080", "0", "12:30:45", "é", "\x00"],
    ],
)
def test_what_a_reader_could_mistake_is_quoted(text):
    assert text_scalar(text).startswith('"')
    assert yaml.load(text_scalar(text), yaml.CSafeLoader) == text


@pytest.mark.parametrize(
    "text",
    [
        "batch",
        "nvidia.com/gpu",
        "128Gi",
        "500m",
        "2T",
        "kueue.x-k8s.io/v1beta2",
        "a:b",
        "x#y",
        "two words",
        "/a",
    ],
)
def test_what_is_clear_stays_plain(text):
    assert text_scalar(text) == text
    assert yaml.load(text, yaml.CSafeLoader) == text


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"])))
def test_every_text_reads_back(text):
    assert yaml.load(f"k: {text_scalar(text)}\n", yaml.CSafeLoader) == {"k": text}


@given(st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False))
def test_every_other_scalar_reads_back_with_its_type(value):
    read = yaml.load(other_scalar(value), yaml.CSafeLoader)
    assert read == value
    assert type(read) is type(value)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a\nb\n", ("|", ["a", "b"])),
        ("a\n\n  b", ("|-", ["a", "", "  b"])),
        ("one line", None),
        ("a\n\n", None),
        ("\na\n", None),
        (" a\nb\n", None),
        ("a \nb\n", None),
        ("a\tb\nc\n", None),
        ("a\r\nb\n", None),
    ],
)
def test_literal_blocks_only_where_they_keep_the_text(text, expected):
    assert literal_lines(text) == expected
