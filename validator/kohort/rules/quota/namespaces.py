"""Which namespaces a ClusterQueue's selector selects, found through an index of labels."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Final

from kohort.objects.cluster import Cluster
from kohort.objects.kube import Json, mappings
from kohort.objects.selectors import matches, validate_selector
from kohort.rules.references.index import remembered

NAME_LABEL: Final = "kubernetes.io/metadata.name"


def labels_of(cluster: Cluster, namespace: str) -> Mapping[str, str] | None:
    """The namespace's labels with the one that the server adds; None for a namespace that was not given."""
    return _labels(cluster).get(namespace)


def selected(cluster: Cluster, selector: Json) -> Sequence[str]:
    """The given namespaces that a valid selector selects, in file order."""
    known: dict[str, Sequence[str]] = cluster.memo.setdefault("selected namespaces", {})
    key = json.dumps(selector, sort_keys=True, default=str)
    if key not in known:
        labels = _labels(cluster)
        known[key] = [name for name in _candidates(cluster, selector) if matches(selector, labels[name])]
    return known[key]


def is_judged(selector: Json) -> bool:
    """Whether the selector is one the server takes; others are reported as refused."""
    return isinstance(selector, Mapping) and not validate_selector(selector)


def failing(selector: Json, labels: Mapping[str, str]) -> str:
    """The first requirement that these labels do not meet: `needs team=blue, the namespace has team=red`."""
    wanted = selector.get("matchLabels") if isinstance(selector, Mapping) else None
    for key, value in (wanted or {}).items():
        if labels.get(key) != value:
            have = f"{key}={labels[key]}" if key in labels else f"no label {key}"
            return f"needs {key}={value}, the namespace has {have}"
    for _, expression in mappings(
        selector.get("matchExpressions") if isinstance(selector, Mapping) else None
    ):
        if not matches({"matchExpressions": [expression]}, labels):
            key = str(expression.get("key"))
            values = expression.get("values") or ()
            have = f"{key}={labels[key]}" if key in labels else f"no label {key}"
            listed = f" ({', '.join(map(str, values))})" if values else ""
            return f"needs {key} {expression.get('operator')}{listed}, the namespace has {have}"
    return "not selected"


def _labels(cluster: Cluster) -> Mapping[str, Mapping[str, str]]:
    def build() -> dict[str, Mapping[str, str]]:
        return {name: {**obj.labels(), NAME_LABEL: name} for name, obj in cluster.namespaces.items()}

    return remembered(cluster, "namespace labels", build)


def _candidates(cluster: Cluster, selector: Json) -> Sequence[str]:
    """Namespaces that meet one exact requirement of the selector, or all of them where it has none."""

    def build() -> dict[tuple[str, str], list[str]]:
        index: dict[tuple[str, str], list[str]] = {}
        for name, labels in _labels(cluster).items():
            for item in labels.items():
                index.setdefault(item, []).append(name)
        return index

    index = remembered(cluster, "namespaces by label", build)
    options = [index.get((key, value), []) for key, value in (selector.get("matchLabels") or {}).items()]
    for _, expression in mappings(selector.get("matchExpressions")):
        if expression.get("operator") == "In":
            values = dict.fromkeys(expression.get("values") or ())
            options.append(
                [name for value in values for name in index.get((str(expression.get("key")), value), [])]
            )
    return min(options, key=len) if options else list(_labels(cluster))
