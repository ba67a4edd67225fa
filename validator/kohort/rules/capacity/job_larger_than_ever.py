"""A job asks for more than its queue can ever have, or more pods at once than its nodes can hold.

Why:
    The most a queue can have is its own quota plus what it may borrow when everybody else is idle. A job beyond that
    waits for ever. So does one whose pods do not fit on the empty healthy nodes at the same time; that they fit is
    necessary, but not sufficient, as other pods, affinity and fragmentation can still be in the way.

Bad:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ResourceFlavor
    metadata: {name: default}
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ClusterQueue
    metadata: {name: train}
    spec:
      namespaceSelector: {}
      resourceGroups:
      - coveredResources: [nvidia.com/gpu]
        flavors:
        - name: default
          resources: [{name: nvidia.com/gpu, nominalQuota: 8}]
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: LocalQueue
    metadata: {name: q, namespace: team}
    spec: {clusterQueue: train}
    ---
    apiVersion: batch/v1
    kind: Job
    metadata: {name: big, namespace: team, labels: {kueue.x-k8s.io/queue-name: q}}
    spec:
      suspend: true
      parallelism: 2
      completions: 2
      template:
        spec:
          restartPolicy: Never
          containers:
          - name: main
            image: registry.example/job:1
            resources: {requests: {nvidia.com/gpu: 8}, limits: {nvidia.com/gpu: 8}}

Good:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ResourceFlavor
    metadata: {name: default}
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ClusterQueue
    metadata: {name: train}
    spec:
      namespaceSelector: {}
      resourceGroups:
      - coveredResources: [nvidia.com/gpu]
        flavors:
        - name: default
          resources: [{name: nvidia.com/gpu, nominalQuota: 16}]
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: LocalQueue
    metadata: {name: q, namespace: team}
    spec: {clusterQueue: train}
    ---
    apiVersion: batch/v1
    kind: Job
    metadata: {name: big, namespace: team, labels: {kueue.x-k8s.io/queue-name: q}}
    spec:
      suspend: true
      parallelism: 2
      completions: 2
      template:
        spec:
          restartPolicy: Never
          containers:
          - name: main
            image: registry.example/job:1
            resources: {requests: {nvidia.com/gpu: 8}, limits: {nvidia.com/gpu: 8}}

Source:
    Kueue 0.19 potential available quota ("insufficient quota … maximum capacity", ExceedsMaxQuota).
"""

from __future__ import annotations

from collections.abc import Iterator

from kohort.capacity import assess
from kohort.capacity.asks import Ask, Placement, fits_one
from kohort.capacity.shapes import NOT_SUFFICIENT
from kohort.capacity.words import number
from kohort.diagnostics import Audience, Consequence, Finding, Label, Term
from kohort.diagnostics.count import count_of
from kohort.objects.cluster import Cluster
from kohort.rules.base import Rule, Stage
from kohort.rules.capacity import asked

RULE = Rule("CAP909", "job-larger-than-ever", Consequence.STUCK, audience=Audience.TEAM, stage=Stage.CAPACITY)


@RULE.cluster
def check(cluster: Cluster) -> Iterator[Finding]:
    """One finding per pod set: by quota, which needs no nodes, else by placement."""
    for answer in assess(cluster).answers:
        if answer.beyond:
            yield _by_quota(answer.ask, answer.beyond, cluster)
        elif answer.placement:
            yield from _by_placement(answer.ask, answer.placement, cluster)


def _by_quota(ask: Ask, beyond: tuple[str, str, int], cluster: Cluster) -> Finding:
    flavor, resource, most = beyond
    wanted = ask.of(resource)
    own = ask.queue.nominal((flavor, resource))
    source = ask.queue.source
    quota = source.quotas.get((flavor, resource)) if source else None
    rows = [Term("+", number(own, resource), f"nominalQuota of ClusterQueue {ask.queue.name}")]
    if ask.queue.parent is not None:
        rows.append(Term("+", number(most - own, resource), "at most to borrow when all others are idle"))
    return RULE.at(
        ask.obj,
        asked.place(ask, resource),
        f"{asked.podset(ask)} asks {asked.exact(wanted, resource)}, but ClusterQueue {ask.queue.name} can never have more "
        f"than {asked.exact(most, resource)} of flavor {flavor}: it waits for ever",
        cluster=cluster,
        label=f"{ask.count} pods of {number(ask.request[resource], resource)}" if ask.count > 1 else "",
        related=(Label(source.obj.at(*quota.path), f"ClusterQueue {ask.queue.name}"),)
        if source and quota
        else (),
        terms=(
            *rows,
            Term("=", number(most, resource), "the most it can ever have"),
            Term("<", number(wanted, resource), "asked"),
        ),
        help=(f"ask at most {asked.exact(most, resource)}, or get more quota",),
    )


def _by_placement(ask: Ask, placement: Placement, cluster: Cluster) -> Iterator[Finding]:
    # pods that ask for nothing fit wherever a node counts no pods: there is no amount to speak of
    if placement.fits >= ask.count or not placement.measured or not fits_one(placement):
        return
    resource = next(iter(placement.measured))
    yield RULE.at(
        ask.obj,
        asked.place(ask, resource),
        f"{asked.podset(ask)} asks {count_of(ask.count, 'pod')} of {asked.size(placement.measured)} at once; the "
        f"{count_of(len(placement.nodes), 'healthy node')} of flavor {' and '.join(placement.flavors)} hold {placement.fits} of them "
        "when empty",
        cluster=cluster,
        terms=(
            Term("+", str(placement.fits), "pods of this shape fit on empty healthy nodes"),
            Term("<", str(ask.count), "asked at once"),
        ),
        help=("use fewer or smaller pods", NOT_SUFFICIENT),
    )
