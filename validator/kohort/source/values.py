"""Plain values from libyaml's events in one loop, with everything that is wrong on the way.

The loop is the hot path of the whole program: it resolves scalars itself, keeps no tree and no marks, and asks for
words only where something is odd. Places are found again, for the few findings, by `Positions`.
"""

from __future__ import annotations

import math
from dataclasses import field, replace
from typing import Any, Final

from yaml.error import MarkedYAMLError
from yaml.events import (
    AliasEvent,
    DocumentEndEvent,
    DocumentStartEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
)

from kohort.dataclass import dataclass
from kohort.source import codes
from kohort.source.decode import split_lines
from kohort.source.dialect import (
    HINTS,
    Scalar,
    TagError,
    key_text,
    known_tag,
    resolve_plain,
    resolve_tagged,
    show_tag,
)
from kohort.source.events import events
from kohort.source.expand import Budget, TooMuchError, copied, merged
from kohort.source.frames import (
    BAD,
    COMPLEX,
    ITEM,
    MERGE,
    MERGED,
    NEXT,
    path_of,
    shortened,
    spot_of,
    type_name,
)
from kohort.source.problem import Problem, Spot
from kohort.source.recover import MOST_BROKEN, blanked, next_document
from kohort.source.syntax import explain, too_deep
from kohort.spans import Path

MOST_LEVELS: Final = 200
_MOST_REMEMBERED = 20_000
_MOST_OF_A_KIND = 500


class _Resolved(dict[str, Scalar]):
    """Plain scalars repeat: remember what they read as."""

    def __missing__(self, text: str) -> Scalar:
        value = resolve_plain(text)
        if len(self) < _MOST_REMEMBERED and len(text) < MOST_LEVELS:
            self[text] = value
        return value


_RESOLVED = _Resolved()


class _RefusedError(Exception):
    """The document cannot be used; the problem says why and `index` where in the text."""

    def __init__(self, problem: Problem, index: int) -> None:
        super().__init__(problem.message)
        self.problem, self.index = problem, index


@dataclass(slots=True)
class Values:
    """What a text holds. `documents` are (index, value) of those that could be read, null ones included."""

    documents: list[tuple[int, Any]] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    broken: list[Problem] = field(default_factory=list)  # those of the problems that cost a whole document


def read_values(text: str) -> Values:
    """All documents of a text. Raises yaml.reader.ReaderError for characters that YAML does not allow."""
    reading = _Reading(text, careful=False)
    if reading.repeats:
        # Duplicates are rare: only then the places of keys are worth keeping.
        reading = _Reading(text, careful=True)
    return reading.result


class _Reading:
    def __init__(self, text: str, *, careful: bool) -> None:
        self.result = Values()
        self.repeats = 0
        self._text = text
        self._budget = Budget(text)
        self._careful = careful
        self._marks: dict[tuple[int, Any], list[Spot]] = {}
        self._repeated: dict[tuple[int, Any], Path] = {}
        self._counts: dict[str, int] = {}
        self._read()

    def _read(self) -> None:
        source, beyond = self._text, -1
        for _ in range(MOST_BROKEN):
            self._document_start = beyond
            self._index = index = len(self.result.documents) + len(self.result.broken)
            self._found: list[Problem] = []
            try:
                self._loop(source)
            except MarkedYAMLError as error:
                mark = error.problem_mark or error.context_mark
                problem = explain(error, list(split_lines(self._text)), self._index)
                where = mark.index if mark is not None else len(source)
            except _RefusedError as refused:
                problem, where = refused.problem, refused.index
            else:
                return
            self.result.problems.append(problem)
            self.result.broken.append(problem)
            following = next_document(self._text, where, max(self._document_start, beyond))
            if following is None:
                return
            source, beyond = blanked(self._text, following), following
            assert self._index >= index

    def _loop(self, source: str) -> None:  # noqa: C901, PLR0912, PLR0915 - the hot loop stays in one frame
        next_event = events(source)
        resolved, hints = _RESOLVED, HINTS
        anchors: dict[str, Any] = {}
        root: list[Any] = []
        stack: list[tuple[Any, Any]] = []
        box: Any = root
        key: Any = ITEM
        self._doomed: list[tuple[Any, Any]] = []
        self._repeated.clear()
        self._merges: list[tuple[Any, frozenset[str]]] = []
        while (event := next_event()) is not None:
            kind = event.__class__
            if kind is ScalarEvent:
                value = event.value
                if event.tag is not None:
                    value = self._tagged(event, stack, box, key)
                elif not event.style and value[:1] in hints:
                    value = resolved[value]
                    if value.__class__ is float and not math.isfinite(value) and key is not NEXT:
                        value = self._not_json(event, stack, box, key)
                if event.anchor is not None:
                    anchors[event.anchor] = value
                if key is ITEM:
                    box.append(value)
                elif key is not NEXT:
                    box[key] = value
                    key = NEXT
                else:
                    key = value
                    if value.__class__ is not str or value == MERGE:
                        key = self._odd_key(event, value, stack, box)
                    if key in box:
                        self._repeat(box, key, event, stack)
                    elif self._careful:
                        self._marks[(id(box), key)] = [spot_of(event)]
            elif kind is MappingStartEvent or kind is SequenceStartEvent:
                if len(stack) >= MOST_LEVELS:
                    raise _RefusedError(too_deep(event.start_mark, self._index), event.start_mark.index)
                new: Any = {} if kind is MappingStartEvent else []
                if event.tag is not None and not known_tag(event.tag, scalar=False):
                    self._unknown_tag(event, stack, box, key)
                if event.anchor is not None:
                    anchors[event.anchor] = new
                if key is ITEM:
                    box.append(new)
                elif key is NEXT:
                    key = COMPLEX
                    self._bad_key(event, "a mapping" if kind is MappingStartEvent else "a list")
                else:
                    box[key] = new
                stack.append((box, key))
                box = new
                key = NEXT if kind is MappingStartEvent else ITEM
            elif kind is MappingEndEvent or kind is SequenceEndEvent:
                if kind is MappingEndEvent:
                    self._finish(box, stack)
                box, key = stack.pop()
                if key is COMPLEX:
                    key = BAD
                    self._doomed.append((box, BAD))
                elif key is not ITEM:
                    key = NEXT
            elif kind is AliasEvent:
                value = self._alias(event, anchors, stack, box, key)
                if key is ITEM:
                    box.append(value)
                elif key is not NEXT:
                    box[key] = value
                    key = NEXT
                else:
                    key = self._alias_key(event, value, box)
                    if key in box:
                        self._repeat(box, key, event, stack)
                    elif self._careful:
                        self._marks[(id(box), key)] = [spot_of(event)]
            elif kind is DocumentStartEvent:
                self._document_start = event.start_mark.index
                anchors, root, self._found = {}, [], []
                self._marks.clear()
                box = root
            elif kind is DocumentEndEvent:
                self.result.documents.append((self._index, root[0]))
                self.result.problems += self._found
                self._index += 1
                self._document_start = event.end_mark.index - 1

    def _tagged(self, event: Any, stack: list[tuple[Any, Any]], box: Any, key: Any) -> Scalar:
        text: str = event.value
        tag: str = event.tag
        if not known_tag(tag, scalar=True):
            self._unknown_tag(event, stack, box, key)
        try:
            value = resolve_tagged(tag, text)
        except TagError as error:
            message = f'"{shortened(text)}" cannot be read as {error}'
            self._report(self._at(codes.BAD_TAG, message, stack, box, key))
            return text
        if isinstance(value, float) and not math.isfinite(value):
            return self._not_json(event, stack, box, key)
        return value

    def _not_json(self, event: Any, stack: list[tuple[Any, Any]], box: Any, key: Any) -> str:
        """The text stands for the number, so that no later step meets an infinity."""
        what = "not a number" if math.isnan(float(event.value.replace(".", ""))) else "infinite"
        message = f"{event.value} is {what}, which JSON and so Kubernetes cannot say"
        self._report(self._at(codes.NOT_JSON, message, stack, box, key))
        return str(event.value)

    def _unknown_tag(self, event: Any, stack: list[tuple[Any, Any]], box: Any, key: Any) -> None:
        as_what = "as plain text" if isinstance(event, ScalarEvent) else "as if the tag were not there"
        message = f"tag {shortened(show_tag(event.tag))} means nothing to Kubernetes: kubectl reads the value {as_what}"
        self._report(self._at(codes.UNKNOWN_TAG, message, stack, box, key))

    def _odd_key(self, event: Any, value: Scalar, stack: list[tuple[Any, Any]], box: Any) -> Any:
        """What to use for a key that is no text, or text that looks like a merge key."""
        if value == MERGE:
            plain = not event.style and (event.tag is None or event.tag.endswith(":merge"))
            if not plain:
                return MERGE
            if not any(owner is box for owner, _ in self._merges):
                self._merges.append((box, frozenset(k for k in box if isinstance(k, str))))
            return MERGED
        text = key_text(value)
        if text is None:
            self._bad_key(event, "null" if value is None else "a number beyond 2^63")
            self._doomed.append((box, BAD))
            return BAD
        path = path_of(stack, box, text)
        if text == event.value:
            message = f"key {text} is {type_name(value)}, used as the text {text!r}".replace("'", '"')
            self._report(Problem(codes.KEY_NOT_TEXT, message, self._index, path, "key"))
        else:
            message = f'key {event.value} without quotes is {type_name(value)} and becomes "{text}"'
            quoted = (f'write "{event.value}": if the text is meant',)
            self._report(Problem(codes.KEY_READS_OTHERWISE, message, self._index, path, "key", help=quoted))
        return text

    def _bad_key(self, event: Any, what: str) -> None:
        message = f"a key cannot be {what}: Kubernetes knows keys of text only"
        self._report(Problem(codes.UNUSABLE_KEY, message, self._index, spot=spot_of(event)))

    def _repeat(self, box: Any, key: Any, event: Any, stack: list[tuple[Any, Any]]) -> None:
        """A key stands there again: its places are collected until the mapping ends."""
        if key is BAD:
            return
        self.repeats += 1
        place = (id(box), key)
        if place not in self._repeated:
            self._doomed.append((box, key))
            self._repeated[place] = path_of(stack, box, MERGE if key is MERGED else key)
        if self._careful and len(self._marks[place]) < _MOST_OF_A_KIND:
            self._marks[place].append(spot_of(event))

    def _drop(self, box: Any, key: Any) -> None:
        """Take out what nobody may use, and say so where it stood twice."""
        box.pop(key, None)
        path = self._repeated.pop((id(box), key), None)
        if path is None or not self._careful:
            return
        marks = self._marks[(id(box), key)]
        # Of several repetitions the second is the finding, the others are named in it.
        related = ((marks[0], "first here"), *((spot, "and here") for spot in marks[2:]))
        message = (
            f'duplicate key "{shortened(MERGE if key is MERGED else key)}" (first at line {marks[0].line})'
        )
        label = "no value is taken from either"
        self._report(
            Problem(codes.DUPLICATE_KEY, message, self._index, path, "key", related=related, label=label)
        )

    def _finish(self, box: dict[Any, Any], stack: list[tuple[Any, Any]]) -> None:
        """At the end of a mapping: bring in what << names, then drop what nobody may use."""
        if self._merges and self._merges[-1][0] is box:
            _, above = self._merges.pop()
            base = box.pop(MERGED, None)
            repeated = (id(box), MERGED) in self._repeated
            names = [] if repeated else merged(box, base)
            path = path_of(stack, box, MERGE)
            if names is None:
                message = f"<< takes a mapping or a list of mappings, not {type_name(base)}"
                self._report(Problem(codes.BAD_MERGE, message, self._index, path))
            elif both := [name for name in names if name in above]:
                listed = ", ".join(shortened(name) for name in both)
                message = (
                    f'"<<" stands below {listed}: kubectl takes the merged value, not the one typed here'
                )
                help_ = ('write "<<" as the first entry of the mapping',)
                self._report(Problem(codes.MERGE_AFTER_KEY, message, self._index, path, "key", help=help_))
        while self._doomed and self._doomed[-1][0] is box:
            self._drop(*self._doomed.pop())

    def _alias(
        self, event: Any, anchors: dict[str, Any], stack: list[tuple[Any, Any]], box: Any, key: Any
    ) -> Any:
        name = event.anchor
        mark = event.start_mark
        if name not in anchors:
            message = f"alias *{shortened(name)} names an anchor that is not defined above it"
            raise _RefusedError(
                Problem(codes.UNKNOWN_ANCHOR, message, self._index, spot=spot_of(event)), mark.index
            )
        value = anchors[name]
        if isinstance(value, dict | list) and any(holder is value for holder, _ in [*stack, (box, key)]):
            message = f"alias *{shortened(name)} stands inside the value that it names"
            raise _RefusedError(
                Problem(codes.ALIAS_LOOP, message, self._index, spot=spot_of(event)), mark.index
            )
        if key is MERGED and isinstance(value, list):
            return _AliasedList(value)  # kubectl takes a list of aliases, not an alias of a list
        try:
            return copied(value, self._budget, MOST_LEVELS - len(stack))
        except TooMuchError:
            message = f"aliases expand to more than {self._budget.allowed:,} values"
            problem = Problem(codes.ALIAS_BOMB, message, self._index, spot=spot_of(event))
            raise _RefusedError(problem, mark.index) from None
        except RecursionError:
            raise _RefusedError(too_deep(mark, self._index), mark.index) from None

    def _alias_key(self, event: Any, value: Any, box: Any) -> Any:
        text = None if isinstance(value, dict | list) else key_text(value)
        if text is None:
            self._bad_key(event, type_name(value))
            self._doomed.append((box, BAD))
            return BAD
        return text

    def _report(self, problem: Problem) -> None:
        """Note a problem; of one kind no more than anybody would read."""
        count = self._counts[problem.rule.code] = self._counts.get(problem.rule.code, 0) + 1
        if count <= _MOST_OF_A_KIND:
            self._found.append(problem)
        elif count == _MOST_OF_A_KIND + 1:
            message = f"{problem.message} (no more findings of this kind are listed for this file)"
            self._found.append(replace(problem, message=message))

    def _at(
        self, rule: codes.ReadingRule, message: str, stack: list[tuple[Any, Any]], box: Any, key: Any
    ) -> Problem:
        return Problem(rule, message, self._index, path_of(stack, box, key))


class _AliasedList(list[Any]):
    """A list that came through an alias."""
