"""One policy, one subject: the rules that do not hold, or the expression that gave no answer."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from kohort.dataclass import dataclass
from kohort.model.policy import Policy, PolicyRule
from kohort.policy.cel import Answer, Failure
from kohort.policy.named import Asks, Named, Unanswered
from kohort.spans import Path

__all__ = ["Asks", "Said", "Unanswered", "Violation", "ask"]


@dataclass(frozen=True, slots=True)
class Violation:
    """A rule that does not hold, with what it says.

    `unsaid` is its messageExpression where that could not say it; `broken` where it never could.
    """

    rule: PolicyRule
    message: str
    unsaid: Unanswered | None = None
    broken: bool = False


Said = Violation | Unanswered


def ask(
    policy: Policy, evaluator: Asks, known: tuple[str, ...], variables: Mapping[str, Any]
) -> Iterator[Said]:
    """What the policy says of one subject. The first expression without an answer ends it."""
    named = Named(policy, evaluator, known, variables)
    if policy.when:
        holds = _truth(named, ("spec", "when"), policy.when)
        if isinstance(holds, Unanswered):
            yield holds
            return
        if not holds:
            return
    for rule in policy.rules:
        holds = _truth(named, (*rule.path, "expression"), rule.expression)
        if isinstance(holds, Unanswered):
            yield holds
            return
        if not holds:
            violation = _violation(rule, named)
            yield violation
            if violation.unsaid is not None and violation.broken:
                yield violation.unsaid  # asked of everything that breaks the rule, it would fail as often
                return


def _truth(named: Named, path: Path, expression: str) -> bool | Unanswered:
    answer = named.ask(path, expression)
    if isinstance(answer, Unanswered):
        return answer
    if isinstance(answer.value, bool):
        return answer.value
    return _other(path, expression, answer.value, "not true or false")


def _other(path: Path, expression: str, value: Any, wanted: str) -> Unanswered:
    shown = json.dumps(value, ensure_ascii=False)
    return Unanswered(path, expression, Answer(failure=Failure.RUN, text=f"it gave {shown:.60}, {wanted}"))


def _violation(rule: PolicyRule, named: Named) -> Violation:
    """What the rule says; a message that cannot be made never hides the violation."""
    if not rule.message_expression:
        return Violation(rule, rule.message)
    path = (*rule.path, "messageExpression")
    answer = named.ask(path, rule.message_expression)
    broken = False
    if isinstance(answer, Answer):
        if isinstance(answer.value, str) and answer.value.strip():
            return Violation(rule, answer.value)
        broken = not isinstance(answer.value, str)
        answer = _other(path, rule.message_expression, answer.value, "not a text")
    why = f"`{rule.expression}` does not hold (its messageExpression failed: {answer.answer.text})"
    return Violation(rule, rule.message or why, answer, broken or answer.answer.failure is not Failure.RUN)
