"""Kinds that a policy on objects names: known at all, and such as the API server is asked about."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from kohort.compiler.job_kinds import WRAPPABLE, group_of, known_kinds, split_kind
from kohort.diagnostics import Finding
from kohort.diagnostics.suggest import did_you_mean
from kohort.model.policy import Policy
from kohort.model.repo import Repo
from kohort.objects.cluster import Cluster
from kohort.objects.names import visible
from kohort.objects.schema.table import kinds
from kohort.policy.codes import row


def kinds_at_fault(policy: Policy, repo: Repo, clusters: Mapping[str, Cluster]) -> Iterator[Finding]:
    """A finding per kind that nothing is known of (POL108), and per kind that `admission` cannot cover (POL107)."""
    wrapped = [kind for cluster in repo.clusters.values() for kind in cluster.appwrapper.wrapped_kinds]
    known: frozenset[str] | None = None
    for index, kind in enumerate(policy.kinds):
        origin, subject = policy.origin.child("spec", "kinds", index), f"Policy {policy.name}"
        if group_of(kind, wrapped) is not None:
            continue
        known = _known(wrapped, clusters) if known is None else known
        if kind not in known:
            likely = did_you_mean(kind, known, 1)
            hint = f"; did you mean `{likely[0]}`?" if likely else ""
            yield row("POL108").finding(
                visible(f"policy {policy.name}: no cluster has an object of kind `{kind}`{hint}"),
                origin,
                subject=subject,
                help=(
                    "write the kind as its objects do, in capitals",
                    "or take it out until there are such objects",
                ),
            )
        elif policy.admission is not None:
            yield row("POL107").finding(
                visible(
                    f"policy {policy.name}: the API server is asked about work only, so nothing refuses a {kind} there"
                ),
                origin,
                subject=subject,
                help=("move the kind to a policy without `admission`",),
            )


def _known(wrapped: list[str], clusters: Mapping[str, Cluster]) -> frozenset[str]:
    """Kinds of work, of Kueue, and of whatever the clusters hold."""
    found = {split_kind(text)[1] for text in (*WRAPPABLE, *wrapped)} | set(known_kinds())
    for cluster in clusters.values():
        found |= {obj.kind for obj in cluster.objects} | set(kinds(cluster.kueue))
    return frozenset(found)
