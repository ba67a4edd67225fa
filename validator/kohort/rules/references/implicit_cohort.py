"""A queue's cohort is not declared and looks like a typing error, or is the only undeclared one.

Why:
    Kueue makes an implicit cohort out of any name. A queue alone in a mistyped cohort neither borrows, lends nor
    reclaims, and nothing says so. Cohorts without an object are usual, so a finding needs a reason: the queue is the
    only member and another cohort has nearly this name, or the other cohorts of the cluster are declared.

Bad:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: Cohort
    metadata: {name: research}
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ClusterQueue
    metadata: {name: train}
    spec: {namespaceSelector: {}, cohortName: reserach}

Good:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: Cohort
    metadata: {name: research}
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ClusterQueue
    metadata: {name: train}
    spec: {namespaceSelector: {}, cohortName: research}

Source:
    Kueue 0.15 to 0.19, ClusterQueue spec.cohortName: an unknown cohort is implicit, without quota and limits
"""

from __future__ import annotations

from collections.abc import Iterator

from kohort.diagnostics import Consequence, Finding, Severity
from kohort.objects.cluster import Cluster
from kohort.rules.base import Rule
from kohort.rules.references.index import members_of
from kohort.rules.references.wording import ask, meant, quoted, rename

RULE = Rule("REF410", "implicit-cohort", Consequence.UNSAFE)


@RULE.cluster
def check(cluster: Cluster) -> Iterator[Finding]:
    """One finding per undeclared name, at its first use."""
    members = members_of(cluster)
    established = {*cluster.cohorts, *(name for name, found in members.items() if len(found) > 1)}
    reported: set[str] = set()
    for queue in cluster.queues.values():
        name = queue.cohort
        if not name or name in cluster.cohorts or name in reported or queue.obj.is_poisoned(("apiVersion",)):
            continue
        reported.add(name)
        if queue.obj.compiled or any(member.kind == "Cohort" for member in members[name]):
            continue  # a parent that nobody declares has its own finding, and so has what a declaration names
        alone = len(members[name]) == 1
        close = meant(cluster, "Cohort", name, established - {name}) if alone else ()
        if not close and not cluster.cohorts:
            continue
        count = "its only member" if alone else f"the first of {len(members[name])} members"
        yield RULE.at(
            queue.obj,
            ("spec", queue.cohort_field),
            f"{queue.obj.ref}: no Cohort {quoted(name)} is declared{ask(close)}: an implicit cohort, this queue is {count}",
            cluster=cluster,
            label="declared nowhere",
            help=(
                ("alone in a cohort a queue can neither borrow, lend nor reclaim",)
                if alone
                else (f"declare Cohort {name} like the cluster's other cohorts",)
            ),
            fix=rename(queue.obj, ("spec", queue.cohort_field), close),
            severity=Severity.WARNING if close else Severity.INFO,
        )
