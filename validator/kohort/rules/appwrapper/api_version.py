"""An AppWrapper of an API version that AppWrapper 1.x does not read.

Why:
    v1beta1 was the API of another project under the same name. Its fields are not known any more, so the server
    refuses the object.

Bad:
    apiVersion: workload.codeflare.dev/v1beta1
    kind: AppWrapper
    metadata: {name: train, namespace: team-a}

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
    AppWrapper 1.2, definition of appwrappers.workload.codeflare.dev
"""

from __future__ import annotations

from collections.abc import Iterator

from kohort.diagnostics import Audience, Consequence, Finding
from kohort.objects.cluster import Cluster
from kohort.objects.kube import KubeObject
from kohort.objects.names import visible
from kohort.rules.appwrapper.webhook import GROUP
from kohort.rules.base import Rule, Stage

RULE = Rule("AWR809", "appwrapper-api-version", Consequence.REFUSED, audience=Audience.TEAM, stage=Stage.FORM)
_READ = "v1beta2"


@RULE.each("AppWrapper")
def check(obj: KubeObject, cluster: Cluster) -> Iterator[Finding]:
    """One finding per object."""
    if obj.group == GROUP and obj.version != _READ:
        yield RULE.at(
            obj,
            ("apiVersion",),
            f"{obj.ref}: AppWrapper is read as {GROUP}/{_READ}, not {visible(obj.version[:40])}",
            cluster=cluster,
            help=(f"write apiVersion: {GROUP}/{_READ}; components replace the old resources.GenericItems",),
        )
