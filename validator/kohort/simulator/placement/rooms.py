"""On which nodes pods of a pod set may stand: labels of the flavor, selector, affinity and tolerations.

Nodes that are alike in labels and taints are judged once. Source: kube-scheduler's NodeAffinity and TaintToleration, and
Kueue, which adds the flavor's labels and tolerations to the pods that it starts.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from kohort.objects.affinity import matches_node
from kohort.objects.kueue import Flavor
from kohort.objects.tolerations import untolerated
from kohort.semantics.work import PodSetAsk
from kohort.simulator.placement.host import Host


def allowed(ask: PodSetAsk, flavors: Iterable[Flavor], hosts: Iterable[Host]) -> list[Host]:
    """The hosts on which pods of this shape may ever stand, whatever is free or cordoned now."""
    labels: dict[str, str] = {}
    tolerations: list[Any] = list(ask.pod.get("tolerations") or ())
    for flavor in flavors:
        labels.update(flavor.node_labels)
        tolerations += flavor.tolerations
    return [
        host
        for host in hosts
        if all(host.labels.get(key) == value for key, value in labels.items())
        and matches_node(ask.pod, host.labels, host.name)
        and not untolerated(host.taints, tolerations)
    ]
