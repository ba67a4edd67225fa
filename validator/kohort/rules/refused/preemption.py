"""A queue may preempt while borrowing although it may never reclaim.

Why:
    reclaimWithinCohort Never (also when it is left out) forbids borrowWithinCohort with any other policy than Never.

Bad:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ClusterQueue
    metadata: {name: train}
    spec:
      namespaceSelector: {}
      preemption: {borrowWithinCohort: {policy: LowerPriority}}

Good:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ClusterQueue
    metadata: {name: train}
    spec:
      namespaceSelector: {}
      preemption: {reclaimWithinCohort: Any, borrowWithinCohort: {policy: LowerPriority}}

Source:
    Kueue 0.15 to 0.19, CEL on ClusterQueue spec.preemption, repeated by the webhook
"""

from __future__ import annotations

from collections.abc import Iterator

from kohort.diagnostics import Consequence, Finding, Label
from kohort.objects.cluster import Cluster
from kohort.objects.kube import KubeObject
from kohort.rules.base import Rule, Stage
from kohort.rules.refused.violations import clean, is_ours

RULE = Rule("KUE220", "borrow-preempts-without-reclaim", Consequence.REFUSED, stage=Stage.FORM)


@RULE.each("ClusterQueue")
def check(obj: KubeObject, cluster: Cluster) -> Iterator[Finding]:
    """One finding per place."""
    if not is_ours(obj) or not clean(obj, cluster):
        return
    reclaim = obj.get("spec", "preemption", "reclaimWithinCohort")
    policy = obj.get("spec", "preemption", "borrowWithinCohort", "policy")
    if (reclaim or "Never") == "Never" and isinstance(policy, str) and policy != "Never":
        stated = "is Never" if reclaim else "is left out and defaults to Never"
        yield RULE.at(
            obj,
            ("spec", "preemption"),
            f"{obj.ref}: spec.preemption: reclaimWithinCohort=Never and borrowWithinCohort.Policy!=Never "
            f"(reclaimWithinCohort {stated}, borrowWithinCohort.policy is {policy})",
            cluster=cluster,
            part="key",
            related=(
                Label(
                    obj.at("spec", "preemption", "borrowWithinCohort", "policy"),
                    "needs reclaimWithinCohort LowerPriority or Any",
                ),
            ),
            help=("set reclaimWithinCohort: Any (or LowerPriority), or remove borrowWithinCohort",),
        )
