"""A Workload for Kueue 0.15 leaves out its pod sets or their containers.

Why:
    Kueue 0.15 reads every Workload into its own types and writes it back before the server judges it: a list that is absent
    comes back as null, which the schema refuses. Newer versions write back only what they change.

Bad:
    # kueue: 0.15.2
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: Workload
    metadata: {name: run, namespace: blue}
    spec: {queueName: main}

Good:
    # kueue: 0.15.2
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: Workload
    metadata: {name: run, namespace: blue}
    spec:
      podSets:
      - name: main
        count: 1
        template:
          spec:
            restartPolicy: Never
            containers: [{name: main, image: "registry.example/job:1"}]

Source:
    recorded from Kueue 0.15.2 (tests/conformance/webhooks-versions.yaml, wl-no-spec, wl-template-empty)
"""

from __future__ import annotations

from collections.abc import Iterator

from kohort.diagnostics import Consequence, Finding
from kohort.objects.cluster import Cluster
from kohort.objects.kube import KubeObject, mappings
from kohort.objects.versions import writes_back
from kohort.rules.base import Rule, Stage
from kohort.rules.refused.violations import clean, is_ours
from kohort.spans import Path, show_path

RULE = Rule("KUE261", "lists-written-back-as-null", Consequence.REFUSED, stage=Stage.FORM)


@RULE.each("Workload")
def check(obj: KubeObject, cluster: Cluster) -> Iterator[Finding]:
    """One finding per place."""
    if not is_ours(obj) or not clean(obj, cluster):
        return
    if not writes_back(cluster.kueue):
        return
    podsets = obj.get("spec", "podSets")
    if not isinstance(podsets, list):
        message = f"{obj.ref}: spec.podSets is left out, and Kueue {cluster.kueue} writes it back as null: it must be a list"
        yield RULE.at(obj, ("spec", "podSets"), message, cluster=cluster)
    for index, _ in mappings(podsets):
        at: Path = ("spec", "podSets", index, "template", "spec", "containers")
        if not isinstance(obj.get(*at), list):
            message = f"{obj.ref}: {show_path(at)} is left out, and Kueue {cluster.kueue} writes it back as null: it must be a list"
            yield RULE.at(obj, at, message, cluster=cluster)
