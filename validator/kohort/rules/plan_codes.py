"""Documentation of the codes that a plan reports (`PLN0xx`): what is wrong with a change, not with its result.

It stands here, below the planner, so that the catalogue knows every code.
"""

from __future__ import annotations

from typing import Final

from kohort.diagnostics import Consequence, Severity
from kohort.diagnostics.codes import CodeDoc

IMMUTABLE: Final = CodeDoc(
    "PLN001",
    "immutable-field",
    Severity.ERROR,
    Consequence.REFUSED,
    "A change touches a field that the server does not let change.",
    "The update is refused and the sync fails: the object has to be deleted and made again, in an order that loses no "
    "work. The plan gives the steps.",
    "(a LocalQueue whose spec.clusterQueue names another ClusterQueue than before)",
    "(the LocalQueue deleted and made again, or one of another name)",
)
STILL_USED: Final = CodeDoc(
    "PLN002",
    "removed-while-used",
    Severity.ERROR,
    Consequence.STUCK,
    "A change removes an object that others still name, or a queue in which work holds quota.",
    "A finalizer keeps it in deletion; a flavor, check or topology that is forced away turns every queue inactive that "
    "needs it. A Cohort has no finalizer, so that this is a warning there: it lives on by name, without quota and limits.",
    "(a ResourceFlavor removed that a ClusterQueue still lists)",
    "(first the queue without the flavor, then the flavor removed)",
)
BELOW_USE: Final = CodeDoc(
    "PLN003",
    "quota-below-use",
    Severity.WARNING,
    Consequence.DISRUPTIVE,
    "A guarantee, or what a queue may reach at most, falls below what runs in it at the moment of the snapshot.",
    "Kueue evicts nothing for that: what is above the guarantee goes on, is open to reclaim by others in the cohort, and "
    "nothing new is admitted until enough of it has ended.",
    "(a quota of 4 GPUs while workloads use 6)",
    "(a quota of at least what is used, or the queue drained first)",
)
TO_ZERO: Final = CodeDoc(
    "PLN004",
    "stopped-by-quota",
    Severity.WARNING,
    Consequence.DISRUPTIVE,
    "All guarantees of a queue that may borrow nothing fall to 0.",
    "It stops new work as a stop policy would, but forgets the number that has to come back later.",
    "(every nominalQuota of a ClusterQueue lowered to 0)",
    "(stopPolicy: Hold on the queue, its quota left as it is)",
)
EMPTIED: Final = CodeDoc(
    "PLN005",
    "emptied-spec",
    Severity.WARNING,
    Consequence.REFUSED,
    "A change takes the last field of a Cohort's or ResourceFlavor's spec away.",
    "A server-side apply, as Argo CD makes it, is refused then: what is left of the spec is null to the API server "
    '(`spec: Invalid value: "null"`), and the sync fails until somebody replaces the object by hand.',
    "(a Cohort that had only a parentName, and now has `spec: {}`)",
    '(the same with `fairSharing: {weight: "1"}`, which says what Kueue takes anyway)',
)
PLAYED_JOBS: Final = CodeDoc(
    "PLN006",
    "jobs-were-played",
    Severity.WARNING,
    Consequence.NOTE,
    "The snapshot holds jobs and no Workloads.",
    "Which of them run is not observed then: they are played on the cluster before the change, in the order of the file, "
    "as if nothing else ran.",
    "(`kohort plan OLD NEW --snapshot jobs.yaml` with manifests of jobs)",
    "(`kubectl get workloads,clusterqueues -A -o yaml`)",
)
TOGETHER: Final = CodeDoc(
    "PLN010",
    "fits-alone-not-together",
    Severity.ERROR,
    Consequence.STUCK,
    "Changes that are right one by one are wrong together.",
    "Each was checked against the branch as it is now. Whichever is merged second is merged onto the first, and its "
    "check is out of date.",
    "(two pull requests that both take the last 8 GPUs: `kohort plan --with OTHER`)",
    "(one of them merged, the other planned again)",
)
CONFLICT: Final = CodeDoc(
    "PLN011",
    "changes-the-same-lines",
    Severity.WARNING,
    Consequence.NOTE,
    "Two changes touch the same lines of a file.",
    "They cannot be judged together there, nor merged without somebody who decides.",
    "(two pull requests that set the same number differently)",
    "(one of them merged, the other brought up to date)",
)
RULES: Final = (IMMUTABLE, STILL_USED, BELOW_USE, TO_ZERO, EMPTIED, PLAYED_JOBS, TOGETHER, CONFLICT)
