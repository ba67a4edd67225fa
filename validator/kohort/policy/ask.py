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
    """A rule that does not hold, with what it says."""

    rule: PolicyRule
    message: str


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
            message, failed = _message(rule, named)
            yield Violation(rule, message)
            if failed is not None:  # asked of everything that breaks the rule, it would fail as often
                yield failed
                return


def _truth(named: Named, path: Path, expression: str) -> bool | Unanswered:
    answer = named.ask(path, expression)
    if isinstance(answer, Unanswered):
        return answer
    if isinstance(answer.value, bool):
        return answer.value
    shown = json.dumps(answer.value, ensure_ascii=False)
    text = f"it gave {shown:.60}, not true or false"
    return Unanswered(path, expression, Answer(failure=Failure.RUN, text=text))


def _message(rule: PolicyRule, named: Named) -> tuple[str, Unanswered | None]:
    """What the rule says; a message that cannot be made never hides the violation.

    With it the expression that did not even fail by itself: that is a defect of the policy, whatever is said instead.
    """
    if not rule.message_expression:
        return rule.message, None
    answer = named.ask((*rule.path, "messageExpression"), rule.message_expression)
    if isinstance(answer, Answer):
        if isinstance(answer.value, str) and answer.value:
            return answer.value, None
        failed, why = None, "it gave no text"
    else:
        failed, why = (answer if answer.answer.failure is not Failure.RUN else None), answer.answer.text
    if rule.message:
        return rule.message, failed
    return f"`{rule.expression}` does not hold (its messageExpression failed: {why})", failed
