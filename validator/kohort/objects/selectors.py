"""Label selectors: whether the server takes one, and which labels it selects.

Source: apimachinery 0.36 `ValidateLabelSelector`, `LabelSelectorAsSelector` and `labels.Requirement`.
Selectors are plain values as read from YAML, so every function expects any shape anywhere. Node affinity
and tolerations, which share these requirements, live in `affinity` and `tolerations` and are offered here too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from kohort.objects.affinity import matches_node, matches_terms, reduce_to_keys, required_terms
from kohort.objects.names import label_key, label_value
from kohort.objects.requirements import label_requirement_holds, readable_requirement
from kohort.objects.tolerations import Taint, tolerates, untolerated

if TYPE_CHECKING:
    from kohort.spans import Path

__all__ = [
    "Problem",
    "Taint",
    "matches",
    "matches_node",
    "matches_terms",
    "reduce_to_keys",
    "required_terms",
    "tolerates",
    "untolerated",
    "validate_selector",
]

Problem = tuple["Path", str]
"""Where inside the selector, and what is wrong there in words."""

_WITH_VALUES: Final = ("In", "NotIn")
_WITHOUT_VALUES: Final = ("Exists", "DoesNotExist")
_FIELDS: Final = ("matchLabels", "matchExpressions")


def validate_selector(selector: Any) -> list[Problem]:
    """Return every problem of a LabelSelector, each with its path inside the selector, in document order.

    An absent selector (None) and an empty one ({}) are both valid; they mean nothing and everything.
    """
    if selector is None:
        return []
    if not isinstance(selector, Mapping):
        return [((), f"a label selector is a mapping, not {_kind(selector)}")]
    problems: list[Problem] = [
        ((str(key),), f"a label selector has no field {key!a}; it has matchLabels and matchExpressions")
        for key in selector
        if key not in _FIELDS
    ]
    problems += _labels(selector.get("matchLabels"))
    expressions = selector.get("matchExpressions")
    if expressions is None:
        return problems
    if not _is_list(expressions):
        return [*problems, (("matchExpressions",), f"it is a list of requirements, not {_kind(expressions)}")]
    for index, expression in enumerate(expressions):
        problems += _expression(expression, ("matchExpressions", index))
    return problems


def matches(selector: Any, labels: Mapping[str, str]) -> bool:
    """Whether a LabelSelector selects an object with these labels.

    None selects nothing and {} everything. A selector that the server refuses selects nothing.
    """
    if selector == {}:
        return True
    if not isinstance(selector, Mapping):
        return False
    wanted = selector.get("matchLabels") or {}
    expressions = selector.get("matchExpressions") or ()
    if not isinstance(wanted, Mapping) or not _is_list(expressions):
        return False
    for key, value in wanted.items():
        if not isinstance(value, str) or labels.get(key) != value or label_value(value) is not None:
            return False
    for expression in expressions:
        requirement = readable_requirement(expression)
        if requirement is None or not label_requirement_holds(requirement, labels):
            return False
    return True


def _labels(value: Any) -> list[Problem]:
    if value is None:
        return []
    if not isinstance(value, Mapping):
        return [(("matchLabels",), f"it is a mapping of labels, not {_kind(value)}")]
    problems: list[Problem] = []
    for key, text in value.items():
        path = ("matchLabels", str(key))
        wrong = label_key(key) if isinstance(key, str) else f"it is {_kind(key)}; quote it"
        if wrong:
            problems.append((path, f"the label key is wrong: {wrong}"))
        problems += _label_text(text, path)
    return problems


def _label_text(text: Any, path: Path) -> list[Problem]:
    if not isinstance(text, str):
        return [(path, f"the label value must be a text, not {_kind(text)}; quote it")]
    wrong = label_value(text)
    return [(path, f"the label value is wrong: {wrong}")] if wrong else []


def _expression(expression: Any, path: Path) -> list[Problem]:
    if not isinstance(expression, Mapping):
        return [(path, f"a requirement is a mapping with key, operator and values, not {_kind(expression)}")]
    key, operator, values = expression.get("key"), expression.get("operator"), expression.get("values")
    problems: list[Problem] = []
    wrong = (
        label_key(key) if isinstance(key, str) else "it is missing" if key is None else f"it is {_kind(key)}"
    )
    if wrong:
        problems.append(((*path, "key"), f"the label key is wrong: {wrong}"))
    if operator not in _WITH_VALUES and operator not in _WITHOUT_VALUES:
        shown = "it is missing" if operator is None else f"{str(operator)[:40]!a} is unknown"
        problems.append(((*path, "operator"), f"{shown}; operators are In, NotIn, Exists and DoesNotExist"))
    if values is not None and not _is_list(values):
        return [*problems, ((*path, "values"), f"it is a list of texts, not {_kind(values)}")]
    if operator in _WITH_VALUES and not values:
        problems.append(((*path, "values"), f"operator {operator} needs at least one value"))
    if operator in _WITHOUT_VALUES and values:
        problems.append(((*path, "values"), f"operator {operator} takes no values"))
    for index, value in enumerate(values or ()):
        problems += _label_text(value, (*path, "values", index))
    return problems


def _is_list(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, (str, bytes))


def _kind(value: Any) -> str:
    """Name a YAML value's type in words."""
    if isinstance(value, bool):
        return f"the boolean {str(value).lower()}"
    if isinstance(value, (int, float)):
        return f"the number {value}"[:40]
    if isinstance(value, str):
        return "a text"
    if isinstance(value, Mapping):
        return "a mapping"
    return "a list" if _is_list(value) else "nothing" if value is None else f"a {type(value).__name__}"
