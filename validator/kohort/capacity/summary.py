"""Capacity in a few lines for the head of a report: what is there, what is promised, what is out and why."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

from kohort.capacity.promises import Promises
from kohort.capacity.shapes import copies, largest_pod
from kohort.capacity.supply import FlavorSupply
from kohort.capacity.words import amount, by_weight, listed, number
from kohort.diagnostics.count import count_of
from kohort.objects.cluster import Cluster

_MOST_RESOURCES = 3


def lines(cluster: Cluster, supplies: Mapping[str, FlavorSupply], promises: Promises) -> tuple[str, ...]:
    """One line per flavor with promises and nodes, in order of declaration."""
    found = []
    for name, supply in supplies.items():
        resources = by_weight(r for r in {**promises.firm, **promises.slack} if promises.sum_of(name, r))
        if not resources or not supply.matching:
            continue
        main = resources[0]
        stand = "planned" if cluster.planned else "usable"
        parts = [
            f"{name}: {len(supply.nodes)} of {count_of(supply.matching, 'node')} {stand}",
            f"{number(supply.healthy.get(main, 0), main)} of {amount(supply.total.get(main, 0), main)}",
            f"promised {amount(promises.sum_of(name, main), main)}",
        ]
        slack = promises.slack_of(name, main)
        if slack:
            parts[-1] += f" of which {number(slack, main)} slack"
        pod = largest_pod(supply, resources[:_MOST_RESOURCES])
        if pod:
            size = " / ".join(amount(units, r) for r, units in pod.items())
            parts.append(f"largest pod {size}, at once {sum(copies(pod, n.units) for n in supply.nodes)}")
        if supply.excluded:
            parts.append(f"out: {listed(map(str, supply.excluded), 3)}")
        found.append(", ".join(parts))
    return tuple(found)


def inventory_age(cluster: Cluster, at: date | None) -> str:
    """`inventory of 2026-05-01 (30 days old on 2026-05-31)`; empty where no date is declared. Never reads a clock."""
    if not cluster.observed:
        return ""
    text = f"inventory of {cluster.observed}"
    try:
        seen = date.fromisoformat(cluster.observed)
    except ValueError:
        return f"{text} (not a date)"
    if at is None:
        return text
    days = (at - seen).days
    if days < 0:
        return f"{text} (after {at.isoformat()})"
    return f"{text} ({days} day{'' if days == 1 else 's'} old on {at.isoformat()})"
