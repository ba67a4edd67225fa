"""What the node pools of one flavor offer on one cluster: totals that derived quota is a part of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from fractions import Fraction

from kohort.dataclass import dataclass
from kohort.diagnostics.count import count_of
from kohort.model.repo import ClusterDecl, FlavorDecl, NodePool
from kohort.model.shape import is_device, promised, promised_text
from kohort.objects.quantity_format import NANO

_CORE_FIRST = ("cpu", "memory")


@dataclass(frozen=True, slots=True)
class Offer:
    """Pools of a flavor, counted together.

    `units` are whole GPUs, GPUs' worth of partitions, or nodes where the flavor has neither; `total` the nano-units of
    each resource on all nodes after the reserve; `nodes` how many nodes both were counted on (pools without nodes
    count once each where no pool has any, so that a shape that comes on demand still has proportions).
    """

    flavor: str
    pools: tuple[NodePool, ...]
    accelerator: str  # resource of whole GPUs, empty where there are none
    shares: Mapping[str, Fraction]  # GPUs that one device takes; whole GPUs take 1
    units: Fraction
    nodes: int
    total: Mapping[str, int]
    covered: tuple[str, ...]
    _parts: dict[tuple[str, bool], tuple[Fraction, str]] = field(
        default_factory=dict, compare=False, repr=False
    )

    def part(self, resource: str, *, per_node: bool) -> tuple[Fraction, str]:
        """What one unit (or node) brings of a resource, exactly, and the arithmetic of it; remembered."""
        known = self._parts.get((resource, per_node))
        if known is None:
            units = Fraction(self.nodes) if per_node else self.units
            each = Fraction(self.total.get(resource, 0), NANO) / units if units else Fraction(0)
            known = self._parts[resource, per_node] = (each, self.text(resource, per_node=per_node))
        return known

    @property
    def main(self) -> str:
        """The resource that people count this flavor in: GPUs, the first kind of partition, or cpu."""
        return self.accelerator or next(iter(self.shares), "") or "cpu"

    def text(self, resource: str, *, per_node: bool) -> str:
        """The arithmetic of a proportion: `(224 − 8 cpu) ÷ 8 GPUs per node`."""
        one = self.pools[0]
        alike = all(
            promised(pool, resource) == promised(one, resource) and weight(pool) == weight(one)
            for pool in self.pools[1:]
        )
        if not alike:
            names = ", ".join(pool.name for pool in self.pools)
            divisor = count_of(self.nodes, "node") if per_node else f"{self.units} GPUs"
            amount = Fraction(self.total.get(resource, 0), NANO)
            return f"{amount} {resource} ÷ {divisor} of pools {names}"
        shape = promised_text(one, resource)
        if " − " in shape:
            shape = f"({shape})"
        return shape if per_node else f"{shape} ÷ {weight(one)} GPUs per node"


def weight(pool: NodePool) -> Fraction:
    """GPUs per node that quota may promise, counting partitions by their share; 0 for cpu pools."""
    if pool.accelerator:
        return Fraction(promised(pool, pool.accelerator).nano, NANO)
    parts = (Fraction(promised(pool, device).nano, NANO) * share for device, share in pool.share.items())
    return sum(parts, Fraction(0))


def make_offer(cluster: ClusterDecl, flavor: str, declared: FlavorDecl | None) -> Offer:
    """The offer of a flavor; without pools it has no units and covers nothing."""
    pools = cluster.pools_of(flavor)
    counts = [pool.nodes for pool in pools]
    if not any(counts):
        counts = [1] * len(pools)
    shares: dict[str, Fraction] = {}
    total: dict[str, int] = {}
    units, accelerator = Fraction(0), ""
    for pool, count in zip(pools, counts, strict=True):
        units += weight(pool) * count
        if pool.accelerator:
            accelerator = accelerator or pool.accelerator
            shares[pool.accelerator] = Fraction(1)
        for device, share in pool.share.items():
            shares.setdefault(device, share)
        for resource in pool.per_node:
            total[resource] = total.get(resource, 0) + promised(pool, resource).nano * count
    return Offer(
        flavor=flavor,
        pools=pools,
        accelerator=accelerator,
        shares=shares,
        units=units if shares else Fraction(sum(counts)),
        nodes=sum(counts),
        total=total,
        covered=_covered(declared.resources if declared else (), total, shares),
    )


def _covered(
    chosen: tuple[str, ...], total: Mapping[str, int], shares: Mapping[str, Fraction]
) -> tuple[str, ...]:
    """cpu, memory, other core resources, accelerators, further devices, pods; or what the flavor lists."""
    if chosen:
        return tuple(dict.fromkeys(chosen))
    rest = sorted(name for name in total if name not in _CORE_FIRST and name not in shares and name != "pods")
    return (
        *(name for name in _CORE_FIRST if name in total),
        *(name for name in rest if not is_device(name)),
        *(name for name in shares if name in total),
        *(name for name in rest if is_device(name)),
        *(("pods",) if "pods" in total else ()),
    )
