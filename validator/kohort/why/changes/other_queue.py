"""Another queue that the job's namespace may submit to."""

from __future__ import annotations

from kohort.objects.names import visible
from kohort.objects.selectors import matches
from kohort.why.answer import Change, Lever
from kohort.why.changes.situation import Situation
from kohort.why.trying import outcome


def other_queue(now: Situation) -> Change | None:
    """The first other queue, by name, that would admit the job now."""
    labels = now.state.namespaces.get(now.work.namespace)
    for name, queue in sorted(now.siblings.items()):
        if queue is now.queue or queue.inactive or queue.node is None:
            continue
        if labels is not None and not matches(queue.spec.namespace_selector, labels):
            continue
        verdict = outcome(now.work, queue, now.state)
        if verdict is not None:
            message = f"submit it to queue {visible(name)}"
            return Change(Lever.OTHER_QUEUE, message, verdict, {"localQueue": name, "queue": queue.name})
    return None
