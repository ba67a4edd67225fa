"""Policy tests: examples against what the policy says of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from kohort.dataclass import dataclass
from kohort.diagnostics import Finding
from kohort.diagnostics.suggest import did_you_mean
from kohort.model.policy import Policy, PolicyCase, PolicyTest
from kohort.objects.names import visible
from kohort.policy.admission import asked_of_server
from kohort.policy.ask import Asks, Said, Unanswered, Violation, ask
from kohort.policy.codes import row
from kohort.policy.judge import sees, unanswered


@dataclass(frozen=True, slots=True)
class Ran:
    """One example: how it is called, and the finding when it came out differently."""

    policy: str
    case: str
    finding: Finding | None


def run(test: PolicyTest, policies: Mapping[str, Policy], evaluator: Asks) -> Iterator[Ran]:
    """Each example of a test in order."""
    policy = policies.get(test.policy)
    if policy is None:
        likely = did_you_mean(test.policy, policies, 1)
        hint = f"; did you mean `{likely[0]}`?" if likely else ""
        text = visible(f"there is no policy `{test.policy}`{hint}")
        finding = row("POL106").finding(
            text, test.origin.child("spec", "policy"), subject=f"PolicyTest {test.name}"
        )
        yield Ran(test.policy, test.name, finding)
        return
    evaluator.begin()
    for case in test.cases:
        strange = sorted(case.given.keys() - sees(policy))
        if strange:
            yield Ran(policy.name, case.name, _unseen(policy, test, case, strange))
            continue
        said = list(ask(policy, evaluator, (), _given(policy, case)))
        yield Ran(policy.name, case.name, _wrong(policy, test, case, said))


def _unseen(policy: Policy, test: PolicyTest, case: PolicyCase, strange: list[str]) -> Finding:
    """An example of something that the policy cannot see: it would show nothing."""
    near = did_you_mean(strange[0], sorted(sees(policy)), 1)
    hint = f"; did you mean `{near[0]}`?" if near else ""
    text = f"policy {policy.name}: example `{case.name}` gives `{strange[0]}`, which the policy does not see{hint}"
    return row("POL105").finding(
        visible(text),
        test.origin.child(*case.path, "given", strange[0], part="key"),
        subject=f"PolicyTest {test.name}",
        help=(f"it sees {', '.join(sorted(sees(policy)))}",),
    )


def _given(policy: Policy, case: PolicyCase) -> Mapping[str, Any]:
    """What an example gives, and where the API server is asked too what it adds by itself."""
    obj = case.given.get("object")
    if policy.admission is None or not isinstance(obj, Mapping):
        return case.given
    return {**asked_of_server(obj, None), **case.given}


def _wrong(policy: Policy, test: PolicyTest, case: PolicyCase, said: list[Said]) -> Finding | None:
    silent = [each for each in said if isinstance(each, Unanswered)]
    silent += [each.unsaid for each in said if isinstance(each, Violation) and each.unsaid is not None]
    if silent:
        return unanswered(policy, silent[0], f"example `{case.name}`")
    messages = [each.message for each in said if not isinstance(each, Unanswered)]
    if case.passes and messages:
        wrong = f"should pass, and is told: {messages[0]}"
    elif not case.passes and not messages:
        wrong = "should fail, and passes"
    elif not case.passes and case.message and not any(case.message in text for text in messages):
        wrong = f"should be told `{case.message}`, and is told: {messages[0]}"
    else:
        return None
    return row("POL105").finding(
        visible(f"policy {policy.name}: example `{case.name}` {wrong}"),
        test.origin.child(*case.path),
        subject=f"PolicyTest {test.name}",
    )
