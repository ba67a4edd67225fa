"""What a run may keep for the next one: what each file gave and what each cluster came to, by content.

A file's part holds while its bytes are the same; a cluster's while everything that reaches it is. Nothing depends on
time, and forgetting any of it only costs time.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field

from kohort.compiler.bundle import BuiltCluster
from kohort.compiler.reaching import declarations
from kohort.diagnostics import Finding
from kohort.model.repo import Repo
from kohort.model.taken import Taken
from kohort.source.document import SourceFile


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
