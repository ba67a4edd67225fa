"""An AppWrapper wraps a kind that makes pods, but none are counted for it.

Why:
    AppWrapper infers the pods of a few kinds in one API version each. For others it counts nothing unless podSets say
    where their pods are: they run without quota beside those that are counted.

Bad:
    apiVersion: workload.codeflare.dev/v1beta2
    kind: AppWrapper
    metadata: {name: train, namespace: team-a, labels: {kueue.x-k8s.io/queue-name: main}}
    spec:
      components:
      - template:
          apiVersion: v1
          kind: Pod
          metadata: {name: train}
          spec: {containers: [{name: main, image: example.com/train:1}]}
      - template:
          apiVersion: apps/v1
          kind: DaemonSet
          metadata: {name: helper}
          spec: {template: {spec: {containers: [{name: main, image: example.com/helper:1}]}}}

Good:
    apiVersion: workload.codeflare.dev/v1beta2
    kind: AppWrapper
    metadata: {name: train, namespace: team-a, labels: {kueue.x-k8s.io/queue-name: main}}
    spec:
      components:
      - template:
          apiVersion: v1
          kind: Pod
          metadata: {name: train}
          spec: {containers: [{name: main, image: example.com/train:1}]}

Source:
    AppWrapper 1.2, InferPodSets
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from kohort.diagnostics import Audience, Consequence, Finding
from kohort.objects.cluster import Cluster
from kohort.objects.kube import KubeObject, mappings
from kohort.objects.names import visible
from kohort.objects.podset import dotted
from kohort.objects.podsets import podsets
from kohort.rules.appwrapper.webhook import denials, is_appwrapper
from kohort.rules.base import Rule
from kohort.spans import Path

RULE = Rule("AWR820", "pods-not-counted", Consequence.UNSAFE, audience=Audience.TEAM)
_DEEPEST = 12


@RULE.each("AppWrapper")
def check(obj: KubeObject, cluster: Cluster) -> Iterator[Finding]:
    """One finding per component in which a pod template stands that nobody counts."""
    if not is_appwrapper(obj) or denials(obj, cluster):
        return
    for index, component in mappings(obj.get("spec", "components")):
        template = component.get("template")
        if not isinstance(template, Mapping) or component.get("podSets") or _counted(obj, index):
            continue
        found = next(_templates(template.get("spec"), ("spec",)), None)
        if found is not None:
            kind = visible(str(template.get("kind"))[:60])
            path = f"template.{dotted(found)}"
            yield RULE.at(
                obj,
                ("spec", "components", index, "template", "kind"),
                f"{obj.ref}: the pods of {kind} are not counted: AppWrapper does not infer them and podSets are missing",
                cluster=cluster,
                help=(f"declare podSets: [{{path: {path}, replicas: N}}]",),
            )


def _counted(obj: KubeObject, index: int) -> bool:
    return any(podset.path[:3] == ("spec", "components", index) for podset in podsets(obj.data).found)


def _templates(value: Any, path: Path) -> Iterator[Path]:
    """Where pod templates stand: mappings whose spec has containers."""
    if len(path) > _DEEPEST:
        return
    if isinstance(value, Mapping):
        spec = value.get("spec")
        if isinstance(spec, Mapping) and isinstance(spec.get("containers"), list):
            yield path
            return
        for key, item in value.items():
            yield from _templates(item, (*path, str(key)))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _templates(item, (*path, index))
