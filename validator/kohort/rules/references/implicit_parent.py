"""A Cohort's parent is not declared by any Cohort object.

Why:
    Kueue makes an implicit cohort without quota or limits out of any name. After a typing error the subtree leaves the
    tree without a word: it no longer borrows from its organisation and lends nothing to it.

Bad:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: Cohort
    metadata: {name: organisation}
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: Cohort
    metadata: {name: research}
    spec: {parentName: organization}

Good:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: Cohort
    metadata: {name: organisation}
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: Cohort
    metadata: {name: research}
    spec: {parentName: organisation}

Source:
    Kueue 0.15 to 0.19, Cohort spec.parentName: an unknown parent is an implicit, limitless root
"""

from __future__ import annotations

from collections.abc import Iterator

from kohort.diagnostics import Consequence, Finding, Label, Severity
from kohort.objects.cluster import Cluster
from kohort.rules.base import Rule
from kohort.rules.references.index import members_of
from kohort.rules.references.wording import ask, meant, quoted, related, rename

RULE = Rule("REF409", "implicit-parent", Consequence.UNSAFE)


@RULE.cluster
def check(cluster: Cluster) -> Iterator[Finding]:
    """One finding per undeclared name, at its first use; a name near a declared one weighs more."""
    reported: set[str] = set()
    for cohort in cluster.cohorts.values():
        parent = cohort.parent
        if (
            not parent
            or parent in cluster.cohorts
            or parent in reported
            or cohort.obj.compiled  # reported where it is declared
            or cohort.obj.is_poisoned(("apiVersion",))
        ):
            continue
        reported.add(parent)
        names = [name for name in cluster.cohorts if name != cohort.name]
        close = meant(cluster, f"Cohort but {cohort.name}", parent, names)
        field = "parentName" if cohort.obj.get("spec", "parentName") is not None else "parent"
        others = [o for o in members_of(cluster)[parent] if o is not cohort.obj]
        alone = (
            f" with {cohort.obj.ref} as its only member" if not others else f" with {len(others) + 1} members"
        )
        yield RULE.at(
            cohort.obj,
            ("spec", field),
            f"{cohort.obj.ref}: no Cohort {quoted(parent)} is declared{ask(close)}: an implicit cohort without quota{alone}",
            cluster=cluster,
            label="declared nowhere",
            related=related(Label(o.at("metadata", "name"), "also below it") for o in others),
            help=(f"declare Cohort {parent}, so that its place and limits can be reviewed",),
            fix=rename(cohort.obj, ("spec", field), close),
            severity=Severity.WARNING if close else Severity.INFO,
        )
