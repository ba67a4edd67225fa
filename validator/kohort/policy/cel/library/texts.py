"""Functions of texts. Source: cel-go's string extension and Kubernetes' regular expressions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from kohort.policy.cel.library.patterns import matcher
from kohort.policy.cel.values import word_for
from kohort.policy.cel.wrong import Wrong


def text(value: Any, name: str) -> str:
    """The value, if it is a text. Raises Wrong with the name of the function that takes one."""
    if isinstance(value, str):
        return value
    raise Wrong(f"`{name}` takes a string, not {word_for(value)}")


def place(value: Any, name: str, most: int) -> int:
    """The value, if it is a place of a text or list with so many elements, the end included."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise Wrong(f"`{name}` takes a whole number, not {word_for(value)}")
    if not 0 <= value <= most:
        raise Wrong(f"`{name}` is given the place {value} of {most}")
    return int(value)


def char_at(value: Any, at: Any) -> str:
    """One character; the empty text at the end."""
    found = text(value, "charAt")
    return found[place(at, "charAt", len(found)) :][:1]


def substring(value: Any, start: Any, end: Any = None) -> str:
    """From one place up to another."""
    found = text(value, "substring")
    last = len(found) if end is None else place(end, "substring", len(found))
    first = place(start, "substring", len(found))
    if first > last:
        raise Wrong(f"`substring` is given an end, {last}, before its start, {first}")
    return found[first:last]


def index_of(value: str, part: Any, start: Any = 0) -> int:
    """The first place of a part from `start` on; -1 where there is none."""
    return value.find(text(part, "indexOf"), place(start, "indexOf", len(value)))


def last_index_of(value: str, part: Any, start: Any = None) -> int:
    """The last place of a part up to `start`; -1 where there is none."""
    found = text(part, "lastIndexOf")
    return value.rfind(
        found, 0, len(value) if start is None else place(start, "lastIndexOf", len(value)) + len(found)
    )


def replace(value: Any, old: Any, new: Any, most: Any = -1) -> str:
    """With parts replaced, at most so many where the number is not negative."""
    return text(value, "replace").replace(
        text(old, "replace"), text(new, "replace"), max(-1, _count(most, "replace"))
    )


def split(value: Any, by: Any, most: Any = -1) -> list[str]:
    """Parts, at most so many where the number is not negative."""
    found, count = text(value, "split"), _count(most, "split")
    if count == 0:
        return []
    sign = text(by, "split")
    if sign:
        return found.split(sign, count - 1 if count > 0 else -1)
    if count < 0 or count >= len(found):
        return list(found)
    return [*found[: count - 1], found[count - 1 :]]


def _count(value: Any, name: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise Wrong(f"`{name}` takes a whole number, not {word_for(value)}")
    return int(value)


def join(values: Any, by: Any = "") -> str:
    """Texts as one, with another between."""
    if not isinstance(values, list):
        raise Wrong(f"`join` takes a list of strings, not {word_for(values)}")
    return text(by, "join").join(text(each, "join") for each in values)


def _letters(change: Callable[[str], str]) -> Callable[[Any], str]:
    def of(value: Any) -> str:
        return "".join(
            change(one) if one.isascii() else one for one in text(value, "lowerAscii or upperAscii")
        )

    return of


def quote(value: Any) -> str:
    """As CEL would write it."""
    known = {"\a": "\\a", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\v": "\\v"}
    known |= {"\\": "\\\\", '"': '\\"'}
    return f'"{"".join(known.get(one, one) for one in text(value, "strings.quote"))}"'


def matches(value: Any, pattern: Any) -> bool:
    """Whether a regular expression matches a part of the text."""
    return matcher(text(pattern, "matches")).search(text(value, "matches")) is not None


def find(value: Any, pattern: Any) -> str:
    """The first match of a regular expression, or the empty text."""
    found = matcher(text(pattern, "find")).search(text(value, "find"))
    return found.group() if found else ""


def find_all(value: Any, pattern: Any, most: Any = -1) -> list[str]:
    """All matches, at most `most` where that is not negative."""
    count, found, end = _count(most, "findAll"), [], -1
    for each in matcher(text(pattern, "findAll")).finditer(text(value, "findAll")):
        if each.end() > each.start() or each.start() != end:  # nothing right behind a match is no match
            found.append(each.group())
        end = each.end()
    return found if count < 0 else found[:count]


def _about(name: str, ask: Callable[[str, str], bool]) -> Callable[[Any, Any], bool]:
    return lambda value, part: ask(text(value, name), text(part, name))


TEXTS: Final[Mapping[str, Callable[..., Any]]] = {
    "charAt": char_at,
    "substring": substring,
    "replace": replace,
    "split": split,
    "join": join,
    "trim": lambda value: text(value, "trim").strip(),
    "lowerAscii": _letters(str.lower),
    "upperAscii": _letters(str.upper),
    "strings.quote": quote,
    "startsWith": _about("startsWith", str.startswith),
    "endsWith": _about("endsWith", str.endswith),
    "contains": _about("contains", lambda value, part: part in value),
    "matches": matches,
    "find": find,
    "findAll": find_all,
}
