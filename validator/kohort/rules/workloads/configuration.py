"""What a given manager Configuration changes about requests: excluded prefixes, transformations, unknown resources."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from kohort.objects.cluster import Cluster
from kohort.objects.kube import Json, KubeObject, mappings
from kohort.rules.references.index import remembered

CONFIG_GROUP: Final = "config.kueue.x-k8s.io"


@dataclass(frozen=True, slots=True)
class Requesting:
    """`excluded`: prefixes of resources that are dropped; `transformed`: resources that become others, which are not
    judged; `ignores_undeclared`: uncovered resources do not count.
    """

    excluded: tuple[str, ...] = ()
    transformed: frozenset[str] = frozenset()
    ignores_undeclared: bool = False

    def judged(self, resource: str) -> bool:
        """Whether a request of this resource reaches the quota as it is written."""
        return resource not in self.transformed and not any(resource.startswith(p) for p in self.excluded)


def configuration(cluster: Cluster) -> KubeObject | None:
    """The manager's Configuration, where one was given as an object."""
    found = cluster.kind("Configuration", CONFIG_GROUP)
    return found[0] if found else None


def requesting(cluster: Cluster) -> Requesting:
    """How requests are read on this cluster; as written where no Configuration is known."""

    def build() -> Requesting:
        config = configuration(cluster)
        if config is None:
            return Requesting()
        prefixes = config.get("resources", "excludeResourcePrefixes")
        inputs = (rule.get("input") for _, rule in mappings(config.get("resources", "transformations")))
        return Requesting(
            tuple(p for p in _list(prefixes) if isinstance(p, str) and p),
            frozenset(i for i in inputs if isinstance(i, str)),
            config.get("resources", "quotaCheckStrategy") == "IgnoreUndeclared",
        )

    return remembered(cluster, "requesting", build)


def fair_sharing(cluster: Cluster) -> bool | None:
    """Whether fair sharing is on; None where neither a declaration nor a Configuration says so."""
    config = configuration(cluster)
    if cluster.fair_sharing is not None or config is None:
        return cluster.fair_sharing
    section = config.get("fairSharing")
    if config.version == "v1beta1" and isinstance(section, dict):
        return section.get("enable") is True
    return isinstance(section, dict)


def _list(value: Json) -> list[Json]:
    return value if isinstance(value, list) else []
