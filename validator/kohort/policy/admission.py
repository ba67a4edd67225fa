"""What the API server's own CEL would not know in a policy that is compiled for it.

Source: Kubernetes 1.36 ValidatingAdmissionPolicy (variables) and `k8s.io/apiserver/pkg/cel/environment` (functions).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from kohort.diagnostics import Finding
from kohort.model.policy import Policy
from kohort.objects.names import visible
from kohort.policy.cel.check import names
from kohort.policy.cel.library import BESIDE, FUNCTIONS, KINDS
from kohort.policy.cel.wrong import Wrong
from kohort.policy.codes import row
from kohort.spans import Path

SERVER: Final = frozenset({"object", "oldObject", "request", "namespaceObject", "variables"})
"""What such a policy may name: the server has more (`params`, `authorizer`), and nobody else could answer them."""

_FUNCTIONS: Final = FUNCTIONS.keys() - BESIDE.keys()


def foreign(policy: Policy) -> Iterator[Finding]:
    """A finding for each expression of a policy for the API server that names what only Kohort knows."""
    if policy.admission is None:
        return
    for path, expression in expressions(policy):
        unknown = _unknown(expression)
        if unknown:
            listed = ", ".join(f"`{name}`" for name in unknown)
            yield row("POL107").finding(
                visible(
                    f"policy {policy.name}: the API server knows no {listed}, so it cannot ask this expression"
                ),
                policy.origin.child(*path),
                subject=f"Policy {policy.name}",
                help=(
                    "use object, oldObject, request, namespaceObject and variables alone, or leave `admission` out",
                ),
            )


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
