"""A flavor preference where a policy stops the search.

Why:
    flavorFungibility.preference ranks flavors after all were tried, so both policies must be TryNextFlavor; an absent
    whenCanBorrow is MayStopSearch.

Bad:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ClusterQueue
    metadata: {name: train}
    spec:
      namespaceSelector: {}
      flavorFungibility: {preference: PreemptionOverBorrowing}

Good:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ClusterQueue
    metadata: {name: train}
    spec:
      namespaceSelector: {}
      flavorFungibility: {whenCanBorrow: TryNextFlavor, whenCanPreempt: TryNextFlavor, preference: PreemptionOverBorrowing}

Source:
    Kueue 0.15 to 0.19, CEL on ClusterQueue spec.flavorFungibility
"""

from __future__ import annotations

from collections.abc import Iterator

from kohort.diagnostics import Consequence, Finding
from kohort.objects.cluster import Cluster
from kohort.objects.kube import KubeObject
from kohort.rules.base import Rule, Stage
from kohort.rules.refused.violations import clean, is_ours

RULE = Rule("KUE221", "preference-without-try-next", Consequence.REFUSED, stage=Stage.FORM)


@RULE.each("ClusterQueue")
def check(obj: KubeObject, cluster: Cluster) -> Iterator[Finding]:
    """One finding per place."""
    if not is_ours(obj) or not clean(obj, cluster):
        return
    fungibility = obj.get("spec", "flavorFungibility")
    if not isinstance(fungibility, dict) or fungibility.get("preference") is None:
        return
    old = obj.version == "v1beta1"
    borrow = fungibility.get("whenCanBorrow") or ("Borrow" if old else "MayStopSearch")
    preempt = fungibility.get("whenCanPreempt") or "TryNextFlavor"
    if borrow != "TryNextFlavor" or preempt != "TryNextFlavor":
        yield RULE.at(
            obj,
            ("spec", "flavorFungibility"),
            f"{obj.ref}: preference can only be set when both whenCanBorrow and whenCanPreempt are TryNextFlavor "
            f"(they are {borrow} and {preempt})",
            cluster=cluster,
            part="key",
            help=("set both to TryNextFlavor, or remove preference",),
        )
