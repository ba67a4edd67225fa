"""Slack's lending limit while hardware is lost: what is healthy beyond the guarantees.

Source: the compiler's slack queues, `lendingLimit = min(nominal, max(0, healthy − guarantees))` where something of a
resource is lost, and no limit where nothing is; for a remainder that is MLBatch's `max(0, nominal − lost)`.
"""

from __future__ import annotations

import copy
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from kohort.objects.kube import KubeObject, mappings
from kohort.objects.kueue import ClusterQueue, Flavor, read_cluster_queue
from kohort.objects.quantity import Quantity
from kohort.semantics.amount import kueue_amount
from kohort.simulator.placement.host import Host


def limited(
    queues: Mapping[str, KubeObject],
    slack: Iterable[str],
    flavors: Mapping[str, Flavor],
    hosts: Iterable[Host],
) -> list[KubeObject]:
    """The slack queues whose limits differ from what they should be now, as they should be."""
    hosts = list(hosts)
    specs = {name: read_cluster_queue(obj) for name, obj in queues.items()}
    names = sorted(set(slack) & specs.keys())
    guaranteed = _guaranteed(spec for name, spec in specs.items() if name not in names)
    changed = []
    room: dict[tuple[str, str], int] = {}
    for name in names:
        data: dict[str, Any] = copy.deepcopy(dict(queues[name].data))
        for _, group in mappings((data.get("spec") or {}).get("resourceGroups")):
            for _, each in mappings(group.get("flavors")):
                _limit(each, flavors.get(str(each.get("name"))), hosts, guaranteed, room)
        if data != queues[name].data:
            changed.append(replace(queues[name], data=data, memo={}, poisoned=set()))
    return changed


def _guaranteed(specs: Iterable[ClusterQueue]) -> Mapping[tuple[str, str], int]:
    total: defaultdict[tuple[str, str], int] = defaultdict(int)
    for spec in specs:
        for pair, quota in spec.quotas.items():
            total[pair] += kueue_amount(quota.nominal, pair[1])
    return total


def _limit(
    each: Mapping[str, Any],
    flavor: Flavor | None,
    hosts: list[Host],
    guaranteed: Mapping[tuple[str, str], int],
    room: dict[tuple[str, str], int],
) -> None:
    if flavor is None:
        return
    mine = [h for h in hosts if all(h.labels.get(k) == v for k, v in flavor.node_labels.items())]
    for _, entry in mappings(each.get("resources")):
        if not isinstance(entry, dict):
            continue
        pair = flavor.name, str(entry.get("name"))
        total = sum(host.total.get(pair[1], 0) for host in mine)
        healthy = sum(
            host.total.get(pair[1], 0) - host.lost.get(pair[1], 0) for host in mine if host.takes_pods
        )
        if healthy >= total:
            entry.pop("lendingLimit", None)
            continue
        left = room.setdefault(pair, healthy - guaranteed.get(pair, 0))
        nominal = kueue_amount(Quantity.parse(entry.get("nominalQuota", 0)), pair[1])
        lends = min(nominal, max(0, left))
        room[pair] = left - lends
        entry["lendingLimit"] = Quantity.of_units(lends, pair[1]).canonical()
