"""A Kubernetes object that knows where each of its fields came from."""

from __future__ import annotations

import marshal
from collections.abc import Mapping
from dataclasses import field
from typing import Any, Final, Protocol

from kohort.dataclass import dataclass
from kohort.spans import Origin, Part, Path

# A JSON value as read from YAML. Values are untrusted: every reader of `data` must expect any type anywhere.
Json = Any


_WITHOUT_SHARING: Final = 2  # the version of marshal's format that does not say which values are one object


def same_values(one: Json, other: Json) -> bool:
    """Whether two values are surely the same, types included: to Python 1 and true are equal. False may mean either."""
    if one is other:
        return True
    try:
        return marshal.dumps(one, _WITHOUT_SHARING) == marshal.dumps(other, _WITHOUT_SHARING)
    except ValueError:  # too deep, or nothing that YAML gives
        return False


class Provenance(Protocol):
    """Answers where a field of an object was typed."""

    def origin(self, path: Path, part: Part) -> Origin:
        """The place that decides the field at `path`."""

    def arithmetic(self, path: Path) -> str:
        """How a derived value came about (`8 GPUs × 26 cores per GPU`), or an empty text for a typed one."""


@dataclass(frozen=True, slots=True)
class Typed:
    """Provenance of an object that stands in a file as it is; `prefix` leads to it (inside a List)."""

    file: str
    document: int = 0
    prefix: Path = ()

    def origin(self, path: Path, part: Part) -> Origin:
        """The field itself."""
        return Origin(self.file, self.document, (*self.prefix, *path), part)

    def arithmetic(self, path: Path) -> str:  # noqa: ARG002 - nothing is derived in a typed object
        """Typed values have no arithmetic."""
        return ""


@dataclass(frozen=True, slots=True)
class Derived:
    """Provenance of a compiled object: `entries` map path prefixes to the source; the longest prefix wins.

    Each entry is (origin, reason); the entry for `()` says what declared the object as a whole.
    """

    entries: Mapping[Path, tuple[Origin, str]]

    def _entry(self, path: Path) -> tuple[Origin, str]:
        for length in range(len(path), -1, -1):
            found = self.entries.get(path[:length])
            if found is not None:
                return found
        raise LookupError(f"no provenance for the object as a whole: {path}")

    def origin(self, path: Path, part: Part) -> Origin:  # noqa: ARG002 - the source decides the part
        """The place in the team's or admin's file that decides the field."""
        return self._entry(path)[0]

    def arithmetic(self, path: Path) -> str:
        """The reason recorded by the compiler for this value."""
        return self._entry(path)[1]


@dataclass(slots=True)
class KubeObject:
    """One object. `data` is the whole object; `namespace` is empty for cluster-scoped kinds or when absent."""

    api_version: str
    kind: str
    name: str
    namespace: str
    data: Mapping[str, Json]
    provenance: Provenance
    # Paths of `data` that an earlier stage found broken; later stages do not judge what lies there.
    poisoned: set[Path] = field(default_factory=set)
    # Results that several rules share, by name; computed once per object.
    memo: dict[str, Any] = field(default_factory=dict, repr=False, compare=False)
    # API group (empty for core kinds) and the version without the group; asked for by nearly every rule.
    group: str = field(init=False, compare=False)
    version: str = field(init=False, compare=False)

    def __post_init__(self) -> None:
        """Take the API version apart once."""
        self.group, _, self.version = self.api_version.rpartition("/")

    @property
    def ref(self) -> str:
        """How people name it: `ClusterQueue train`, `LocalQueue team-a/main`."""
        name = self.name or "(no name)"
        if self.namespace:
            name = f"{self.namespace}/{name}"
        return f"{self.kind} {name}"

    @property
    def compiled(self) -> bool:
        """Whether Kohort made this object itself."""
        return isinstance(self.provenance, Derived)

    def at(self, *path: str | int, part: Part = "value") -> Origin:
        """Where the field at `path` was typed."""
        return self.provenance.origin(path, part)

    def get(self, *path: str | int) -> Json:
        """The value at `path`, or None when any step is absent or of another shape."""
        value: Json = self.data
        for step in path:
            if (
                type(value) is dict and type(step) is str
            ):  # nearly always, and asked hundreds of thousands of times
                value = value.get(step)
            elif value is None:
                return None
            elif isinstance(step, int):
                if not isinstance(value, list) or not -len(value) <= step < len(value):
                    return None
                value = value[step]
            elif isinstance(value, Mapping):
                value = value.get(step)
            else:
                return None
        return value

    def labels(self) -> dict[str, str]:
        """The string labels of the object."""
        return _strings(self.get("metadata", "labels"))

    def annotations(self) -> dict[str, str]:
        """The string annotations of the object."""
        return _strings(self.get("metadata", "annotations"))

    def is_poisoned(self, path: Path) -> bool:
        """Whether the value at `path`, an ancestor or a descendant of it was already reported as broken."""
        return any(path[: len(p)] == p or p[: len(path)] == path for p in self.poisoned)


def _strings(value: Json) -> dict[str, str]:
    if not isinstance(value, Mapping):
        return {}
    return {k: v for k, v in value.items() if isinstance(k, str) and isinstance(v, str)}


def mappings(value: Json) -> list[tuple[int, Mapping[str, Json]]]:
    """The mappings of a list with their indices; anything else is skipped (its shape is another rule's finding)."""
    if not isinstance(value, list):
        return []
    # dict first: the abstract check costs ten times as much, and values read or compiled are dicts
    return [(i, item) for i, item in enumerate(value) if isinstance(item, dict) or isinstance(item, Mapping)]  # noqa: SIM101
