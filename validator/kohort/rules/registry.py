"""All rules, found by walking the package: a rule file is a module under a family folder that has a `RULE`."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache

import kohort.rules as package
from kohort.rules.base import Rule


@cache
def all_rules() -> tuple[Rule, ...]:
    """Every rule in order of its code. Two rules with one code or name are a programming error."""
    rules: dict[str, Rule] = {}
    for name in module_names():
        rule = getattr(importlib.import_module(name), "RULE", None)
        if not isinstance(rule, Rule):
            continue
        if rule.code in rules:
            raise RuntimeError(f"two rules have the code {rule.code}: {name}")
        rule.module = name
        rules[rule.code] = rule
    return tuple(rules[code] for code in sorted(rules))


def module_names() -> list[str]:
    """The dotted names of all modules two levels below this package, sorted."""
    names = []
    for family in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
        if family.ispkg:
            folder = importlib.import_module(family.name)
            names += [module.name for module in pkgutil.iter_modules(folder.__path__, f"{family.name}.")]
    return sorted(names)
