"""A typed view of a ResourceFlavor."""

from __future__ import annotations

from collections.abc import Mapping

from kohort.dataclass import dataclass
from kohort.objects.kube import Json, KubeObject, mappings


@dataclass(frozen=True, slots=True)
class Taint:
    """A taint of a node or of a flavor."""

    key: str
    value: str
    effect: str

    def __str__(self) -> str:
        """As kubectl prints it: `key=value:Effect`."""
        return f"{self.key}={self.value}:{self.effect}" if self.value else f"{self.key}:{self.effect}"


@dataclass(frozen=True, slots=True)
class Flavor:
    """A ResourceFlavor; tolerations stay raw mappings as the pod would carry them."""

    obj: KubeObject
    name: str
    node_labels: Mapping[str, str]
    taints: tuple[Taint, ...]
    tolerations: tuple[Mapping[str, Json], ...]
    topology: str


def read_taints(value: Json) -> tuple[Taint, ...]:
    """The well-formed taints of a list."""
    taints = []
    for _, taint in mappings(value):
        key, effect, text = taint.get("key"), taint.get("effect"), taint.get("value", "")
        if isinstance(key, str) and isinstance(effect, str):
            taints.append(Taint(key, text if isinstance(text, str) else "", effect))
    return tuple(taints)


def read_flavor(obj: KubeObject) -> Flavor:
    """The typed view."""
    labels = obj.get("spec", "nodeLabels")
    topology = obj.get("spec", "topologyName")
    return Flavor(
        obj,
        obj.name,
        {k: v for k, v in labels.items() if isinstance(v, str)} if isinstance(labels, Mapping) else {},
        read_taints(obj.get("spec", "nodeTaints")),
        tuple(t for _, t in mappings(obj.get("spec", "tolerations"))),
        topology if isinstance(topology, str) else "",
    )
