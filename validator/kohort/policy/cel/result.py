"""What type an expression gives, as far as its form tells: the API server asks for it before it evaluates anything.

Fields of objects have no declared type (`dyn`). Source: the result types of the functions in cel-go and Kubernetes' libraries.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from kohort.policy.cel.macros import is_macro
from kohort.policy.cel.program import spaced
from kohort.policy.cel.syntax import Node
from kohort.policy.cel.values import kind_of

DYN: Final = "dyn"
_GIVES: Final = {
    "bool": "all exists exists_one existsOne has bool isQuantity isIP isURL isCIDR isSemver isLessThan isGreaterThan isInteger "
    "isSorted startsWith endsWith contains matches hasValue containsIP containsCIDR isLoopback isUnspecified isLinkLocalUnicast "
    "isLinkLocalMulticast isGlobalUnicast sets.contains sets.equivalent sets.intersects ip.isCanonical",
    "string": "string lowerAscii upperAscii trim join replace substring charAt format find strings.quote getScheme getHost "
    "getHostname getPort getEscapedPath",
    "int": "int size indexOf lastIndexOf compareTo sign asInteger getFullYear getMonth getDate getDayOfMonth getDayOfWeek "
    "getDayOfYear getHours getMinutes getSeconds getMilliseconds family prefixLength major minor patch",
    "double": "double asApproximateFloat",
    "list": "filter map transformList split findAll distinct flatten sort sortBy slice reverse lists.range",
    "map": "transformMap transformMapEntry getQuery",
    "quantity": "quantity add sub",
}
_BY_NAME: Final = {name: kind for kind, names in _GIVES.items() for name in names.split()}
_TRUTHS: Final = frozenset({"&&", "||", "not", "==", "!=", "<", "<=", ">", ">=", "in"})


def result(node: Node, variables: Mapping[str, str]) -> str:
    """The type's name, `dyn` where it depends on the object, empty where it is not known here.

    `variables` are the types of the policy's own.
    """
    kind = node.kind
    if kind == "value":
        return kind_of(node.data)
    if kind in _TRUTHS:
        return "bool"
    if kind in ("list", "map"):
        return kind
    if kind == "call":
        return (
            _BY_NAME.get(spaced(node) or node.data, "") if node.data != "bind" or not is_macro(node) else ""
        )
    if kind == "select" and node.parts[0].kind == "name" and node.parts[0].data == "variables":
        return variables.get(node.data, "")
    if kind in ("select", "index"):
        return DYN if _of_an_object(node) else ""
    if kind in ("if", "+", "-", "*", "/", "%"):
        return _either([result(part, variables) for part in node.parts[kind == "if" :]], kind)
    return ""


def _either(kinds: list[str], sign: str) -> str:
    """Of a choice what both sides are; of a sum what either is, which the other must be too."""
    known = {kind for kind in kinds if kind not in (DYN, "")}
    if "" in kinds or len(known) > 1:
        return ""
    if not known:
        return DYN
    return DYN if sign == "if" and DYN in kinds else next(iter(known))


def _of_an_object(node: Node) -> bool:
    """Whether it is a field of what the server knows no type of."""
    while node.kind in ("select", "index"):
        node = node.parts[0]
    return node.kind == "name" and node.data in ("object", "oldObject")
