"""Searches for victims that cannot succeed, told apart before any candidate is looked at.

The rules are those of `classical.py` and `hierarchy.py`; nothing is left out that could matter. Let the own queue hold no
candidates, so that every candidate is a workload of another queue. Then:

- Taking candidates out never changes what the own queue uses. An attempt without borrowing asks that the own quota holds
  what is used and what is asked for, of every flavor-resource: where it does not now, it does not later.
- An attempt with borrowing, where `borrowWithinCohort` forbids to borrow at the cost of others, counts only candidates with
  advantage. There are none unless the request fits the quota of the own queue, or of a cohort between it and the root;
  whether it does is settled before anybody is taken out.

Where both hold, every attempt ends without victims, whatever the order of candidates and whatever chance decides.
"""

from __future__ import annotations

from typing import Final

from kohort.semantics.preemption.candidates import LOWER, NEVER
from kohort.semantics.preemption.hierarchy import fits_in_quota
from kohort.semantics.preemption.trial import Trial
from kohort.semantics.state import Queue, State
from kohort.semantics.work import Work

_NO: Final = 0  # nobody may be asked
_PARTLY: Final = 1  # own: those of lower priority; others: where quota below the root holds what is asked for
_MAYBE: Final = 2  # only a search can tell


def hopeless(trial: Trial) -> bool:
    """Whether nobody in other queues can make room; the own queue must have no candidates.

    Says no where it does not know: then the search finds out.
    """
    queue = trial.queue
    preemption = queue.spec.preemption
    if preemption.reclaim_within_cohort == NEVER:
        return True
    if preemption.borrow_within_cohort != NEVER:
        return False
    node, left = queue.node, trial.usage
    while node is not None and node.parent is not None:
        fits, left = fits_in_quota(trial.state.ledger.cells(node), left)
        if fits:
            return False
        node = node.parent
    return True


def nobody(work: Work, queue: Queue, state: State, *, below_root: bool) -> bool:
    """Whether it is certain, before any search, that a work of the queue can preempt nobody for one flavor-resource.

    `below_root` says whether the quota of the own queue, which has a cohort, or of a cohort below the root holds what is asked
    for. By the same proof, from the lowest priority in the own queue; under fair sharing others are asked even then.
    """
    reach = queue.reach
    if reach is None:
        reach = queue.reach = _reach(queue, state)
    own, others = reach
    if own == _MAYBE or (own == _PARTLY and queue.lowest_priority() < work.priority):
        return False
    return others == _NO or (others == _PARTLY and not below_root)


def _reach(queue: Queue, state: State) -> tuple[int, int]:
    """Whom the rules of a queue let its work preempt: of its own, and of others."""
    preemption = queue.spec.preemption
    within = preemption.within_cluster_queue
    own = _NO if within == NEVER else _PARTLY if within == LOWER else _MAYBE
    if preemption.reclaim_within_cohort == NEVER:
        return own, _NO
    searched = state.settings.fair_sharing or preemption.borrow_within_cohort != NEVER
    return own, _MAYBE if searched else _PARTLY
