"""What compiling can find: declarations that cannot become objects. Each leaves one object out, the rest goes on."""

from __future__ import annotations

from typing import Final

from kohort.diagnostics import Audience, Consequence, Finding, Label, Severity
from kohort.diagnostics.codes import CodeDoc
from kohort.spans import Origin


def _row(code: str, name: str, summary: str, why: str, bad: str, good: str) -> CodeDoc:
    return CodeDoc(code, name, Severity.ERROR, Consequence.INVALID, summary, why, bad, good)


COLLISION: Final = _row(
    "CMP101",
    "name-collision",
    "Two declarations compile to one object.",
    "Only the first is written. Team a-b with queue c and team a with queue b-c both mean ClusterQueue a-b-c.",
    "team a-b: queues [{name: c}], and team a: queues [{name: b-c}]",
    "team a-b: queues [{name: c}], and team a: queues [{name: bc}]",
)
NAMESPACE_TAKEN: Final = _row(
    "CMP102",
    "namespace-claimed-twice",
    "Two teams claim one namespace.",
    "Whoever owns the namespace owns its work and its access, so the second claim is left out.",
    "team blue: namespaces [shared], and team red: namespaces [shared]",
    "team blue: namespaces [blue], and team red: namespaces [red]",
)
CLASS_MISSING: Final = _row(
    "CMP103",
    "queue-class-missing",
    "A queue names a class that is not declared.",
    "Kohort does not guess who may preempt whom, so the queue is left out.",
    "class: btach",
    "class: batch",
)
FLAVOR_TWICE: Final = _row(
    "CMP104",
    "flavor-listed-twice",
    "A queue or cohort lists one flavor in two lines on one cluster.",
    "Kueue takes one quota per flavor, so only the first line is compiled.",
    "pokprod: [{flavor: h100, gpus: 8}, {flavor: h100, gpus: 4}]",
    "pokprod: [{flavor: h100, gpus: 12}]",
)
SECOND_REMAINDER: Final = _row(
    "CMP105",
    "remainder-given-twice",
    "Two slack entries of one cluster ask for the remainder of one flavor.",
    "What is left over can be given once; the second entry is left out.",
    "slack: [{cohort: a, flavor: h100, amount: remainder}, {cohort: b, flavor: h100, amount: remainder}]",
    "slack: [{cohort: a, flavor: h100, amount: remainder}, {cohort: b, flavor: h100, amount: 8}]",
)
NOT_RENDERED: Final = _row(
    "CMP106",
    "workload-not-compiled",
    "A declared workload cannot become an object.",
    "Its template, queue or values do not fit, so nothing would run.",
    "template: batch-jbo",
    "template: batch-job",
)
OLD_KUEUE: Final = _row(
    "CMP107",
    "kueue-too-old",
    "The cluster declares a Kueue older than 0.15.",
    "Kohort writes kueue.x-k8s.io/v1beta2, which that server does not know.",
    "versions: {kueue: 0.14.8}",
    "versions: {kueue: 0.19.1}",
)
TOO_DEEP: Final = _row(
    "CMP108",
    "raw-object-too-deep",
    "An object under raw/ is nested deeper than 100 levels.",
    "No Kubernetes object needs that; it is not passed through.",
    "[[[[…]]]]",
    "an object of ordinary depth",
)

NO_NODES: Final = _row(
    "CMP109",
    "flavor-without-nodes",
    "Slack or a limit of a cohort names a flavor that has no node pool on the cluster.",
    "There is nothing of it to keep, lend or borrow; a misspelt name looks the same.",
    "slack: [{cohort: org, flavor: h10, amount: remainder}]",
    "slack: [{cohort: org, flavor: h100, amount: remainder}]",
)

RULES: Final = (
    COLLISION,
    NAMESPACE_TAKEN,
    CLASS_MISSING,
    FLAVOR_TWICE,
    SECOND_REMAINDER,
    NOT_RENDERED,
    OLD_KUEUE,
    TOO_DEEP,
    NO_NODES,
)


def problem(
    code: CodeDoc,
    message: str,
    origin: Origin,
    *,
    cluster: str = "",
    subject: str = "",
    related: tuple[Label, ...] = (),
    help_: tuple[str, ...] = (),
) -> Finding:
    """An error: what `origin` declares is not in the output (of `cluster`, where one is named)."""
    return Finding(
        code=code.code,
        name=code.name,
        severity=code.severity,
        consequence=code.consequence,
        audience=Audience.TEAM if origin.file.startswith("teams/") else Audience.ADMIN,
        message=message,
        primary=Label(origin, "not compiled"),
        subject=subject,
        related=related,
        help=help_,
        clusters=(cluster,) if cluster else (),
    )
