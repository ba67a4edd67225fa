"""Where a pod goes: to the node whose accelerators are used most and still suffice, so that whole nodes stay free.

Source: kube-scheduler's NodeResourcesFit on accelerators, MostAllocated where the cluster packs (mlbatch 6.3) and
LeastAllocated where it does not; ties go to the first node. A pod without accelerators goes where fewest are free.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from kohort.capacity.words import is_device
from kohort.simulator.placement.host import Host


def best(requests: Mapping[str, int], hosts: Iterable[Host], *, packing: bool = True) -> Host | None:
    """The node for one pod, None where it fits nowhere now."""
    found, least = None, 0
    needs = [(name, amount) for name, amount in requests.items() if amount > 0]
    device = next((name for name, _ in needs if is_device(name)), "")
    for host in hosts:
        if not host.takes_pods:
            continue
        free = host.free
        for name, amount in needs:
            if free.get(name, 0) < amount:
                break
        else:
            left = free[device] if device else host.free_devices()
            if not packing:
                left = -left
            if found is None or left < least:
                found, least = host, left
    return found


def bind(requests: Mapping[str, int], count: int, hosts: list[Host], *, packing: bool = True) -> list[Host]:
    """Bind up to `count` equal pods one after the other, as the scheduler does; what they use is taken from the nodes."""
    bound: list[Host] = []
    while len(bound) < count:
        host = best(requests, hosts, packing=packing)
        if host is None:
            break
        while len(bound) < count:  # where pods are packed the node stays the best until it is full
            for name, amount in requests.items():
                host.free[name] = host.free.get(name, 0) - amount
            bound.append(host)
            full = any(host.free.get(name, 0) < amount for name, amount in requests.items() if amount > 0)
            if full or not packing:
                break
    return bound


def free_again(requests: Mapping[str, int], bound: Iterable[Host]) -> None:
    """Give back what pods used."""
    for host in bound:
        for name, amount in requests.items():
            host.free[name] = host.free.get(name, 0) + amount
