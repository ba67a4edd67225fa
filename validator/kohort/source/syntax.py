"""Why a text is not YAML, in plain words and at the place that has to be changed."""

from __future__ import annotations

from yaml.error import Mark, MarkedYAMLError

from kohort.diagnostics import CodeDoc
from kohort.source.codes import SYNTAX, TAB, TOO_DEEP
from kohort.source.problem import Problem, Spot

# libyaml's problem → (words, whether the place is where the construct began). Words may use {char}, {opened}.
_WORDS: dict[str, tuple[str, bool]] = {
    "could not find expected ':'": ('expected ":" after this key', True),
    "did not find expected key": (
        "expected a key here: indentation or quotes do not match the lines above",
        False,
    ),
    "did not find expected '-' indicator": ('expected a list item ("- ") here, as in the lines above', False),
    "did not find expected ',' or ']'": (
        'the list opened at line {opened} is not closed: expected "," or "]"',
        False,
    ),
    "did not find expected ',' or '}'": (
        'the mapping opened at line {opened} is not closed: expected "," or "}}"',
        False,
    ),
    "did not find expected node content": ("expected a value here", False),
    "block sequence entries are not allowed in this context": ('a list item ("- ") cannot stand here', False),
    "mapping keys are not allowed in this context": ('"?" cannot stand here: quote it if it is text', False),
    "found unexpected end of stream": ("the quote opened here is never closed", True),
    "found unexpected document indicator": ("the quote opened here is not closed in this document", True),
    "found character that cannot start any token": ('"{char}" cannot begin a value: quote the text', False),
    "found unknown escape character": (
        'unknown escape "{escape}" in double quotes: double the backslash or use single quotes',
        False,
    ),
    "did not find expected hexdecimal number": ('the escape "{escape}" lacks hexadecimal digits', False),
    "found invalid Unicode character escape code": ("the escape names no character", False),
    "did not find expected alphabetic or numeric character": (
        '"{context}" begins an {anchor} and needs a name of letters and digits: quote it if it is text',
        True,
    ),
    "did not find expected <document start>": ('text after the end of the document: expected "---"', False),
    "did not find expected comment or line break": (
        'nothing may follow here on the line of "{context}"',
        False,
    ),
    "found undefined tag handle": ("the tag's prefix is not declared", True),
    "found unknown directive name": (
        '"%" begins a directive that YAML does not know: quote it if it is text',
        True,
    ),
}
_SECOND_COLON = 'a second ": " on one line: quote the value'
_STRAY_COLON = 'unexpected ":": the indentation is wrong, or the line above is not finished'


def explain(error: MarkedYAMLError, lines: list[str], document: int) -> Problem:
    """The problem behind libyaml's error. `lines` are those of the text."""
    place, began = error.problem_mark or error.context_mark, error.context_mark
    problem = error.problem or "unknown problem"
    if place is None:
        return Problem(SYNTAX, f"not YAML: {problem}", document, spot=Spot(1, 1))
    if "nesting" in problem:
        return too_deep(place, document)
    tab = _tab(place, lines, in_scalar="tab character" in problem)
    if tab is not None:
        return Problem(TAB, "tab used for indentation", document, spot=tab, label="indent with spaces")
    words, at_begin = _words(problem, place, lines)
    mark = began if at_begin and began is not None else place
    text = words.format(
        char=_char(lines, place),
        context=_char(lines, began or place),
        opened=(began or place).line + 1,
        escape=_line(lines, place)[place.column : place.column + 2],
        anchor="alias" if "alias" in (error.context or "") else "anchor",
    )
    related: tuple[tuple[Spot, str], ...] = ()
    if began is not None and "is not closed" in words and mark is not began:
        related = ((Spot(began.line + 1, began.column + 1, began.column + 2), "opened here"),)
    return Problem(_rule(problem), text, document, spot=_spot(mark, lines), related=related)


def too_deep(mark: Mark, document: int) -> Problem:
    """More levels than any object has."""
    spot = Spot(mark.line + 1, mark.column + 1, mark.column + 2)
    return Problem(TOO_DEEP, "nested more than 200 levels deep", document, spot=spot)


def _rule(problem: str) -> CodeDoc:
    return TAB if "tab character" in problem else SYNTAX


def _words(problem: str, place: Mark, lines: list[str]) -> tuple[str, bool]:
    if problem.startswith("mapping values are not allowed"):
        return (_SECOND_COLON if ": " in _line(lines, place)[: place.column] else _STRAY_COLON), False
    return _WORDS.get(problem, ("not YAML: " + problem.replace("{", "{{").replace("}", "}}"), False))


def _tab(place: Mark, lines: list[str], *, in_scalar: bool) -> Spot | None:
    """The tab that the error is about: at the place, or in the blanks that begin its line."""
    line = _line(lines, place)
    if line[place.column : place.column + 1] == "\t":
        return Spot(place.line + 1, place.column + 1, place.column + 2)
    blanks = line[: len(line) - len(line.lstrip(" \t"))]
    if "\t" in blanks or in_scalar:
        column = max(blanks.find("\t"), 0)
        return Spot(place.line + 1, column + 1, column + 2)
    return None


def _spot(mark: Mark, lines: list[str]) -> Spot:
    """From the mark to the end of the word there; the last line with text where the mark is behind the text."""
    number = mark.line
    if number >= len(lines) or (not _line(lines, mark)[mark.column :].strip() and number == len(lines) - 1):
        number = next((n for n in range(min(number, len(lines) - 1), -1, -1) if lines[n].strip()), 0)
        column = len(lines[number].rstrip()) + 1 if lines else 1
        return Spot(number + 1, max(column, 1), max(column, 1) + 1)
    word = _line(lines, mark)[mark.column :].split(None, 1)
    at_word = bool(word) and not _char(lines, mark).isspace()
    length = len(word[0]) if at_word else 1
    return Spot(number + 1, mark.column + 1, mark.column + 1 + max(length, 1))


def _line(lines: list[str], mark: Mark) -> str:
    return lines[mark.line] if mark.line < len(lines) else ""


def _char(lines: list[str], mark: Mark) -> str:
    return _line(lines, mark)[mark.column : mark.column + 1]
