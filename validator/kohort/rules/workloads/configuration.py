"""What a given manager configuration changes about requests and preemption."""

from __future__ import annotations

from kohort.dataclass import dataclass
from kohort.objects.cluster import Cluster
from kohort.objects.configuration.document import Document, items, mapping
from kohort.rules.configuration.found import Found, everywhere
from kohort.rules.references.index import remembered


@dataclass(frozen=True, slots=True)
class Requesting:
    """How requests reach the quota.

    `excluded` are prefixes of resources that are dropped, `transformed` resources that become others and are not
    judged; with `ignores_undeclared` uncovered resources do not count.
    """

    excluded: tuple[str, ...] = ()
    transformed: frozenset[str] = frozenset()
    ignores_undeclared: bool = False

    def judged(self, resource: str) -> bool:
        """Whether a request of this resource reaches the quota as it is written."""
        return resource not in self.transformed and not any(resource.startswith(p) for p in self.excluded)


def configuration(cluster: Cluster) -> tuple[Found, Document] | None:
    """The manager's configuration, where one was given that the manager starts with."""

    def build() -> tuple[Found, Document] | None:
        for found in everywhere(cluster):
            document = found.document
            if document is not None:
                return found, document
        return None

    return remembered(cluster, "configuration", build)


def requesting(cluster: Cluster) -> Requesting:
    """How requests are read on this cluster; as written where no configuration is known."""

    def build() -> Requesting:
        config = configuration(cluster)
        if config is None:
            return Requesting()
        document = config[1]
        inputs = (mapping(rule).get("input") for rule in items(document.at("resources", "transformations")))
        prefixes = items(document.at("resources", "excludeResourcePrefixes"))
        return Requesting(
            tuple(p for p in prefixes if isinstance(p, str) and p),
            frozenset(i for i in inputs if isinstance(i, str)),
            document.at("resources", "quotaCheckStrategy") == "IgnoreUndeclared",
        )

    return remembered(cluster, "requesting", build)


def fair_sharing(cluster: Cluster) -> bool | None:
    """Whether fair sharing is on; None where neither a declaration nor a configuration says so."""
    config = configuration(cluster)
    if cluster.fair_sharing is not None or config is None:
        return cluster.fair_sharing
    return config[1].strategies is not None
