"""A kind that Kueue's API group does not have.

Why:
    The server has no such kind and applies nothing; what refers to the object by its right kind then finds nothing.
    Most often the kind is misspelled.

Bad:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ResourceFlavour
    metadata: {name: h100}

Good:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ResourceFlavor
    metadata: {name: h100}

Source:
    CRDs of group kueue.x-k8s.io, Kueue 0.15 to 0.19
"""

from __future__ import annotations

from collections.abc import Iterator

from kohort.diagnostics import Consequence, Finding
from kohort.diagnostics.suggest import did_you_mean
from kohort.objects.cluster import KUEUE_GROUP, Cluster
from kohort.objects.names import visible
from kohort.objects.schema import kinds, served
from kohort.objects.versions import shown_version
from kohort.rules.base import Rule, Stage

RULE = Rule("KUE210", "no-such-kind", Consequence.REFUSED, stage=Stage.FORM)


@RULE.cluster
def check(cluster: Cluster) -> Iterator[Finding]:
    """One finding per object, at its kind."""
    known: list[str] = []
    for kind, objects in cluster.by_kind.items():
        if served(kind, cluster.kueue) or kind.endswith("List"):
            continue
        for obj in objects:
            if obj.group != KUEUE_GROUP:
                continue
            known = known or [k for k in kinds(cluster.kueue) if k != "AppWrapper"]
            near = did_you_mean(kind, known)
            hint = f" (did you mean {near[0]}?)" if near else ""
            yield RULE.at(
                obj,
                ("kind",),
                f"{obj.ref}: Kueue {shown_version(cluster.kueue)} has no kind {visible(kind)}{hint}",
                cluster=cluster,
                help=(f"kinds of {KUEUE_GROUP}: {', '.join(known)}",),
            )
