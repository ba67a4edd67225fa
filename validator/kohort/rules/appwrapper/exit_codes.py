"""A list of exit codes of an AppWrapper of which the controller drops a part.

Why:
    The list is split at commas and every part read as a number; a blank before a number makes it none, and it is dropped
    without a word. With retryableExitCodes any other non-zero code ends the job.

Bad:
    apiVersion: workload.codeflare.dev/v1beta2
    kind: AppWrapper
    metadata:
      name: train
      namespace: team-a
      labels: {kueue.x-k8s.io/queue-name: main}
      annotations: {workload.codeflare.dev.appwrapper/terminalExitCodes: "1, 2"}
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
      annotations: {workload.codeflare.dev.appwrapper/terminalExitCodes: "1,2"}
    spec:
      components:
      - template:
          apiVersion: v1
          kind: Pod
          metadata: {name: train}
          spec: {containers: [{name: main, image: example.com/train:1}]}

Source:
    AppWrapper 1.2, controller: strconv.Atoi per item
"""

from __future__ import annotations

from collections.abc import Iterator

from kohort.diagnostics import Audience, Consequence, Edit, Finding, Fix
from kohort.objects.cluster import Cluster
from kohort.objects.kube import KubeObject
from kohort.objects.names import visible
from kohort.rules.appwrapper.knobs import EXIT_CODES, PREFIX, given, whole
from kohort.rules.appwrapper.webhook import is_appwrapper
from kohort.rules.base import Rule

RULE = Rule("AWR814", "exit-codes-dropped", Consequence.UNSAFE, audience=Audience.TEAM)
_HIGHEST = 255


@RULE.each("AppWrapper")
def check(obj: KubeObject, cluster: Cluster) -> Iterator[Finding]:
    """One finding per list."""
    texts = given(obj) if is_appwrapper(obj) else {}
    for key in EXIT_CODES:
        text = texts.get(key)
        if text is None:
            continue
        items = text.split(",")
        dropped = [item for item in items if whole(item) is None]
        unreal = [item for item in items if item not in dropped and not 0 < (whole(item) or 0) <= _HIGHEST]
        if not dropped and not unreal:
            continue
        shown = visible(", ".join(f'"{item}"' for item in dropped or unreal)[:120])
        what = "AppWrapper drops" if dropped else "no container ends with"
        path = ("metadata", "annotations", f"{PREFIX}{key}")
        plain = ",".join(item.strip() for item in items)
        fix = None
        if dropped and all(whole(item.strip()) is not None for item in items):
            fix = Fix("remove the blanks", (Edit("replace", obj.at(*path), f'"{plain}"'),))
        yield RULE.at(obj, path, f"{obj.ref}: {key}: {what} {shown}", cluster=cluster, fix=fix)
