"""What a run may keep for the next one: what each file gave and what each cluster came to, by content.

A file's part holds while its bytes are the same; a cluster's while everything that reaches it is. Nothing depends on
time, and forgetting any of it only costs time.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import field
from typing import Final

from kohort.compiler.bundle import BuiltCluster
from kohort.compiler.reaching import declarations
from kohort.dataclass import dataclass
from kohort.diagnostics import Finding
from kohort.engine.judge import KNOWN_RIGHT, RIGHT, Right
from kohort.model.repo import Repo
from kohort.model.taken import Taken
from kohort.objects.cluster import Cluster
from kohort.objects.kube import same_values
from kohort.source.document import SourceFile

# Keys of `KubeObject.memo` whose values follow from the object's values and Kueue's version, wherever it was typed.
OF_VALUES: Final = ("violations", "every resource", "groups", "grants", "subjects")


@dataclass(slots=True)
class FileRead:
    """One file as it was read. `taken` are its documents of group kohort.dev by number."""

    digest: bytes
    source: SourceFile
    odd: bool  # holds numbers in a notation such as 0x10
    commented: bool  # mentions a suppression
    taken: dict[int, Taken] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class JudgedCluster:
    """One cluster, compiled and judged. `built` is absent where only the findings were kept."""

    key: bytes
    compiling: tuple[Finding, ...]
    judging: tuple[Finding, ...]
    objects: int
    told: tuple[str, ...]  # its lines of a report's summary
    built: BuiltCluster | None = None


@dataclass(slots=True)
class Memory:
    """Files by path and clusters by name, as of the latest run."""

    files: dict[str, FileRead] = field(default_factory=dict)
    clusters: dict[str, JudgedCluster] = field(default_factory=dict)


def carry_over(before: Cluster, after: Cluster) -> None:
    """Let objects whose values have not changed keep what rules read from these alone, and be known as right in form."""
    if before.kueue != after.kueue:
        return
    right = before.memo.get(RIGHT)
    alike: set[int] = set()
    known = {
        (obj.api_version, obj.kind, obj.namespace, obj.name): obj for obj in before.objects if obj.compiled
    }
    for obj in after.objects:
        old = known.get((obj.api_version, obj.kind, obj.namespace, obj.name))
        if old is not None and obj.compiled and old.data == obj.data and same_values(old.data, obj.data):
            obj.memo.update((key, old.memo[key]) for key in OF_VALUES if key in old.memo)
            if right is not None and id(old) in right.objects:
                alike.add(id(obj))
    if right is not None:
        after.memo[KNOWN_RIGHT] = Right(right.skipped, frozenset(alike))


def digest(data: bytes) -> bytes:
    """What stands for the content of a file."""
    return hashlib.blake2b(data, digest_size=16).digest()


def cluster_key(reached: Repo, files: Mapping[str, FileRead], *more: object) -> bytes:
    """What stands for everything that reaches a cluster (see `compiler.reaching`), and for `more` that its answer needs."""
    places = {(item.origin.file, item.origin.document) for item in declarations(reached)}
    for objects in reached.raw.values():
        places.update((origin.file, origin.document) for origin in (obj.at() for obj in objects))
    contents = [(*place, files[place[0]].digest if place[0] in files else None) for place in sorted(places)]
    known = hashlib.blake2b(repr(contents).encode(), digest_size=16)
    known.update(repr((sorted(reached.broken), more)).encode())
    return known.digest()
