"""An annotation with AppWrapper's prefix that the controller does not know.

Why:
    It is ignored without a word, so the setting that was meant is not made. AppWrapper's own sample once misspelled one.

Bad:
    apiVersion: workload.codeflare.dev/v1beta2
    kind: AppWrapper
    metadata:
      name: train
      namespace: team-a
      labels: {kueue.x-k8s.io/queue-name: main}
      annotations: {workload.codeflare.dev.appwrapper/delectionOnFailureGracePeriodDuration: 1h}
    spec:
      components:
      - template:
          apiVersion: v1
          kind: Pod
          metadata: {name: train}
          spec: {containers: [{name: main, image: example.com/train:1}]}

Good:
    apiVersion: workload.codeflare.dev/v1beta2
    kind: AppWrapper
    metadata:
      name: train
      namespace: team-a
      labels: {kueue.x-k8s.io/queue-name: main}
      annotations: {workload.codeflare.dev.appwrapper/deletionOnFailureGracePeriodDuration: 1h}
    spec:
      components:
      - template:
          apiVersion: v1
          kind: Pod
          metadata: {name: train}
          spec: {containers: [{name: main, image: example.com/train:1}]}

Source:
    AppWrapper 1.2, annotations of AppWrappers
"""

from __future__ import annotations

from collections.abc import Iterator

from kohort.diagnostics import Audience, Consequence, Edit, Finding, Fix, Severity
from kohort.diagnostics.suggest import did_you_mean
from kohort.objects.cluster import Cluster
from kohort.objects.kube import KubeObject
from kohort.objects.names import visible
from kohort.rules.appwrapper.knobs import KNOWN, PODSET_KEYS, PREFIX, given
from kohort.rules.appwrapper.webhook import is_appwrapper
from kohort.rules.base import Rule

RULE = Rule(
    "AWR811",
    "appwrapper-annotation-unknown",
    Consequence.UNSAFE,
    audience=Audience.TEAM,
    severity=Severity.ERROR,
)


@RULE.each("AppWrapper")
def check(obj: KubeObject, cluster: Cluster) -> Iterator[Finding]:
    """One finding per annotation."""
    if not is_appwrapper(obj):
        return
    for key in given(obj):
        if key in KNOWN:
            continue
        path = ("metadata", "annotations", f"{PREFIX}{key}")
        close = did_you_mean(key, KNOWN)
        ask = f": did you mean {' or '.join(close)}?" if close else ""
        helps = [f"known: {', '.join(KNOWN)}"] if not close else []
        if key in PODSET_KEYS:
            helps = ["it belongs to the annotations of a pod set: spec.components[].podSets[].annotations"]
        fix = None
        if len(close) == 1:
            edit = Edit("rename", obj.at(*path, part="key"), f"{PREFIX}{close[0]}")
            fix = Fix(f"rename to {close[0]}", (edit,), safe=False)
        message = (
            f"{obj.ref}: AppWrapper does not know the annotation {visible(key[:80])} and ignores it{ask}"
        )
        yield RULE.at(obj, path, message, part="key", cluster=cluster, help=tuple(helps), fix=fix)
