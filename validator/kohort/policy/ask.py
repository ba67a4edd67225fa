"""One policy, one subject: the rules that do not hold, or the expression that gave no answer."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, Protocol

from kohort.dataclass import dataclass
from kohort.model.policy import Policy, PolicyRule
from kohort.policy.cel import Answer, Failure
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
class Violation:
    """A rule that does not hold, with what it says."""

    rule: PolicyRule
    message: str


@dataclass(frozen=True, slots=True)
class Unanswered:
    """An expression that gave no usable value. `path` leads to it in the policy's document."""

    path: Path
    expression: str
    answer: Answer


Said = Violation | Unanswered


def ask(
    policy: Policy, evaluator: Asks, known: tuple[str, ...], variables: Mapping[str, Any]
) -> Iterator[Said]:
    """What the policy says of one subject. The first expression without an answer ends it."""
    named: dict[str, Any] = {}
    seen = {**variables, "variables": named}
    for index, (name, expression) in enumerate(policy.variables):
        answer = evaluator.ask(expression, known, seen)
        if answer.failure:
            yield Unanswered(("spec", "variables", index, "expression"), expression, answer)
            return
        named[name] = answer.value
    if policy.when:
        holds = _truth(evaluator.ask(policy.when, known, seen))
        if isinstance(holds, Answer):
            yield Unanswered(("spec", "when"), policy.when, holds)
            return
        if not holds:
            return
    for rule in policy.rules:
        holds = _truth(evaluator.ask(rule.expression, known, seen))
        if isinstance(holds, Answer):
            yield Unanswered((*rule.path, "expression"), rule.expression, holds)
            return
        if not holds:
            message, failed = _message(rule, evaluator, known, seen)
            yield Violation(rule, message)
            if failed is not None:  # asked of everything that breaks the rule, it would fail as often
                path = (*rule.path, "messageExpression")
                yield Unanswered(path, rule.message_expression, failed)
                return


def _truth(answer: Answer) -> bool | Answer:
    if answer.failure:
        return answer
    if isinstance(answer.value, bool):
        return answer.value
    shown = json.dumps(answer.value, ensure_ascii=False)
    return Answer(failure=Failure.RUN, text=f"it gave {shown:.60}, not true or false")


def _message(
    rule: PolicyRule, evaluator: Asks, known: tuple[str, ...], variables: Mapping[str, Any]
) -> tuple[str, Answer | None]:
    """What the rule says; a message that cannot be made never hides the violation.

    With it the answer of an expression that did not even fail by itself: that is a defect of the policy, whatever is
    said instead.
    """
    failed = None
    if rule.message_expression:
        answer = evaluator.ask(rule.message_expression, known, variables)
        if isinstance(answer.value, str) and answer.value and not answer.failure:
            return answer.value, None
        failed = answer if answer.failure not in (None, Failure.RUN) else None
        if not rule.message:
            why = answer.text or "it gave no text"
            return f"`{rule.expression}` does not hold (its messageExpression failed: {why})", failed
    return rule.message, failed
