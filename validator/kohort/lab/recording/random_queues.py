"""Random flavors, cohorts and queues: small integers, so that a fault of one shows."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import Any

from kohort.lab.recording.objects import (
    Object,
    Quota,
    check,
    cohort,
    flavor,
    group,
    local_queue,
    namespace,
    priority_class,
    queue,
)

POLICIES = ("Never", "LowerPriority", "Any")
WITHIN = ("Never", "LowerPriority", "LowerOrNewerEqualPriority")
WEIGHTS: tuple[int | str, ...] = (0, 1, 1, 2, 3, "500m")
MATCHING = {"matchLabels": {"team": "yes"}}


@dataclass(slots=True)
class Layout:
    """What a random scenario starts with.

    Attributes:
        objects: in the order of creation.
        features: what it is about.
        groups: resources and flavors of each resource group.
        cohorts: name -> parent, empty for a root.
        queues: name -> cohort, empty for none.
        locals_: LocalQueues.
        labelled: flavors with a node label `pool` of their own name.
        tainted: flavors with a taint of their own name.
        checks: admission checks.
        classes: WorkloadPriorityClass -> value.
    """

    objects: list[Object] = field(default_factory=list)
    features: set[str] = field(default_factory=set)
    groups: list[tuple[list[str], list[str]]] = field(default_factory=list)
    cohorts: dict[str, str] = field(default_factory=dict)
    queues: dict[str, str] = field(default_factory=dict)
    locals_: list[str] = field(default_factory=list)
    labelled: list[str] = field(default_factory=list)
    tainted: list[str] = field(default_factory=list)
    checks: list[str] = field(default_factory=list)
    classes: dict[str, int] = field(default_factory=dict)


def layout(rng: Random, *, fair: bool, afs: bool) -> Layout:
    """Return what exists at the start."""
    made = Layout()
    made.objects.append(namespace("work", **({"team": "yes"} if rng.random() < 0.9 else {})))
    _flavors(rng, made)
    if rng.random() < 0.2:
        made.classes = {"low": rng.randint(0, 2), "high": rng.randint(2, 4)}
        made.objects += [priority_class(name, value) for name, value in made.classes.items()]
    if rng.random() < 0.12:
        made.checks = ["ok"]
        made.objects.append(check("ok"))
        made.features.add("checks")
    _tree(rng, made, fair=fair)
    names = [f"q{i}" for i in range(1, rng.choice((2, 3, 3, 4, 4, 5)))]
    leaves = [name for name in made.cohorts if name not in made.cohorts.values()] or list(made.cohorts)
    for name in names:
        places = leaves if rng.random() < 0.8 else list(made.cohorts)
        made.queues[name] = rng.choice(places) if places and rng.random() < 0.93 else ""
        made.objects.append(random_queue(rng, made, name, fair=fair, afs=afs))
        for local in [f"{name}x", f"{name}y"] if afs else [name]:
            weight: dict[str, Any] = {"fairSharing": {"weight": str(rng.choice((1, 1, 2, 3)))}} if afs else {}
            made.locals_.append(local)
            made.objects.append(local_queue(local, name, **weight))
    if rng.random() < 0.04:
        made.locals_.append("lost")
        made.objects.append(local_queue("lost", "nowhere"))
        made.features.add("missing")
    return made


def random_queue(rng: Random, made: Layout, name: str, *, fair: bool, afs: bool = False) -> Object:
    """Return a ClusterQueue of a layout."""
    in_cohort = bool(made.queues[name])
    fields: dict[str, Any] = {}
    fields["reclaim"] = rng.choice(("Never", "LowerPriority", "Any", "Any"))
    fields["within"] = rng.choice(WITHIN)
    if fields["reclaim"] != "Never" and rng.random() < 0.35:
        fields["borrow_within"] = rng.choice(("LowerPriority", 0, 1, 2, 3))
        made.features.add("borrow-within")
    if rng.random() < 0.5:
        fields["flavorFungibility"] = fungibility(rng)
        made.features.add("fungibility")
    if rng.random() < 0.25:
        fields["queueingStrategy"] = "StrictFIFO"
        made.features.add("strict")
    if fair and rng.random() < 0.5:
        fields["weight"] = rng.choice(WEIGHTS)
        made.features.add("weights")
    if rng.random() < 0.06:
        fields["namespaceSelector"] = MATCHING
        made.features.add("selector")
    if made.checks and rng.random() < 0.6:
        flavors = made.groups[0][1]
        only = {"onFlavors": [rng.choice(flavors)]} if rng.random() < 0.3 else {}
        fields["checks"] = [{"name": made.checks[0], **only}]
    if afs:
        fields["admissionScope"] = {"admissionMode": "UsageBasedAdmissionFairSharing"}
    groups = [
        random_group(rng, made, resources, flavors, limits=in_cohort) for resources, flavors in made.groups
    ]
    return queue(name, *groups, cohort=made.queues[name], **fields)


def random_group(
    rng: Random, made: Layout, resources: list[str], flavors: list[str], *, limits: bool
) -> Object:
    """Return a resource group with random quota."""
    quotas: dict[str, Any] = {name: [_quota(rng, made, limits=limits) for _ in resources] for name in flavors}
    return group(resources, quotas)


def fungibility(rng: Random) -> dict[str, str]:
    """Return a random flavorFungibility."""
    words = ("MayStopSearch", "TryNextFlavor")
    made = {"whenCanBorrow": rng.choice(words), "whenCanPreempt": rng.choice(words)}
    if set(made.values()) == {"TryNextFlavor"} and rng.random() < 0.6:
        made["preference"] = rng.choice(("BorrowingOverPreemption", "PreemptionOverBorrowing"))
    return made


def _quota(rng: Random, made: Layout, *, limits: bool, within: bool = True) -> Quota:
    nominal = rng.choice((0, 1, 2, 2, 3, 4, 4, 5, 6))
    borrow = rng.randint(0, 4) if limits and rng.random() < 0.2 else None
    lend = rng.randint(0, nominal if within else 6) if limits and rng.random() < 0.2 else None
    if borrow is not None:
        made.features.add("borrowing limit")
    if lend is not None:
        made.features.add("lending limit")
    return nominal, borrow, lend


def _flavors(rng: Random, made: Layout) -> None:
    names = ["a", "b", "c"][: rng.choice((1, 1, 1, 2, 2, 3))]
    kind = rng.random()
    if kind < 0.6:
        made.groups = [(["gpu"], names)]
    elif kind < 0.8:
        made.groups = [(["cpu", "gpu"], names)]
    else:
        made.groups = [(["gpu"], names), (["cpu"], ["d"] if rng.random() < 0.6 else ["d", "e"])]
    if kind >= 0.6:
        made.features.add("resources")
    every = [name for _, flavors in made.groups for name in flavors]
    ghost = rng.choice(every) if rng.random() < 0.02 else ""
    for name in every:
        labels, taints = {}, []
        if len(every) > 1 and rng.random() < 0.3:
            made.labelled.append(name)
            labels = {"pool": name}
        if len(every) > 1 and rng.random() < 0.12:
            made.tainted.append(name)
            taints = [f"{name}=yes:NoSchedule"]
        if name == ghost:
            made.features.add("missing")
        else:
            made.objects.append(flavor(name, labels, taints))


def _tree(rng: Random, made: Layout, *, fair: bool) -> None:
    kind = rng.random()
    if kind < 0.1:
        return
    if kind < 0.5:
        made.cohorts = {"co": ""}
    elif kind < 0.8:
        made.cohorts = {"root": "", "left": "root", "right": "root"}
    else:
        made.cohorts = {"root": "", "left": "root", "right": "root", "deep": "left", "deeper": "left"}
    made.features.add("cohort" if len(made.cohorts) == 1 else "hierarchy")
    for name, parent in made.cohorts.items():
        if not parent and rng.random() < 0.4 and len(made.cohorts) == 1:
            continue  # implicit
        made.objects.append(random_cohort(rng, made, name, parent, fair=fair))


def random_cohort(rng: Random, made: Layout, name: str, parent: str, *, fair: bool) -> Object:
    """Return a Cohort, often without quota of its own."""
    groups = []
    if rng.random() < 0.4:
        for resources, flavors in made.groups:
            quotas: dict[str, Any] = {
                each: [_quota(rng, made, limits=bool(parent), within=False) for _ in resources]
                for each in flavors
            }
            groups.append(group(resources, quotas))
    weight = rng.choice(WEIGHTS) if fair and parent and rng.random() < 0.5 else None
    return cohort(name, parent, *groups, weight=weight)
