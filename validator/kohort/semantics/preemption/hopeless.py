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

from kohort.semantics.preemption.candidates import NEVER
from kohort.semantics.preemption.hierarchy import fits_in_quota
from kohort.semantics.preemption.trial import Trial


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
