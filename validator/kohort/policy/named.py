"""The `variables` of a policy for one subject: each is evaluated when an expression first names it, as the API server does.

So a variable that cannot be had where `when` is false, or in a branch that is not taken, spoils nothing there.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Protocol

from kohort.dataclass import dataclass
from kohort.model.policy import Policy
from kohort.policy.cel import Answer, Failure
from kohort.policy.cel.tokens import words
from kohort.spans import Path


class Asks(Protocol):
    """What is needed of an evaluator."""

    def ask(
        self, expression: str, known: tuple[str, ...] = (), variables: Mapping[str, Any] | None = None
    ) -> Answer:
        """The value of an expression."""

    def begin(self) -> None:
        """What follows is another policy's."""


@dataclass(frozen=True, slots=True)
class Unanswered:
    """An expression that gave no usable value. `path` leads to it in the policy's document."""

    path: Path
    expression: str
    answer: Answer


class Named:
    """Asks a policy's expressions of one subject, with the variables that each of them needs."""

    def __init__(
        self, policy: Policy, evaluator: Asks, known: tuple[str, ...], variables: Mapping[str, Any]
    ) -> None:
        self._policy = policy
        self._evaluator = evaluator
        self._known = known
        self._variables = variables
        self._values: dict[str, Any] = {}
        self._failed: dict[str, Unanswered] = {}

    def ask(self, path: Path, expression: str) -> Answer | Unanswered:
        """The value of an expression, or what gave none: itself, or a variable that it needs."""
        return self._ask(path, expression, len(self._policy.variables))

    def _ask(self, path: Path, expression: str, before: int) -> Answer | Unanswered:
        """The same where only the first `before` variables are known: a variable sees those above it."""
        names, missing = named_in(expression), []
        for index, (name, text) in enumerate(self._policy.variables[:before]):
            if names is not None and name not in names:
                continue
            if name not in self._values and name not in self._failed:
                said = self._ask(("spec", "variables", index, "expression"), text, index)
                if isinstance(said, Answer):
                    self._values[name] = said.value
                elif said.answer.failure is not Failure.RUN:
                    return said
                else:
                    self._failed[name] = said
            if name in self._failed:
                missing.append(self._failed[name])
        seen = {**self._variables, "variables": dict(self._values)}
        answer = self._evaluator.ask(expression, self._known, seen)
        if not answer.failure:
            return answer
        return (
            missing[0] if missing and answer.failure is Failure.RUN else Unanswered(path, expression, answer)
        )


@lru_cache(maxsize=1024)
def named_in(expression: str) -> Mapping[str, int] | None:
    """The names after `variables.` and where; None where `variables` is used in another way, so that any may be meant."""
    found, named = list(words(expression)), dict[str, int]()
    for index, word in enumerate(found):
        if word.text != "variables" or word.kind != "name" or (index and found[index - 1].text == "."):
            continue
        rest = found[index + 1 : index + 3]
        if len(rest) < 2 or rest[0].text != "." or rest[1].kind != "name":
            return None
        named.setdefault(rest[1].text, rest[1].offset)
    return named
