"""Small changes to nested documents, by path, for designing inputs."""

from __future__ import annotations

import copy
from typing import Any

GROUP = "kueue.x-k8s.io"
# Every spelling of a number that a person might write, and some that only a program would.
QUANTITIES: dict[str, Any] = {
    "integer": 5, "integer-1000": 1000, "string-1000": "1000", "1k": "1k", "12000m": "12000m", "1500m": "1500m",
    "1e3": "1e3", "1E3": "1E3", "plus-5": "+5", "leading-zero": "05", "trailing-dot": "5.", "leading-dot": ".5",
    "smallest": "1n", "below-smallest": "0.0000000001", "1-5-gi": "1.5Gi", "1024-mi": "1024Mi", "2000-g": "2000G",
    "zero": "0", "zero-integer": 0, "minus-zero": "-0", "zero-gi": "0Gi", "minus-one": "-1", "minus-one-integer": -1,
    "minus-milli": "-1m", "empty-text": "", "null": None, "word": "many", "blank-before": " 5", "blank-after": "5 ",
    "blank-inside": "5 Gi", "capital-k": "1K", "small-ki": "1ki", "gb": "5GB", "gib": "5GiB", "comma": "1,000",
    "underscore": "1_000", "hex": "0x10", "float": 1.5, "float-whole": 2.0, "float-text": "1.5", "exponent-minus": "1e-3",
    "exponent-and-suffix": "1e3Ki", "exponent-only": "e3", "huge-exponent": "1e400", "int64-max": "9223372036854775807",
    "int64-max-plus-1": "9223372036854775808", "8-ei": "8Ei", "100-e": "100E", "one-e": "1E", "digits-21": "123456789012345678901",
    "true": True, "list": [], "map": {}, "list-of-one": ["5"], "arabic-digit": "\u0663", "nan": "NaN", "infinity": "Inf",
    "minus-only": "-", "two-dots": "1.2.3", "micro": "100u", "many-zeros": "1000000", "canonical-t": "2T",
}  # fmt: skip


def put(document: Any, path: str, value: Any) -> Any:
    """Return a copy with the value at a path like `spec/resourceGroups/0/flavors`; missing maps appear."""
    result = copy.deepcopy(document)
    *parents, last = path.split("/")
    at = result
    for part in parents:
        at = at[int(part)] if isinstance(at, list) else at.setdefault(part, {})
    if isinstance(at, list):
        if int(last) == len(at):
            at.append(value)
        else:
            at[int(last)] = value
    else:
        at[last] = value
    return result


def drop(document: Any, path: str) -> Any:
    """Return a copy without what stands at the path."""
    result = copy.deepcopy(document)
    *parents, last = path.split("/")
    at = result
    for part in parents:
        at = at[int(part)] if isinstance(at, list) else at[part]
    if isinstance(at, list):
        del at[int(last)]
    else:
        del at[last]
    return result


def each(prefix: str, document: Any, path: str, values: dict[str, Any]) -> list[tuple[str, Any]]:
    """Return one case per value put at the path."""
    return [(f"{prefix}-{name}", put(document, path, value)) for name, value in values.items()]


# What does not belong where text, a number, a list or a map is expected.
NOT_TEXT: dict[str, Any] = {"integer": 7, "true": True, "list": ["a"], "map": {"a": "b"}, "null": None}
NOT_A_NUMBER: dict[str, Any] = {"text": "7", "float": 1.5, "true": True, "list": [7], "map": {}, "null": None}
NOT_A_LIST: dict[str, Any] = {"text": "a", "integer": 7, "map": {}, "null": None, "empty": []}
NOT_A_MAP: dict[str, Any] = {"text": "a", "integer": 7, "list": [], "null": None, "empty": {}}
NAMES: dict[str, Any] = {
    "253": "a" * 253, "254": "a" * 254, "label-64": "a" * 64, "capitals": "Blue", "underscore": "blue_team",
    "blank": "blue team", "dots": "blue.team", "dot-at-end": "blue.", "dash-first": "-blue", "digits": "123",
    "slash": "a/b", "empty": "", "umlaut": "bl\u00e4u", "newline": "blue\n",
}  # fmt: skip


def common(prefix: str, good: Any) -> list[tuple[str, Any]]:
    """Return cases about the envelope, which every kind shares."""
    return [
        (f"{prefix}-good", good),
        (f"{prefix}-v1beta1", put(good, "apiVersion", good["apiVersion"].replace("v1beta2", "v1beta1"))),
        (f"{prefix}-v1alpha1", put(good, "apiVersion", good["apiVersion"].replace("v1beta2", "v1alpha1"))),
        (f"{prefix}-no-api-version", drop(good, "apiVersion")),
        (f"{prefix}-no-kind", drop(good, "kind")),
        (f"{prefix}-no-metadata", drop(good, "metadata")),
        (f"{prefix}-null-metadata", put(good, "metadata", None)),
        (f"{prefix}-no-name", drop(good, "metadata/name")),
        (f"{prefix}-null-name", put(good, "metadata/name", None)),
        (f"{prefix}-name-integer", put(good, "metadata/name", 7)),
        (f"{prefix}-generate-name", put(drop(good, "metadata/name"), "metadata/generateName", "some-")),
        (f"{prefix}-name-and-generate-name", put(good, "metadata/generateName", "some-")),
        *each(f"{prefix}-name", good, "metadata/name", NAMES),
        (f"{prefix}-unknown-top-field", put(good, "specs", {})),
        (f"{prefix}-unknown-metadata-field", put(good, "metadata/label", {"a": "b"})),
        (f"{prefix}-labels-good", put(good, "metadata/labels", {"example.com/team": "blue", "a": ""})),
        (f"{prefix}-label-boolean", put(good, "metadata/labels", {"a": True})),
        (f"{prefix}-label-integer", put(good, "metadata/labels", {"a": 1})),
        (f"{prefix}-label-null", put(good, "metadata/labels", {"a": None})),
        (f"{prefix}-label-value-63", put(good, "metadata/labels", {"a": "b" * 63})),
        (f"{prefix}-label-value-64", put(good, "metadata/labels", {"a": "b" * 64})),
        (f"{prefix}-label-value-blank", put(good, "metadata/labels", {"a": "blue team"})),
        (f"{prefix}-label-key-bad", put(good, "metadata/labels", {"a b": "c"})),
        (f"{prefix}-label-key-two-slashes", put(good, "metadata/labels", {"a/b/c": "c"})),
        (f"{prefix}-labels-list", put(good, "metadata/labels", ["a"])),
        (f"{prefix}-annotation-any-text", put(good, "metadata/annotations", {"a": "any text, at all\n"})),
        (f"{prefix}-annotation-integer", put(good, "metadata/annotations", {"a": 1})),
        (f"{prefix}-annotation-key-bad", put(good, "metadata/annotations", {"a b": "c"})),
        (f"{prefix}-annotation-key-capitals", put(good, "metadata/annotations", {"Example.COM/a": "c"})),
        (f"{prefix}-finalizer-good", put(good, "metadata/finalizers", ["example.com/mine"])),
        (f"{prefix}-finalizer-bad", put(good, "metadata/finalizers", ["my finalizer"])),
        (f"{prefix}-uid", put(good, "metadata/uid", "00000000-0000-0000-0000-000000000000")),
        (f"{prefix}-creation-timestamp-bad", put(good, "metadata/creationTimestamp", "yesterday")),
        (f"{prefix}-status-given", put(good, "status", {"conditions": []})),
        (f"{prefix}-owner-reference-incomplete", put(good, "metadata/ownerReferences", [{"name": "x"}])),
        (f"{prefix}-namespace-field", put(good, "metadata/namespace", "default")),
    ]
