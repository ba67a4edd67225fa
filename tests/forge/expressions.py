"""Expressions of GitHub's workflows, as far as ours use them: paths, texts, `==`, `!=`, `!`, `&&`, `||`, `format`, states."""

from __future__ import annotations

import re

TOKEN = re.compile(r"\s*(?:('(?:[^']|'')*')|(\d+)|(==|!=|&&|\|\||[!(),])|([A-Za-z_][\w-]*(?:\.[\w-]+)*))")
WHOLE = re.compile(r"\$\{\{\s*(.*?)\s*\}\}")


def filled(text, contexts):
    """A text with its expressions replaced by what they give."""
    return WHOLE.sub(lambda m: shown(value(m.group(1), contexts)), str(text))


def holds(condition, contexts):
    """Whether a step or job with this `if` runs; without a state function, success is asked for, as GitHub does."""
    given = WHOLE.sub(lambda m: m.group(1), condition or "success()")
    told = bool(value(given, contexts))
    return told and (
        contexts["status"] == "success" or bool(re.search(r"\b(always|cancelled|failure)\(\)", given))
    )


def shown(found):
    return "" if found is None else str(found).lower() if isinstance(found, bool) else str(found)


def value(text, contexts):
    tokens, rest = [], text.strip()
    while rest:
        found = TOKEN.match(rest)
        assert found, f"no expression that is known here: {rest!r}"
        tokens.append(found.groups())
        rest = rest[found.end() :].strip()
    reading = _Reading(tokens, contexts)
    found = reading.either()
    assert not reading.tokens, text
    return found


class _Reading:
    def __init__(self, tokens, contexts):
        self.tokens, self.contexts = list(tokens), contexts

    def _next(self, *signs):
        if self.tokens and self.tokens[0][2] in signs:
            return self.tokens.pop(0)[2]
        return None

    def either(self):
        found = self.both()
        while self._next("||"):
            other = self.both()
            found = found or other
        return found

    def both(self):
        found = self.equal()
        while self._next("&&"):
            other = self.equal()
            found = found and other
        return found

    def equal(self):
        found = self.one()
        sign = self._next("==", "!=")
        return found if sign is None else (shown(found) == shown(self.one())) is (sign == "==")

    def one(self):
        if self._next("!"):
            return not self.one()
        if self._next("("):
            found = self.either()
            assert self._next(")")
            return found
        text, number, _, name = self.tokens.pop(0)
        if text:
            return text[1:-1].replace("''", "'")
        if number:
            return int(number)
        return self.call(name) if self._next("(") else self.look_up(name)

    def call(self, name):
        given = []
        while not self._next(")"):
            given.append(self.either())
            self._next(",")
        if name == "format":
            return re.sub(r"\{(\d+)\}", lambda m: shown(given[int(m.group(1)) + 1]), given[0])
        states = {"success": "success", "failure": "failure", "cancelled": "cancelled"}
        return name == "always" or self.contexts["status"] == states[name]

    def look_up(self, path):
        found = self.contexts
        for part in path.split("."):
            found = found.get(part) if isinstance(found, dict) else None
        return found
