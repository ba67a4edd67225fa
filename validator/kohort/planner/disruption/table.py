"""All rules by kind and field."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache

from kohort.planner.disruption import rules
from kohort.planner.disruption.rule import FieldRule

ANY = "*"  # the kind of rules for every object


@cache
def all_rules() -> tuple[FieldRule, ...]:
    """Every rule, by name."""
    found = []
    for module in pkgutil.iter_modules(rules.__path__):
        rule = importlib.import_module(f"{rules.__name__}.{module.name}").RULE
        if not isinstance(rule, FieldRule):
            raise TypeError(f"{module.name} holds no rule")
        found.append(rule)
    return tuple(sorted(found, key=lambda rule: rule.name))


@cache
def _by_kind() -> dict[str, dict[str, FieldRule]]:
    table: dict[str, dict[str, FieldRule]] = {}
    for rule in all_rules():
        for kind in rule.kinds:
            for field in rule.fields:
                known = table.setdefault(kind, {}).setdefault(field, rule)
                if known is not rule:
                    raise TypeError(f"{kind} {field or 'as a whole'}: both {known.name} and {rule.name}")
    return table


@cache
def rule_for(kind: str, pattern: str) -> FieldRule | None:
    """The rule of a field: of its kind or of every kind, the one whose pattern is the longest; None without one."""
    tables = (_by_kind().get(kind, {}), _by_kind().get(ANY, {}))
    part = pattern
    while part:
        for table in tables:
            if part in table:
                return table[part]
        part = _shorter(part)
    return tables[0].get("") if not pattern else None


def _shorter(pattern: str) -> str:
    if pattern.endswith("]"):
        return pattern[: pattern.rindex("[")]
    return pattern.rpartition(".")[0] if "." in pattern else ""
