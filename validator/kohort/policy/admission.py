"""What the API server's own CEL would not know in a policy that is compiled for it.

Source: Kubernetes 1.36 ValidatingAdmissionPolicy (variables) and `k8s.io/apiserver/pkg/cel/library` (functions).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from kohort.diagnostics import Finding
from kohort.model.policy import Policy
from kohort.objects.names import visible
from kohort.policy.cel.tokens import Word, words
from kohort.policy.codes import row
from kohort.spans import Path

_VARIABLES: Final = frozenset(
    {"object", "oldObject", "request", "params", "namespaceObject", "authorizer", "variables"}
)
_WORDS: Final = frozenset(
    {"true", "false", "null", "in", "int", "uint", "double", "bool", "string", "bytes", "list", "map", "type",
     "null_type", "sets", "math", "cel", "optional", "google", "strings", "base64", "semver", "ip", "cidr", "url"}
)  # fmt: skip
_MACROS: Final = frozenset({"all", "exists", "exists_one", "filter", "map"})
_FUNCTIONS: Final = frozenset(
    {"size", "has", "int", "uint", "double", "bool", "string", "bytes", "type", "dyn", "duration", "timestamp",
     "matches", "contains", "startsWith", "endsWith", "quantity", "isQuantity", "compareTo", "isGreaterThan",
     "isLessThan", "sign", "isInteger", "asInteger", "asApproximateFloat", "add", "sub", "isSorted", "sum", "min",
     "max", "indexOf", "lastIndexOf", "find", "findAll", "format", "charAt", "join", "split", "lowerAscii",
     "upperAscii", "replace", "substring", "trim", "reverse", "equivalent", "intersects", "flatten", "sort",
     "distinct", "slice", "url", "isURL", "ip", "isIP", "cidr", "isCIDR", "getHours", "getMinutes", "getSeconds",
     "getFullYear", "getMonth", "getDayOfMonth", "getDayOfWeek", "getDayOfYear", "getDate"}
)  # fmt: skip


def foreign(policy: Policy) -> Iterator[Finding]:
    """A finding for each expression of a policy for the API server that names what only Kohort knows."""
    if policy.admission is None:
        return
    for path, expression in _expressions(policy):
        unknown = sorted({*_unknown(expression)})
        if unknown:
            names = ", ".join(f"`{name}`" for name in unknown)
            yield row("POL107").finding(
                visible(
                    f"policy {policy.name}: the API server knows no {names}, so it cannot ask this expression"
                ),
                policy.origin.child(*path),
                subject=f"Policy {policy.name}",
                help=(
                    "use object, oldObject, request, namespaceObject and variables alone, or leave `admission` out",
                ),
            )


def _expressions(policy: Policy) -> Iterator[tuple[Path, str]]:
    for index, (_, text) in enumerate(policy.variables):
        yield ("spec", "variables", index, "expression"), text
    if policy.when:
        yield ("spec", "when"), policy.when
    for rule in policy.rules:
        yield (*rule.path, "expression"), rule.expression
        if rule.message_expression:
            yield (*rule.path, "messageExpression"), rule.message_expression


def _unknown(expression: str) -> Iterator[str]:
    """Names of variables and functions that Kubernetes' CEL lacks, the variables of macros excepted."""
    found = list(words(expression))
    bound = {
        found[index + 2].text
        for index, word in enumerate(found[:-2])
        if word.text in _MACROS and found[index + 1].text == "(" and _after_dot(found, index)
    }
    for index, word in enumerate(found):
        if word.kind != "name":
            continue
        called = index + 1 < len(found) and found[index + 1].text == "("
        if called and word.text not in _FUNCTIONS and not (word.text in _MACROS and _after_dot(found, index)):
            yield f"{word.text}()"
        elif not called and not _after_dot(found, index) and word.text not in bound | _VARIABLES | _WORDS:
            yield word.text


def _after_dot(found: list[Word], index: int) -> bool:
    return index > 0 and found[index - 1].text == "."
