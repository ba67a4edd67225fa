"""The shape of a rule about disruption. Rules are data: fields, conditions on facts, a class and its reason."""

from __future__ import annotations

from typing import Final

from kohort.dataclass import dataclass
from kohort.planner.plan import Disruption

NOTHING: Final = Disruption.NOTHING
NEW_WORK: Final = Disruption.NEW_WORK
REQUEUES: Final = Disruption.REQUEUES
MAY_PREEMPT: Final = Disruption.MAY_PREEMPT
EVICTS: Final = Disruption.EVICTS
RECREATE: Final = Disruption.RECREATE
STEPS: Final = Disruption.STEPS

# In which part of the plan a change of the field can be seen.
AMOUNTS: Final = "amounts"  # effects in GPUs
ACCESS: Final = "access"  # who may see, submit and administer
BEHAVIOUR: Final = "behaviour"  # how a queue or cluster decides: the change of the object says it
WORK: Final = "work"  # declared work itself

FACTS: Final = frozenset(
    {
        "added",
        "removed",
        "changed",
        "reordered",
        "raised",  # a number or limit is larger (no limit is the largest)
        "lowered",
        "in-cohort",  # the queue or cohort stands in a cohort, before or after
        "lends",  # the queue has quota that others of its tree may use while it is idle
        "reclaims",  # the queue itself takes back what others borrowed
        "members-reclaim",  # the object is a cohort, and a queue in it does
        "pushes",  # the queue, or one in the cohort, preempts others even while it borrows itself
        "others-reclaim",  # another queue of the tree does
        "taken-back",  # any of the three, or a queue in the tree that it leaves
        "cycle",  # its parents run in a circle now
        "cycle-ends",  # they did before
        "fair",  # the cluster shares fairly, or it is not known
        "same-weight",  # both sides weigh the same: 1 is what is taken where none is given
        "selected",  # a queue takes work of the namespace by its labels, before or after, and not both
        "topology",  # the flavor had a topology before
        "frozen",  # the flavor had one, and this Kueue lets nothing of such a flavor change
        "listed",  # a queue lists the flavor
        "referenced",  # an object after the change still names this one
        "slack",  # the queue absorbs failures: nobody submits to it
        "idle",  # the snapshot shows no running work that this touches
        "outgrows",  # the snapshot shows waiting work that fits only now, and then preempts what runs in the queue
        "awaited",  # the snapshot shows waiting work that names the LocalQueue
        "default",  # the LocalQueue that jobs get which name none
    }
)
"""Facts that a case may require; beside them `to:VALUE` and `from:VALUE` of texts."""


@dataclass(frozen=True, slots=True)
class Case:
    """What follows when all facts of `when` (separated by blanks; empty: always) hold."""

    when: str
    disruption: Disruption
    why: str

    def holds(self, facts: frozenset[str]) -> bool:
        """Whether the case applies."""
        return all(fact in facts for fact in self.when.split())


@dataclass(frozen=True, slots=True)
class FieldRule:
    """What a change of some fields does. The first case that holds decides; the last one holds always.

    `fields` are patterns (`spec.levels`, list items as `[*]`, the whole object as an empty text); a pattern covers all
    that lies below it, and the longest one counts. `shows` is the part of the plan where the change is seen, or
    `no effect: ` and the reason. `source` says where the behaviour was read or recorded.
    """

    name: str
    kinds: tuple[str, ...]
    fields: tuple[str, ...]
    shows: str
    source: str
    cases: tuple[Case, ...]
