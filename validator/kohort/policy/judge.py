"""Policies over everything they are about, as findings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, Protocol

from kohort.diagnostics import Finding, Label
from kohort.model.policy import Policy
from kohort.objects.names import visible
from kohort.policy.admission import SERVER, expressions, foreign, wanted_of
from kohort.policy.ask import Asks, Unanswered, Violation, ask
from kohort.policy.cel import Answer, Failure
from kohort.policy.cel.check import given
from kohort.policy.cel.result import DYN
from kohort.policy.cel.wrong import place as position
from kohort.policy.codes import row
from kohort.policy.named import named_in
from kohort.policy.subject import Asked
from kohort.spans import Path, show_path


class Compiles(Protocol):
    """What is needed of an evaluator to look at an expression without asking it."""

    def compiles(self, expression: str, variables: Iterable[str] | None = None) -> Answer:
        """An answer without a failure where it could be asked."""

    def begin(self) -> None:
        """What follows is another policy's."""


_CODES: Final = {
    Failure.SYNTAX: "POL101",
    Failure.COST: "POL102",
    Failure.TIME: "POL103",
    Failure.RUN: "POL104",
    Failure.WORKER: "POL104",
}
_LONGEST: Final = 2_000  # characters of one message


def judge(
    policy: Policy, subjects: Iterable[Asked], evaluator: Asks, known: tuple[str, ...]
) -> Iterator[Finding]:
    """What the policy says of the subjects. `known` names the variables that all of them share.

    An expression that gives no answer is one finding at its line, and ends the policy: its other answers would only
    repeat it, and it has judged nothing from there on.
    """
    evaluator.begin()
    for subject in subjects:
        for said in ask(policy, evaluator, known, subject.variables):
            if isinstance(said, Unanswered):
                yield unanswered(policy, said, subject.name, _absent(subject))
                return
            yield _violated(policy, said, subject)


def uncompiled(policy: Policy, evaluator: Compiles) -> Iterator[Finding]:
    """Every expression of the policy that is no CEL, names what is not there or may cost too much, asked or not."""
    evaluator.begin()
    server = list(foreign(policy))
    told = {finding.primary.origin.path for finding in server}
    for place, (path, text) in enumerate(expressions(policy)):
        answer = evaluator.compiles(text, sees(policy))
        if answer.failure is None:
            answer = _formed(policy, place, path, text)
        if answer.failure is not None and not (answer.failure is Failure.SYNTAX and path in told):
            yield unanswered(policy, Unanswered(path, text, answer), "")
    yield from server


def _formed(policy: Policy, place: int, path: Path, text: str) -> Answer:
    """Whether the expression names only variables above it, and can give what is wanted of it."""
    named = named_in(text) or {}
    known = [name for name, _ in policy.variables[:place]]
    for name, offset in named.items():
        if name not in known:
            there = f"declared above it: {', '.join(known)}" if known else "none is declared above it"
            line, column = position(text, offset)
            return Answer(
                None, Failure.SYNTAX, f"there is no variable `variables.{name}` ({there})", line, column
            )
    if path[1] == "variables":
        return Answer(True)
    wanted = wanted_of(path)
    found = given(text, {})
    if found in ("", DYN, wanted):
        return Answer(True)
    needs = "a text" if wanted == "string" else "true or false"
    return Answer(
        None, Failure.SYNTAX, f"it must give {needs}, and gives {found.replace('null_type', 'null')}"
    )


def sees(policy: Policy) -> frozenset[str]:
    """The names of the variables that its expressions may use, see docs/policies.md."""
    named = {"repository", "actor", "variables"}
    if policy.subject == "object":
        named |= {"object", "cluster", "pods"}
    if policy.change:
        named |= {"before", "after", "delta"}
    elif policy.subject != "repository":
        named.add(policy.subject)
    return frozenset(named | SERVER if policy.admission is not None else named)


def _absent(subject: Asked) -> str:
    """Advice where a side of a change does not exist: most expressions that fail forgot that."""
    names = [
        name for name in ("before", "after") if name in subject.variables and subject.variables[name] is None
    ]
    return (
        f"`{names[0]}` is null here: ask `{names[0]} != null` first, in `when` for instance" if names else ""
    )


def unanswered(policy: Policy, said: Unanswered, about: str, advice: str = "") -> Finding:
    """The finding for an expression without an answer; `about` names what it was asked of."""
    answer = said.answer
    assert answer.failure is not None
    place = f" (line {answer.line}, column {answer.column} of the expression)" if answer.column else ""
    asked = f", asked about {about}" if answer.failure in (Failure.RUN, Failure.TIME) and about else ""
    text = f"policy {policy.name}: `{_short(said.expression)}` {answer.failure.value}{asked}: {answer.text}{place}"
    return row(_CODES[answer.failure]).finding(
        visible(text),
        policy.origin.child(*said.path),
        subject=f"Policy {policy.name}",
        help=tuple(text for text in (advice, "what it should judge is not judged until it answers") if text),
    )


def _violated(policy: Policy, said: Violation, subject: Asked) -> Finding:
    doc, rule = row("POL201"), said.rule
    message = visible(said.message)
    return Finding(
        code=doc.code,
        name=doc.name,
        severity=rule.severity,
        consequence=doc.consequence,
        audience=rule.audience,
        message=f"{visible(subject.name)}: {message[:_LONGEST]}{'…' if len(message) > _LONGEST else ''}",
        primary=Label(subject.at(rule.field), f"policy {policy.name}"),
        subject=visible(subject.name),
        field=show_path(rule.field),
        related=(Label(policy.origin.child(*rule.path), "the policy says so here"),),
        help=tuple(visible(text) for text in (rule.help, policy.description) if text),
        clusters=subject.clusters,
    )


def _short(expression: str) -> str:
    line = " ".join(expression.split())
    return line if len(line) <= 80 else f"{line[:79]}…"
