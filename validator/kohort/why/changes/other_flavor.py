"""A flavor of the queue that is closed to the pods only by their own placement: a taint, a node selector, affinity."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from kohort.objects.kueue import Flavor
from kohort.objects.names import visible
from kohort.semantics.reasons import Reason, Why
from kohort.why.answer import Change, Lever, Look
from kohort.why.changes.situation import Situation
from kohort.why.trying import other_pods, outcome

_OPENABLE: Final = frozenset({Why.UNTOLERATED_TAINT, Why.NODE_AFFINITY})


def other_flavor(now: Situation) -> Change | None:
    """The first such flavor that admits the job once its pods may take it."""
    for look in now.looks:
        reason = next((each for each in look.reasons if each.why in _OPENABLE), None)
        flavor = now.state.flavors.get(look.flavor)
        if reason is None or flavor is None:
            continue
        pod = {
            "nodeSelector": dict(flavor.node_labels),
            "tolerations": [{"operator": "Exists"}],
        }
        podsets = tuple(replace(ask, pod=pod) if ask.name == look.podset else ask for ask in now.work.podsets)
        with other_pods(now.work, podsets):
            verdict = outcome(now.work, now.queue, now.state)
        if verdict is not None:
            return Change(
                Lever.OTHER_FLAVOR,
                f"let the pods take flavor {visible(look.flavor)}: {_how(reason, flavor, look)}",
                verdict,
                {"flavor": look.flavor, "podset": look.podset},
            )
    return None


def _how(reason: Reason, flavor: Flavor, look: Look) -> str:
    if reason.why is Why.UNTOLERATED_TAINT:
        return f"tolerate {visible(reason.detail)}"
    labels = ", ".join(
        f"{visible(key)}={visible(value)}" for key, value in sorted(flavor.node_labels.items())
    )
    return f"node selector and affinity of {look.podset} have to match {labels}"
