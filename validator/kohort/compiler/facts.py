"""The facts that a template may use about the place where its work runs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Final

from kohort.compiler.names import local_queue_name
from kohort.compiler.priorities import default_priority
from kohort.compiler.scope import Scope
from kohort.compiler.settings import own_scheduler
from kohort.model.amounts import equals, round_down
from kohort.model.derive import offer_of
from kohort.model.offer import Offer, weight
from kohort.model.repo import NodePool, QuotaLine, Team, TeamQueue, Workload
from kohort.model.shape import is_device, promised, promised_text
from kohort.model.template_context import Context, Fact
from kohort.objects.quantity_format import NANO
from kohort.spans import Origin

# What device plugins call network cards with remote memory access.
_RDMA: Final = ("rdma", "roce", "infiniband", "hca")


def context_of(
    scope: Scope, team: Team, queue: TeamQueue, workload: Workload, name: str, namespace: str
) -> Context:
    """Everything that is known about a workload's place; devices are those of the first flavor that has any."""
    where, spec = f"queue {queue.name} on cluster {scope.name}", workload.at("spec")
    facts = {
        "name": Fact(name, workload.at("metadata", "name")),
        "namespace": Fact(namespace, spec.child("namespace")),
        "team": Fact(team.name, team.at("metadata", "name")),
        "cluster": Fact(scope.name, spec.child("cluster")),
        "queue": Fact(local_queue_name(queue), spec.child("queue")),
    }
    priority = workload.priority or default_priority(scope)
    if priority:
        facts["priority"] = Fact(priority, spec.child("priority"))
    scheduling = scope.decl.scheduling
    if own_scheduler(scope):
        at = scope.decl.at(*scheduling.path)
        facts["scheduler"] = Fact(scheduling.scheduler, at.child("scheduler"))
        facts["gangs"] = Fact(scheduling.gangs, at.child("gangs"))
    lines = queue.quota.get(scope.name, ())
    if lines:
        facts["flavor"] = Fact(lines[0].flavor, lines[0].origin.child("flavor"))
    facts.update(_devices(scope, lines))
    flavors = ", ".join(line.flavor for line in lines)
    none = f"{where} has no accelerators (flavor {flavors})"
    return Context(
        facts,
        {
            "priority": "no priority is declared as the default",
            "scheduler": f"cluster {scope.name} has no second scheduler",
            "gangs": f"cluster {scope.name} has no second scheduler",
            "accelerator": none,
            "cpuPerAccelerator": none,
            "memoryPerAccelerator": none,
            "rdma": f"the nodes of {where} have no RDMA devices",
            "rdmaPerAccelerator": f"the nodes of {where} have no RDMA devices",
        },
    )


def _devices(scope: Scope, lines: tuple[QuotaLine, ...]) -> Mapping[str, Fact]:
    """The accelerator, and what comes with one on every node that the queue's flavors may choose: the least of them."""
    offers = [(line, offer_of(scope.repo, scope.decl, line.flavor)) for line in lines]
    accelerator = next((_accelerator(line, offer) for line, offer in offers if offer.shares), "")
    if not accelerator:
        return {}
    line = next(line for line, offer in offers if accelerator in offer.shares)
    facts = {"accelerator": Fact(accelerator, line.origin.child("flavor"))}
    pools = [(pool, offer) for _, offer in offers if accelerator in offer.shares for pool in offer.pools]
    for name, resource in (("cpuPerAccelerator", "cpu"), ("memoryPerAccelerator", "memory")):
        found = [_part(scope, pool, offer, accelerator, resource) for pool, offer in pools if weight(pool)]
        if found:
            amount, text, origin = min(found, key=lambda part: part[0])
            if amount:
                facts[name] = Fact(round_down(amount, resource), origin, text)
    rdma = next(_rdma(pool for pool, _ in pools), "")
    if rdma:
        facts["rdma"] = Fact(rdma, _pool(scope, pools[0][0]).child("perNode", rdma))
        found = [_part(scope, pool, offer, accelerator, rdma) for pool, offer in pools if weight(pool)]
        amount, text, origin = min(found, key=lambda part: part[0])
        facts["rdmaPerAccelerator"] = Fact(int(amount), origin, text)
    return facts


def _accelerator(line: QuotaLine, offer: Offer) -> str:
    """The devices that the line counts; of several kinds the first that it asks for."""
    return next(
        (device for device, count in line.devices.items() if count and device in offer.shares), offer.main
    )


def _part(
    scope: Scope, pool: NodePool, offer: Offer, accelerator: str, resource: str
) -> tuple[Fraction, str, Origin]:
    """What of a resource comes with one device of a pool, how, and the place of the pool's shape."""
    share = offer.shares[accelerator]
    amount = Fraction(promised(pool, resource).nano, NANO) * share / weight(pool)
    shape = promised_text(pool, resource)
    shape = f"({shape})" if " − " in shape else shape
    part = f" × {share}" if share != 1 else ""
    text = f"{shape} ÷ {weight(pool)} GPUs per node{part} {equals(amount, resource)}"
    return amount, text, _pool(scope, pool).child("perNode", resource)


def _pool(scope: Scope, pool: NodePool) -> Origin:
    return scope.decl.at(*pool.path)


def _rdma(pools: Iterator[NodePool]) -> Iterator[str]:
    for pool in pools:
        for resource in sorted(pool.per_node):
            if is_device(resource) and any(word in resource.lower() for word in _RDMA):
                yield resource
