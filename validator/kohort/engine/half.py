"""One side of a plan, for the rules that look at both."""

from __future__ import annotations

from collections.abc import Mapping

from kohort.dataclass import dataclass
from kohort.model.repo import Repo
from kohort.objects.cluster import Cluster


@dataclass(frozen=True, slots=True)
class Half:
    """One side: its declarations, the clusters that differ, and the digest of each file."""

    repo: Repo
    clusters: Mapping[str, Cluster]
    digests: Mapping[str, bytes]
