"""Slack queues: quota that nobody is promised. Everyone in the cohort may borrow it; lost nodes take it back first.

A `remainder` is all of the flavor's hardware, healthy or not, less every guarantee. While nodes are out, the queue
lends only what is healthy beyond the guarantees (`lendingLimit`), so the guarantees hold as long as the loss is no
larger than slack and spare together. For a remainder this is MLBatch's `max(0, nominal − lost)` (mlbatch.md 2.2).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any, Final

from kohort.capacity.supply import FlavorSupply
from kohort.compiler.lines import has_nodes
from kohort.compiler.make import KUEUE, make
from kohort.compiler.names import slack_name
from kohort.compiler.promises import firm, units_of
from kohort.compiler.proportion import in_proportion
from kohort.compiler.scope import Scope
from kohort.diagnostics import Label
from kohort.model.derive import Amount, covered_resources
from kohort.model.repo import Slack
from kohort.objects.kube import KubeObject
from kohort.objects.quantity import Quantity
from kohort.objects.quantity_format import is_bytes
from kohort.rules.compile_codes import SECOND_REMAINDER
from kohort.spans import Origin, Path

_MIB: Final = 2**20
_CORE: Final = 1000

# Kueue's defaults are written out; the queue takes no work: an absent namespaceSelector matches nothing.
_SPEC: Final[Mapping[str, Any]] = {
    "flavorFungibility": {"whenCanBorrow": "MayStopSearch", "whenCanPreempt": "TryNextFlavor"},
    "preemption": {
        "borrowWithinCohort": {"policy": "Never"},
        "reclaimWithinCohort": "Any",
        "withinClusterQueue": "LowerOrNewerEqualPriority",
    },
    "queueingStrategy": "BestEffortFIFO",
    "stopPolicy": "None",
}


def slack_queues(scope: Scope, supplies: Mapping[str, FlavorSupply]) -> Iterator[KubeObject]:
    """One queue per slack entry, by name; several entries on one flavor share what is left in order of declaration."""
    made: list[KubeObject] = []
    remainders: dict[str, Slack] = {}
    room: dict[str, dict[str, int]] = {}
    guarantees = firm(scope) if scope.decl.slack else {}
    for slack in scope.decl.slack:
        if not has_nodes(scope, slack.flavor, scope.decl.at(*slack.path, "flavor")):
            continue
        if slack.amount == "remainder":
            first = remainders.setdefault(slack.flavor, slack)
            if first is not slack:
                _twice(scope, slack, first)
                continue
        spec: dict[str, Any] = {"cohortName": slack.cohort, **_SPEC}
        at = scope.decl.at(*slack.path)
        entries: dict[Path, tuple[Origin, str]] = {("spec", "cohortName"): (at.child("cohort"), "")}
        if slack.writer == "git":
            supply = supplies.get(slack.flavor)
            resources = _resources(scope, slack, supply, guarantees.get(slack.flavor, {}), room, entries)
            covered = [entry["name"] for entry in resources]
            flavors = [{"name": slack.flavor, "resources": resources}]
            spec["resourceGroups"] = [{"coveredResources": covered, "flavors": flavors}]
        made.append(make(KUEUE, "ClusterQueue", slack_name(slack), at, {"spec": spec}, entries=entries))
    yield from sorted(made, key=lambda obj: obj.name)


def _resources(
    scope: Scope,
    slack: Slack,
    supply: FlavorSupply | None,
    guaranteed: Mapping[str, int],
    room: dict[str, dict[str, int]],
    entries: dict[Path, tuple[Origin, str]],
) -> list[dict[str, str]]:
    """The quota entries; `room` holds what is healthy beyond the guarantees, less what earlier entries lend."""
    at = scope.decl.at(*slack.path, "amount")
    amounts = _amounts(scope, slack)
    fixed = {} if amounts else _fixed(scope, slack.flavor)
    found = []
    for r, resource in enumerate(sorted(covered_resources(scope.repo, scope.decl, slack.flavor))):
        total = supply.total.get(resource, 0) if supply else 0
        promised = guaranteed.get(resource, 0)
        place: Path = ("spec", "resourceGroups", 0, "flavors", 0, "resources", r)
        if not amounts:
            taken = promised + fixed.get(resource, 0)
            nominal = _whole(max(0, total - taken), resource)
            why = f"{_shown(total, resource)} on all nodes − {_shown(taken, resource)} guaranteed"
        else:
            amount = amounts[resource]
            nominal, why = units_of(amount.value, resource), amount.arithmetic
        entry = {"name": resource, "nominalQuota": _shown(nominal, resource)}
        entries[place] = (at, why)
        lost = supply.lost.get(resource, 0) if supply else 0
        if supply and lost:
            left = room.setdefault(slack.flavor, {}).setdefault(
                resource, supply.healthy.get(resource, 0) - promised
            )
            lends = min(nominal, _whole(max(0, left), resource))
            room[slack.flavor][resource] = left - lends
            entry["lendingLimit"] = _shown(lends, resource)
            healthy = _shown(supply.healthy.get(resource, 0), resource)
            nodes = ", ".join(str(node) for node in supply.excluded)
            entries[*place, "lendingLimit"] = (
                at,
                (
                    f"{healthy} healthy − {_shown(promised, resource)} guaranteed, at most {entry['nominalQuota']}; "
                    f"lost: {_shown(lost, resource)}{f' on {nodes}' if nodes else ''}"
                ),
            )
        found.append(entry)
    return found


def _fixed(scope: Scope, flavor: str) -> dict[str, int]:
    """What slack entries with a number hold of a flavor: the remainder is counted after them."""
    held: defaultdict[str, int] = defaultdict(int)
    for slack in scope.decl.slack:
        if slack.flavor == flavor and slack.amount != "remainder":
            for resource, amount in _amounts(scope, slack).items():
                held[resource] += units_of(amount.value, resource)
    return held


def _amounts(scope: Scope, slack: Slack) -> Mapping[str, Amount]:
    """A stated amount in every resource; empty for a remainder, which is counted otherwise."""
    if slack.amount == "remainder":
        return {}
    origin = scope.decl.at(*slack.path, "amount")
    return in_proportion(scope, slack.flavor, slack.amount, origin) or {}


def _whole(units: int, resource: str) -> int:
    """Derived amounts round down: whole cores, whole Mi."""
    step = _CORE if resource == "cpu" else _MIB if is_bytes(resource) else 1
    return units - units % step


def _shown(units: int, resource: str) -> str:
    return Quantity.of_units(units, resource).canonical()


def _twice(scope: Scope, slack: Slack, first: Slack) -> None:
    scope.fail(
        SECOND_REMAINDER,
        f"slack of flavor {slack.flavor} on cluster {scope.name} is the remainder twice; only one can have it",
        scope.decl.at(*slack.path, "amount"),
        subject=f"ClusterQueue {slack_name(slack)}",
        related=(Label(scope.decl.at(*first.path, "amount"), "the remainder goes here"),),
        help_=("state a number for one of the two",),
    )
