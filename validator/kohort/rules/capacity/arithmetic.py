"""The shared words and rows of findings about a shortage: who promises what, and what stands against it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from kohort.capacity import Assessment, Exclusion, Lack, Promise, Shortage
from kohort.capacity.words import amount, listed, number, unit
from kohort.diagnostics import Label, Term
from kohort.objects.kube import KubeObject
from kohort.spans import Origin, Path

_MOST_ROWS = 8
_MOST_RELATED = 5
_FULL = 100


def contributors(assessment: Assessment, shortage: Shortage) -> list[Promise]:
    """The promises of the shortage's first resource; firm ones before slack, the largest first."""
    found = assessment.promises.of(shortage.flavors, shortage.lacks[0].resource)
    return sorted(found, key=lambda promise: promise.slack)


def leading(assessment: Assessment, shortage: Shortage) -> tuple[Shortage, tuple[str, ...]]:
    """The shortage without the resources that only follow, and those resources.

    Cpu, memory and pods that were derived from the number of GPUs are too much because the GPUs are: who lowers the
    one number lowers them all, so one sum is shown.
    """
    first, *others = shortage.lacks
    typed = {spot(p) for p in assessment.promises.of(shortage.flavors, first.resource)}
    following = tuple(lack.resource for lack in others if _follows(assessment, shortage, lack, typed))
    kept = tuple(lack for lack in shortage.lacks if lack.resource not in following)
    return replace(shortage, lacks=kept), following


def _follows(assessment: Assessment, shortage: Shortage, lack: Lack, typed: set[Origin]) -> bool:
    promises = assessment.promises.of(shortage.flavors, lack.resource)
    return all(p.holder.source is not None and _derived(p) and spot(p) in typed for p in promises)


def _derived(promise: Promise) -> bool:
    obj, path = place(promise)
    return bool(obj.provenance.arithmetic(path))


def place(promise: Promise) -> tuple[KubeObject, Path]:
    """The object and the path of the number that promises."""
    source = promise.holder.source
    if source is None:
        raise LookupError(f"{promise.name} promises without being an object")
    return source.obj, (*source.quotas[promise.flavor, promise.resource].path, "nominalQuota")


def spot(promise: Promise) -> Origin:
    """Where the number that promises was typed."""
    obj, path = place(promise)
    return obj.at(*path)


def names_of(shortage: Shortage) -> str:
    """`flavor h100` or `flavors a, b together`."""
    if len(shortage.flavors) == 1:
        return f"flavor {shortage.flavors[0]}"
    return f"flavors {listed(shortage.flavors)} together"


def subject(shortage: Shortage, promises: Sequence[Promise]) -> str:
    """What does not fit: the flavor, its resource if there is one, the tree if all stands in one."""
    text = names_of(shortage)
    if len(shortage.lacks) == 1:
        text += f", resource {shortage.lacks[0].resource}"
    roots = {promise.holder.root() for promise in promises}
    root = next(iter(roots)) if len(roots) == 1 else None
    return text if root is None or root.is_queue else f"cohort tree {root.name}, {text}"


def compared(shortage: Shortage, what: str, against: str) -> str:
    """`sum of nominalQuota 24 > healthy allocatable 16 (excess 8)`, for one or several resources."""
    lacks = shortage.lacks
    if len(lacks) == 1:
        lack = lacks[0]
        left, right, over = (number(n, lack.resource) for n in (lack.promised, lack.supply, lack.excess))
    else:
        left, right, over = (
            " / ".join(amount(n, lack.resource) for n, lack in zip(column, lacks, strict=True))
            for column in zip(*((lack.promised, lack.supply, lack.excess) for lack in lacks), strict=True)
        )
    return f"{what} {left} > {against} {right} (excess {over})"


def across(promises: Iterable[Promise]) -> str:
    """`across ClusterQueues [a, b] and Cohorts [c]`."""
    queues: dict[str, None] = {}
    cohorts: dict[str, None] = {}
    for promise in promises:
        (queues if promise.holder.is_queue else cohorts)[promise.holder.name] = None
    parts = [
        f"{kind} [{listed(names)}]"
        for kind, names in (("ClusterQueues", queues), ("Cohorts", cohorts))
        if names
    ]
    return f"across {' and '.join(parts)}"


def exclusions(assessment: Assessment, flavors: Iterable[str]) -> list[Exclusion]:
    """Nodes that carry a flavor's labels and do not count for any of the flavors, each once."""
    flavors = list(flavors)
    used = {n.node.name for flavor in flavors for n in assessment.supplies[flavor].nodes}
    found = {e.node.name: e for flavor in flavors for e in assessment.supplies[flavor].excluded}
    return [e for name, e in found.items() if name not in used]


def excluded(assessment: Assessment, shortage: Shortage) -> str:
    """`; excluded: gpu-1 (spec.unschedulable), gpu-2 (4 of 8 GPUs lost)`, empty when nothing is."""
    resource = shortage.lacks[0].resource
    out = [str(e) for e in exclusions(assessment, shortage.flavors) if e.facts.whole.get(resource)]
    out += [
        f"{name} ({number(full - left, resource)} of {amount(full, resource)} not allocatable)"
        for name, full, left in lost_devices(assessment, shortage.flavors, resource)
    ]
    return f"; excluded: {listed(out)}" if out else ""


def lost_devices(assessment: Assessment, flavors: Iterable[str], resource: str) -> list[tuple[str, int, int]]:
    """(node, capacity, allocatable) of counted nodes that lost devices of the resource."""
    nodes = {n.node.name: n for flavor in flavors for n in assessment.supplies[flavor].nodes}
    return [(name, *found.lost[resource]) for name, found in nodes.items() if resource in found.lost]


def related(promises: Sequence[Promise]) -> tuple[Label, ...]:
    """The other numbers that promise, behind the first."""
    return tuple(
        Label(spot(promise), f"{promise.name} promises {amount(promise.units, promise.resource)}")
        for promise in promises[1 : 1 + _MOST_RELATED]
    )


def rows(assessment: Assessment, shortage: Shortage) -> tuple[Term, ...]:
    """The arithmetic of every resource: promises summed, nodes summed, what is over."""
    terms: list[Term] = []
    for lack in shortage.lacks:
        terms += _promised(assessment, shortage, lack)
        terms += _supplied(assessment, shortage, lack)
    return tuple(terms)


def _promised(assessment: Assessment, shortage: Shortage, lack: Lack) -> list[Term]:
    with_slack = shortage.cause == "quota"
    promises = [
        p for p in assessment.promises.of(shortage.flavors, lack.resource) if with_slack or not p.slack
    ]
    several = len(shortage.flavors) > 1
    terms = [
        Term(
            "+",
            number(p.units, lack.resource),
            f"{p.name}{f', flavor {p.flavor}' if several else ''}",
            spot(p),
        )
        for p in promises[:_MOST_ROWS]
    ]
    rest = promises[_MOST_ROWS:]
    if rest:
        terms.append(Term("+", number(sum(p.units for p in rest), lack.resource), f"and {len(rest)} more"))
    words = f"{unit(lack.resource)} promised as nominalQuota"
    return [*terms, Term("=", number(lack.promised, lack.resource), words)]


def _supplied(assessment: Assessment, shortage: Shortage, lack: Lack) -> list[Term]:
    resource = lack.resource
    if shortage.cause == "quota" and lack.slack:
        # Slack may cover lost nodes, so all promises are held against everything that exists.
        terms = [Term("+", number(lack.total, resource), "on nodes that match, as if all were healthy")]
    else:
        out = [e for e in exclusions(assessment, shortage.flavors) if e.facts.whole.get(resource)]
        lost = lost_devices(assessment, shortage.flavors, resource)
        taken = sum(e.facts.whole[resource] for e in out) + sum(full - left for _, full, left in lost)
        terms = [Term("+", number(lack.healthy + taken, resource), "on nodes that match the flavor's labels")]
        terms += [
            Term("-", number(e.facts.whole[resource], resource), str(e), e.node.obj.at("metadata", "name"))
            for e in out[:_MOST_ROWS]
        ]
        terms += [
            Term(
                "-",
                number(full - left, resource),
                f"{name}: capacity {number(full, resource)}, allocatable {number(left, resource)}",
            )
            for name, full, left in lost[:_MOST_ROWS]
        ]
        unnamed = taken - sum(e.facts.whole[resource] for e in out[:_MOST_ROWS])
        unnamed -= sum(full - left for _, full, left in lost[:_MOST_ROWS])
        if unnamed:
            terms.append(Term("-", number(unnamed, resource), "on more nodes that do not count"))
        terms.append(Term("=", number(lack.healthy, resource), "healthy allocatable"))
    if lack.percent != _FULL:
        terms.append(Term("×", f"{lack.percent} %", "declared overcommit"))
    return [*terms, Term(">", number(lack.excess, resource), f"{unit(resource, lack.excess)} too much")]
