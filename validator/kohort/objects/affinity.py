"""Required node affinity and node selectors of a pod, against the labels of a node or of a flavor.

Source: component-helpers 0.36 `nodeaffinity` (nodes) and Kueue 0.19.1 `flavorSelector` (flavors).
Preferred terms never exclude a node. All input is plain values of any shape.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, Final

from kohort.objects.requirements import NODE_OPERATORS, label_requirement_holds, readable_requirement

Terms = tuple[Mapping[str, Any], ...]
"""Node selector terms; any one of them suffices."""

_REQUIRED: Final = "requiredDuringSchedulingIgnoredDuringExecution"
_FIELD_OPERATORS: Final = ("In", "NotIn")


def required_terms(affinity: Any) -> Terms | None:
    """Return the required node selector terms of `spec.affinity`, or None when it requires nothing of nodes."""
    node = affinity.get("nodeAffinity") if isinstance(affinity, Mapping) else None
    required = node.get(_REQUIRED) if isinstance(node, Mapping) else None
    if not isinstance(required, Mapping):
        return None
    terms = required.get("nodeSelectorTerms")
    return (
        tuple(term for term in terms if isinstance(term, Mapping)) if isinstance(terms, (list, tuple)) else ()
    )


def reduce_to_keys(affinity: Any, keys: Collection[str]) -> Terms | None:
    """Return the required terms with only the label expressions on `keys`, or None when they exclude nothing.

    This is how Kueue judges a flavor: expressions on other labels and all matchFields are dropped, and a
    term without any expression left matches every flavor, which makes the whole affinity match.
    """
    terms = required_terms(affinity)
    if not terms:
        return None
    reduced: list[Mapping[str, Any]] = []
    for term in terms:
        kept = [e for e in _expressions(term, "matchExpressions") if _key(e) in keys]
        if not kept:
            return None
        reduced.append({"matchExpressions": kept})
    return tuple(reduced)


def matches_terms(terms: Terms | None, labels: Mapping[str, str], node_name: str = "") -> bool:
    """Whether any term matches; None requires nothing. An empty or malformed term matches nothing."""
    return terms is None or any(_term_matches(term, labels, node_name) for term in terms)


def matches_node(pod_spec: Any, labels: Mapping[str, str], node_name: str = "") -> bool:
    """Whether nodeSelector and required node affinity of a pod admit a node with these labels."""
    if not isinstance(pod_spec, Mapping):
        return True
    terms = required_terms(pod_spec.get("affinity"))
    return _selector_matches(pod_spec, labels, None) and matches_terms(terms, labels, node_name)


def matches_flavor(
    pod_spec: Any, node_labels: Mapping[str, str], keys: Collection[str] | None = None
) -> bool:
    """Whether a pod may take a flavor with these nodeLabels; `keys` are the flavor's own keys by default.

    Kueue before 0.17.6, 0.18.2 and 0.19.0 used the keys of all flavors of the resource group instead.
    """
    if not isinstance(pod_spec, Mapping):
        return True
    keys = node_labels.keys() if keys is None else keys
    terms = reduce_to_keys(pod_spec.get("affinity"), keys)
    return _selector_matches(pod_spec, node_labels, keys) and matches_terms(terms, node_labels)


def _selector_matches(
    pod_spec: Mapping[str, Any], labels: Mapping[str, str], keys: Collection[str] | None
) -> bool:
    selector = pod_spec.get("nodeSelector")
    if not isinstance(selector, Mapping):
        return True
    return all(labels.get(key) == value for key, value in selector.items() if keys is None or key in keys)


def _term_matches(term: Mapping[str, Any], labels: Mapping[str, str], node_name: str) -> bool:
    expressions = _expressions(term, "matchExpressions")
    fields = _expressions(term, "matchFields")
    if not expressions and not fields:
        return False
    for expression in expressions:
        requirement = readable_requirement(expression, NODE_OPERATORS)
        if requirement is None or not label_requirement_holds(requirement, labels):
            return False
    return all(_field_holds(expression, node_name) for expression in fields)


def _field_holds(expression: Any, node_name: str) -> bool:
    """Judge a matchFields entry: In or NotIn with exactly one value; only metadata.name has a value at all."""
    if not isinstance(expression, Mapping):
        return False
    operator, values = expression.get("operator"), expression.get("values")
    if operator not in _FIELD_OPERATORS or not isinstance(values, (list, tuple)) or len(values) != 1:
        return False
    # Without a node name (a flavor, a shape of nodes) fields cannot exclude.
    have = node_name if expression.get("key") == "metadata.name" else ""
    return not node_name or (values[0] == have) is (operator == "In")


def _expressions(term: Mapping[str, Any], field: str) -> list[Any]:
    value = term.get(field)
    return list(value) if isinstance(value, (list, tuple)) else []


def _key(expression: Any) -> Any:
    key = expression.get("key") if isinstance(expression, Mapping) else None
    return key if isinstance(key, str) else None
