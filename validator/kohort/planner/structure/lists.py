"""How the lists of Kubernetes objects are read: what tells their items apart, and whether their order says anything.

Source: the schemas (`x-kubernetes-list-type`, `list-map-keys`), Kueue 0.19.1 (order of flavors is the order of
preference; coveredResources and the resources of each flavor must stand in one order; topology levels go downwards)
and RBAC (rules and subjects are sets).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from kohort.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class ListKind:
    """`keys` name the fields that identify an item; empty: the item itself does. `ordered`: order has a meaning."""

    keys: tuple[str, ...] = ()
    ordered: bool = False


_SET: Final = ListKind()
_BY_NAME: Final = ListKind(("name",))
_SEQUENCE: Final = ListKind(ordered=True)
_NAMED_SEQUENCE: Final = ListKind(("name",), ordered=True)

# By the end of the pattern; the longest that fits counts.
_KINDS: Final[Mapping[str, ListKind]] = {
    "resourceGroups": ListKind(("coveredResources",)),
    "resourceGroups[*].coveredResources": _SEQUENCE,
    "resourceGroups[*].flavors": _NAMED_SEQUENCE,
    "flavors[*].resources": _BY_NAME,
    "admissionChecksStrategy.admissionChecks": _BY_NAME,
    "admissionChecks": _SET,
    "onFlavors": _SET,
    "matchExpressions": ListKind(("key", "operator")),
    "matchExpressions[*].values": _SET,
    "nodeTaints": ListKind(("key", "effect")),
    "tolerations": _SET,
    "spec.levels": ListKind(("nodeLabel",), ordered=True),
    "managedResources": _SET,
    "clusters": _SET,
    "spec.clusters": _SEQUENCE,  # MultiKueueConfig: the order in which they are tried, from Kueue 0.19 on
    "subjects": ListKind(("kind", "namespace", "name")),
    "rules": _SET,
    "rules[*].verbs": _SET,
    "rules[*].resources": _SET,
    "rules[*].apiGroups": _SET,
    "finalizers": _SET,
    "containers": _BY_NAME,
    "initContainers": _NAMED_SEQUENCE,  # they run one after the other
    "env": _NAMED_SEQUENCE,  # later values may use earlier ones
    "volumes": _BY_NAME,
    "volumeMounts": ListKind(("mountPath",)),
    "ports": ListKind(("name", "containerPort", "port")),
    "imagePullSecrets": _BY_NAME,
    "podSets": _BY_NAME,
    "limits": ListKind(("type",)),
    "destinations": ListKind(("server", "namespace", "name")),
    "sourceRepos": _SET,
    "clusterResourceWhitelist": ListKind(("group", "kind")),
    "namespaceResourceWhitelist": ListKind(("group", "kind")),
    "ignoreDifferences": ListKind(("group", "kind", "name", "namespace")),
    "syncOptions": _SET,
    "generators": _SEQUENCE,
    "validations": ListKind(("expression",)),
    "matchConditions": _NAMED_SEQUENCE,
    "resourceRules": _SET,
    "validationActions": _SET,
    "variables": _NAMED_SEQUENCE,
}


def list_kind(pattern: str, before: Sequence[Any], after: Sequence[Any]) -> ListKind:
    """How the list at a pattern is read; of an unknown one by its items, and then its order counts."""
    found = max((end for end in _KINDS if _ends(pattern, end)), key=len, default=None)
    if found is not None:
        return _KINDS[found]
    items = [*before, *after]
    named = all(isinstance(item, Mapping) and isinstance(item.get("name"), str) for item in items)
    return _NAMED_SEQUENCE if items and named else _SEQUENCE


def _ends(pattern: str, end: str) -> bool:
    return pattern == end or pattern.endswith(f".{end}")


def identify(items: Sequence[Any], kind: ListKind) -> list[str]:
    """A text per item that identifies it; equal items are numbered, so that all texts differ."""
    seen: dict[str, int] = {}
    texts = []
    for item in items:
        text = _text(item, kind.keys)
        seen[text] = seen.get(text, 0) + 1
        texts.append(text if seen[text] == 1 else f"{text}#{seen[text]}")
    return texts


def _text(item: Any, keys: tuple[str, ...]) -> str:
    if keys and isinstance(item, Mapping):
        values = [item[key] for key in keys if item.get(key) not in (None, "")]
        if values:
            return " ".join(_short(value) for value in values)
    return _short(item)


def _short(value: Any) -> str:
    if isinstance(value, Mapping):
        return " ".join(f"{key}={_short(value[key])}" for key in sorted(value, key=str))
    if isinstance(value, list):
        items = [_short(item) for item in value]
        # verbs of a role or names of resources: in another order it is still the same item, and its fields say the rest
        return ",".join(items if any(isinstance(item, (Mapping, list)) for item in value) else sorted(items))
    if isinstance(value, bool):
        return "true" if value else "false"
    return "null" if value is None else str(value)
