"""The class of every changed field, and with it of the object."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from kohort.planner.disruption.rule import Case, FieldRule
from kohort.planner.disruption.table import rule_for
from kohort.planner.plan import Disruption, FieldChange, ObjectChange

_UNKNOWN = "Kohort does not know what this kind does to running work; its own controller decides"


def judge_field(change: FieldChange, kind: str, facts: Iterable[str]) -> FieldChange:
    """The change with its class and the reason."""
    rule = rule_for(kind, change.pattern)
    if rule is None:
        return replace(change, disruption=Disruption.NOTHING, why=_UNKNOWN, rule="")
    case = _case(rule, frozenset(facts))
    return replace(change, disruption=case.disruption, why=case.why, rule=rule.name)


def judge_object(change: ObjectChange, facts: Iterable[str]) -> ObjectChange:
    """The object's class: the gravest of its fields, or what adding or removing the whole of it does."""
    if change.how == "changed":
        worst = max(change.fields, key=lambda field: field.disruption.rank)
        shown = [shows(change.ref.kind, field) for field in change.fields]
        return replace(
            change,
            disruption=worst.disruption,
            why=worst.why,
            rule=worst.rule,
            shows=next((text for text in shown if not text.startswith("no effect")), shown[0]),
        )
    rule = rule_for(change.ref.kind, "")
    if rule is None:
        return replace(change, why=_UNKNOWN, shows=f"no effect: {_UNKNOWN}")
    case = _case(rule, frozenset({change.how, *facts}))
    return replace(change, disruption=case.disruption, why=case.why, rule=rule.name, shows=rule.shows)


def shows(kind: str, change: FieldChange) -> str:
    """In which part of the plan a field is seen, or why it has no effect."""
    rule = rule_for(kind, change.pattern)
    return rule.shows if rule is not None else f"no effect: {_UNKNOWN}"


def _case(rule: FieldRule, facts: frozenset[str]) -> Case:
    return next(case for case in rule.cases if case.holds(facts))
