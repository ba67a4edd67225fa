"""What the API server's own CEL would not know in a policy that is compiled for it.

Source: Kubernetes 1.36 ValidatingAdmissionPolicy (variables) and `k8s.io/apiserver/pkg/cel/environment` (functions).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from kohort.diagnostics import Finding
from kohort.model.policy import Policy
from kohort.objects.names import visible
from kohort.policy.cel.check import given, names
from kohort.policy.cel.library import BESIDE, FUNCTIONS, KINDS
from kohort.policy.cel.result import DYN
from kohort.policy.cel.wrong import Wrong
from kohort.policy.codes import row
from kohort.spans import Path

SERVER: Final = frozenset({"object", "oldObject", "request", "namespaceObject", "variables"})
"""What such a policy may name: the server has more (`params`, `authorizer`), and nobody else could answer them."""

_NAMES: Final = (
    "use object, oldObject, request, namespaceObject and variables alone, or leave `admission` out"
)
_WORDS: Final = {"bool": "true or false", "string": "a text"}
_TYPED: Final = {"bool": "compare it: `… == true`", "string": "write `string(…)` around it"}
_FUNCTIONS: Final = FUNCTIONS.keys() - BESIDE.keys()


def foreign(policy: Policy) -> Iterator[Finding]:
    """A finding for each expression of a policy for the API server that names what only Kohort knows."""
    if policy.admission is None:
        return
    kinds: dict[str, str] = {}
    named = iter(policy.variables)
    for path, expression in expressions(policy):
        unknown, found = _unknown(expression), _given(expression, kinds)
        if path[1] == "variables":
            kinds[next(named)[0]] = found
        wanted, told = wanted_of(path), ""
        if unknown:
            listed = ", ".join(f"`{name}`" for name in unknown)
            told, advice = f"the API server knows no {listed}, so it cannot ask this expression", _NAMES
        elif path[1] != "variables" and found == DYN:
            told = f"the API server must see that the expression gives {_WORDS[wanted]}, and fields have no type there"
            advice = _TYPED[wanted]
        if told:
            yield row("POL107").finding(
                visible(f"policy {policy.name}: {told}"),
                policy.origin.child(*path),
                subject=f"Policy {policy.name}",
                help=(advice,),
            )


def wanted_of(path: Path) -> str:
    """The type that the expression at a path of a policy must give."""
    return "string" if path[-1] == "messageExpression" else "bool"


def _given(expression: str, kinds: Mapping[str, str]) -> str:
    try:
        return given(expression, kinds)
    except Wrong:
        return ""


def asked_of_server(obj: Mapping[str, Any], namespace: Mapping[str, Any] | None) -> dict[str, Any]:
    """What the API server knows beside the object, as if nobody in particular created it just now."""
    metadata = obj.get("metadata")
    named = metadata if isinstance(metadata, Mapping) else {}
    group, _, version = str(obj.get("apiVersion", "")).rpartition("/")
    return {
        "oldObject": None,
        "namespaceObject": namespace,
        "request": {
            "operation": "CREATE",
            "kind": {"group": group, "version": version, "kind": obj.get("kind", "")},
            "name": named.get("name", ""),
            "namespace": named.get("namespace", ""),
            "subResource": "",
            "dryRun": False,
            "userInfo": {"username": "", "uid": "", "groups": [], "extra": {}},
        },
    }


def expressions(policy: Policy) -> Iterator[tuple[Path, str]]:
    """Every expression of a policy with the path to it."""
    for index, (_, text) in enumerate(policy.variables):
        yield ("spec", "variables", index, "expression"), text
    if policy.when:
        yield ("spec", "when"), policy.when
    for rule in policy.rules:
        yield (*rule.path, "expression"), rule.expression
        if rule.message_expression:
            yield (*rule.path, "messageExpression"), rule.message_expression


def _unknown(expression: str) -> list[str]:
    """Names of variables and functions that Kubernetes' CEL lacks; of what is no CEL nothing is said here."""
    try:
        found = names(expression)
    except Wrong:
        return []
    unknown = {
        f"{each.name}()" if each.function else each.name
        for each in found
        if each.name not in (_FUNCTIONS if each.function else SERVER | KINDS.keys())
    }
    return sorted(unknown)
