"""A container requests less than nothing.

Why:
    Negative requests or limits would give quota back.

Bad:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: Workload
    metadata: {name: run, namespace: blue}
    spec:
      podSets:
      - name: main
        count: 2
        template:
          spec:
            restartPolicy: Never
            containers:
            - {name: main, image: "registry.example/job:1", resources: {requests: {cpu: "-1"}}}

Good:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: Workload
    metadata: {name: run, namespace: blue}
    spec:
      podSets:
      - name: main
        count: 2
        template:
          spec:
            restartPolicy: Never
            containers:
            - {name: main, image: "registry.example/job:1", resources: {requests: {cpu: "1"}}}

Source:
    Kueue 0.18 to 0.19, Workload webhook (gate WorkloadValidateResourcesAreNonNegative, on)
"""

from __future__ import annotations

from collections.abc import Iterator

from kohort.diagnostics import Consequence, Finding
from kohort.objects.cluster import Cluster
from kohort.objects.kube import KubeObject
from kohort.objects.quantity import Quantity, QuantityError
from kohort.objects.versions import holds
from kohort.rules.base import Rule, Stage
from kohort.rules.refused.containers import container_resources
from kohort.rules.refused.violations import clean, is_ours
from kohort.spans import show_path

RULE = Rule("KUE256", "negative-request", Consequence.REFUSED, stage=Stage.FORM)


@RULE.each("Workload")
def check(obj: KubeObject, cluster: Cluster) -> Iterator[Finding]:
    """One finding per place."""
    if not is_ours(obj) or not clean(obj, cluster):
        return
    if not holds("requests are not negative", cluster.kueue):
        return
    for at, name in container_resources(obj):
        try:
            amount = Quantity.parse(obj.get(*at))
        except QuantityError:
            continue
        if amount.sign < 0:
            message = f"{obj.ref}: {show_path(at)} is {amount.canonical()}: must be greater than or equal to 0 ({name})"
            yield RULE.at(obj, at, message, cluster=cluster)
