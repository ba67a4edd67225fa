"""How rules on workloads name pod sets and amounts."""

from __future__ import annotations

from kohort.objects.names import visible
from kohort.objects.quantity import human
from kohort.rules.workloads.asked import Asked


def pod_set(ask: Asked) -> str:
    """`Job team-a/train` or `AppWrapper team-a/run: pod set worker` where there are several."""
    several = len(ask.work.pods.found) > 1
    return f"{ask.obj.ref}: pod set {visible(ask.podset.name[:63])}" if several else ask.obj.ref


def amount(units: int, resource: str) -> str:
    """`16 nvidia.com/gpu`, `1.5 TiB memory`."""
    return f"{human(units, resource)} {visible(resource[:317])}"


def unavailable(ask: Asked, resource: str) -> str:
    """What Kueue writes into the workload's condition."""
    return (
        f"couldn't assign flavors to pod set {visible(ask.podset.name[:63])}: resource {visible(resource[:317])} "
        "unavailable in ClusterQueue"
    )
