"""The ConfigMap of AppWrapper's operator does not hold exactly one readable file.

Why:
    The operator takes the only key, whatever its name. With none or two it ends at start, and AppWrappers are no longer
    reconciled or admitted.

Bad:
    apiVersion: v1
    kind: ConfigMap
    metadata: {name: appwrapper-operator-config, namespace: appwrapper-system}
    data:
      config.yaml: 'appwrapper: {defaultQueueName: main}'
      notes.txt: see the wiki

Good:
    apiVersion: v1
    kind: ConfigMap
    metadata: {name: appwrapper-operator-config, namespace: appwrapper-system}
    data:
      config.yaml: 'appwrapper: {defaultQueueName: main}'

Source:
    AppWrapper 1.2, cmd/main.go
"""

from __future__ import annotations

from collections.abc import Iterator

from kohort.diagnostics import Consequence, Finding
from kohort.objects.cluster import Cluster
from kohort.objects.kube import KubeObject
from kohort.objects.names import visible
from kohort.rules.base import Rule, Stage
from kohort.rules.configuration.operator import operator

RULE = Rule("CFG311", "appwrapper-config-keys", Consequence.REFUSED, stage=Stage.FORM)


@RULE.each("ConfigMap")
def check(obj: KubeObject, cluster: Cluster) -> Iterator[Finding]:
    """One finding per ConfigMap."""
    found = operator(obj)
    if found is None:
        return
    if len(found.keys) != 1:
        shown = visible(", ".join(found.keys)[:120]) or "none"
        message = (
            f"{obj.ref} holds {len(found.keys)} keys ({shown}); AppWrapper's operator starts with exactly one"
        )
        yield RULE.at(obj, ("data",), message, part="key", cluster=cluster)
    for message in found.wrong:
        where = ("data", found.keys[0])
        yield RULE.at(obj, where, f"{obj.ref}, {found.keys[0]}: {message}", part="key", cluster=cluster)
