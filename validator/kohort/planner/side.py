"""One side of a comparison: an organisation, or plain manifests, as it stands before or after the change."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from kohort.dataclass import dataclass
from kohort.model.repo import Repo
from kohort.objects.cluster import Cluster


@dataclass(frozen=True, slots=True)
class Side:
    """What is compared.

    `clusters` holds the clusters that can differ, by name; those that are known to be alike on both sides are left
    out of both, and only counted in `alike`. Plain manifests are one cluster with an empty name and no `repo`.
    """

    clusters: Mapping[str, Cluster] = field(default_factory=dict)
    repo: Repo | None = None
    alike: int = 0
