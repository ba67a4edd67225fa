"""The name of an AppWrapper is too long, or has dots, for the pod sets that Kueue makes of it.

Why:
    Kueue names pod sets after the AppWrapper with a number behind, and they must be DNS labels of at most 63 characters.
    The AppWrapper itself is accepted; its workload is not made and the job waits for ever.

Bad:
    apiVersion: workload.codeflare.dev/v1beta2
    kind: AppWrapper
    metadata:
      name: a-training-run-with-a-name-that-tells-everything-about-the-model
      namespace: team-a
      labels: {kueue.x-k8s.io/queue-name: main}
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
    metadata: {name: train, namespace: team-a, labels: {kueue.x-k8s.io/queue-name: main}}
    spec:
      components:
      - template:
          apiVersion: v1
          kind: Pod
          metadata: {name: train}
          spec: {containers: [{name: main, image: example.com/train:1}]}

Source:
    Kueue 0.11 to 0.19, AppWrapper integration: pod set names <appwrapper>-<n>
"""

from __future__ import annotations

from collections.abc import Iterator

from kohort.diagnostics import Audience, Consequence, Finding
from kohort.objects.cluster import Cluster
from kohort.objects.kube import KubeObject
from kohort.objects.names import LABEL_MAX, dns_label, visible
from kohort.rules.appwrapper.webhook import is_appwrapper
from kohort.rules.base import Rule

RULE = Rule("AWR816", "appwrapper-name", Consequence.STUCK, audience=Audience.TEAM)
_MOST = LABEL_MAX - len("-0")
_MOST_EVERYWHERE = LABEL_MAX - len("-0-0")  # how AppWrapper named pod sets before Kueue did


@RULE.each("AppWrapper")
def check(obj: KubeObject, cluster: Cluster) -> Iterator[Finding]:
    """At most one finding per AppWrapper."""
    if not is_appwrapper(obj) or not obj.name or obj.is_poisoned(("metadata", "name")):
        return
    consequence = None
    if len(obj.name) > _MOST_EVERYWHERE:
        consequence = None if len(obj.name) > _MOST else Consequence.UNSAFE
        what = f"the name has {len(obj.name)} characters; {_MOST_EVERYWHERE} leave room for the names of its pod sets"
    elif dns_label(f"{obj.name}-0") is not None:
        what = "pod sets are named after it and may only have lower-case letters, digits and '-'"
    else:
        return
    message = f"AppWrapper {visible(obj.name[:80])}: {what}"
    yield RULE.at(obj, ("metadata", "name"), message, cluster=cluster, consequence=consequence)
