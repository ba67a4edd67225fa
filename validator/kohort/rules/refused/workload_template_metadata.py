"""A label or annotation of a pod template is malformed.

Why:
    Kueue 0.18 and newer check the metadata of pod sets like that of a pod.

Bad:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: Workload
    metadata: {name: run, namespace: blue}
    spec:
      podSets:
      - name: main
        count: 2
        template:
          metadata: {labels: {a: b c}}
          spec:
            restartPolicy: Never
            containers:
            - {name: main, image: "registry.example/job:1"}

Good:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: Workload
    metadata: {name: run, namespace: blue}
    spec:
      podSets:
      - name: main
        count: 2
        template:
          metadata: {labels: {a: b-c}}
          spec:
            restartPolicy: Never
            containers:
            - {name: main, image: "registry.example/job:1"}

Source:
    Kueue 0.18 to 0.19, Workload webhook (gate WorkloadValidationForPodSetMetadata, on)
"""

from __future__ import annotations

from collections.abc import Iterator

from kohort.diagnostics import Consequence, Finding
from kohort.objects.cluster import Cluster
from kohort.objects.kube import KubeObject, mappings
from kohort.objects.names import label_key, label_value, visible
from kohort.objects.versions import holds
from kohort.rules.base import Rule, Stage
from kohort.rules.refused.violations import clean, is_ours
from kohort.spans import Path, show_path

RULE = Rule("KUE259", "bad-template-metadata", Consequence.REFUSED, stage=Stage.FORM)


@RULE.each("Workload")
def check(obj: KubeObject, cluster: Cluster) -> Iterator[Finding]:
    """One finding per place."""
    if not is_ours(obj) or not clean(obj, cluster):
        return
    if not holds("pod set metadata is well formed", cluster.kueue):
        return
    for index, _ in mappings(obj.get("spec", "podSets")):
        base: Path = ("spec", "podSets", index, "template", "metadata")
        for part in ("labels", "annotations"):
            entries = obj.get(*base, part)
            for key, value in entries.items() if isinstance(entries, dict) else ():
                reason = label_key(key) if part == "labels" else label_key(key.lower())
                if reason is None and part == "labels" and isinstance(value, str):
                    reason = label_value(value)
                if reason is not None:
                    message = f"{obj.ref}: {show_path((*base, part))}: {visible(key)}: {reason}"
                    yield RULE.at(obj, (*base, part, key), message, cluster=cluster, part="key")
