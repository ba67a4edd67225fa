"""What keeps a job from being looked at, whatever quota there is.

Source: kueue.md 2.11 and 5.4; Kueue 0.19.1 scheduler (nominate), queue manager and LocalQueue controller.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator

from kohort.diagnostics.suggest import did_you_mean
from kohort.live.snapshot import Snapshot
from kohort.live.works import LiveWork
from kohort.objects.names import visible
from kohort.objects.selectors import matches
from kohort.semantics.reasons import Why
from kohort.semantics.state import Queue
from kohort.semantics.status.moments import shown
from kohort.semantics.work import Work
from kohort.why.answer import Obstacle

_FAILED = ("Retry", "Rejected")


def obstacles(snapshot: Snapshot, work: Work, live: LiveWork | None) -> Iterator[Obstacle]:
    """In the order in which they have to be cleared; none for a job that only quota decides about."""
    if not work.active:
        yield Obstacle(
            Why.DEACTIVATED,
            f"{visible(work.key)} is deactivated (spec.active: false)",
            "set spec.active to true",
        )
    queue = yield from _queue(snapshot, work)
    if queue is not None:
        yield from _namespace(snapshot, work, queue)
    if work.refused:
        yield Obstacle(
            Why.REFUSED,
            f"its pods ask for more or less than they may: {visible(work.refused)}",
            f"ask for amounts within their own limits and within the LimitRanges of namespace {visible(work.namespace)}",
        )
    failed = sorted(name for name, state in work.checks.items() if state in _FAILED)
    for name in failed:
        state = work.checks[name]
        told = "Kueue evicts it and tries again" if state == "Retry" else "Kueue deactivates it"
        yield Obstacle(Why.CHECK, f"admission check {visible(name)} says {visible(state)}: {told}")
    if live is not None and live.gates:
        names = ", ".join(visible(gate) for gate in live.gates)
        yield Obstacle(
            Why.CHECK,
            f"it is held back by {names} (annotation kueue.x-k8s.io/admission-gated-by)",
            "whoever holds it has to take the entry away",
        )
    if work.requeue_at > snapshot.state.now:
        yield Obstacle(
            Why.BACKOFF,
            f"it waits until {shown(work.requeue_at)} before it is looked at again (eviction {work.requeues}, back-off)",
            "nothing to do: it returns to its queue by itself",
        )


def _queue(snapshot: Snapshot, work: Work) -> Generator[Obstacle, None, Queue | None]:
    """The ClusterQueue, as the generator's value, once both queues are known to take work."""
    state = snapshot.state
    local = state.local_queues.get((work.namespace, work.queue))
    if local is None:
        names = sorted(name for namespace, name in state.local_queues if namespace == work.namespace)
        near = did_you_mean(work.queue, names)
        there = (
            f"there are: {', '.join(visible(n) for n in names[:8])}" if names else "the namespace has none"
        )
        help_ = f"did you mean {visible(near[0])}?" if near else there
        named = f"LocalQueue {visible(work.namespace)}/{visible(work.queue)}" if work.queue else "a queue"
        message = f"{named} does not exist" if work.queue else "the job names no queue"
        yield Obstacle(Why.NO_LOCAL_QUEUE, message, f"{help_}; the label is kueue.x-k8s.io/queue-name")
        return None
    name = f"{visible(work.namespace)}/{visible(local.name)}"
    if local.stop_policy != "None":
        yield Obstacle(
            Why.LOCAL_QUEUE_STOPPED,
            f"LocalQueue {name} is stopped (stopPolicy {visible(local.stop_policy)})",
            "an admin sets its stopPolicy to None",
        )
    queue = state.queues.get(local.cluster_queue)
    if queue is None:
        near = did_you_mean(local.cluster_queue, state.queues)
        hint = f"; did an admin mean {visible(near[0])}?" if near else ""
        yield Obstacle(
            Why.NO_QUEUE,
            f"LocalQueue {name} leads to ClusterQueue {visible(local.cluster_queue)}, which does not exist",
            f"create it, or make the LocalQueue anew: clusterQueue cannot be changed{hint}",
        )
        return None
    if queue.node is None:
        ring = next((c for c in state.ledger.tree.cycles if queue.spec.cohort in c), ())
        path = f" ({' → '.join(visible(each) for each in ring)})" if ring else ""
        yield Obstacle(
            Why.QUEUE_INACTIVE,
            f"ClusterQueue {visible(queue.name)} is in cohort {visible(queue.spec.cohort)}, whose parents form a cycle{path}: "
            "nothing in it is scheduled",
            "an admin changes the parentName of one of these cohorts",
        )
    elif queue.inactive:
        yield Obstacle(
            Why.QUEUE_INACTIVE,
            f"ClusterQueue {visible(queue.name)} is not active ({queue.inactive}): {visible(queue.inactive_detail)}",
            "an admin has to clear that cause first",
        )
    return queue


def _namespace(snapshot: Snapshot, work: Work, queue: Queue) -> Iterator[Obstacle]:
    labels = snapshot.state.namespaces.get(work.namespace)
    if labels is None:
        return  # not in the snapshot: said as a note, not guessed
    selector = queue.spec.namespace_selector
    if not matches(selector, labels):
        why = "is absent and so selects none" if selector is None else "does not select it"
        yield Obstacle(
            Why.NAMESPACE,
            f"namespace {visible(work.namespace)} may not use ClusterQueue {visible(queue.name)}, whose namespaceSelector {why}",
            "an admin labels the namespace or changes the selector",
        )
