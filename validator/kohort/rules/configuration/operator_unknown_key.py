"""A key of AppWrapper's configuration that the operator does not know.

Why:
    The file is read without strictness: an unknown key vanishes without a word and the default stays. Keys of versions
    before 1.1 (among them the slack queue) are gone since Kueue integrates AppWrappers itself.

Bad:
    apiVersion: v1
    kind: ConfigMap
    metadata: {name: appwrapper-operator-config, namespace: appwrapper-system}
    data:
      config.yaml: 'appwrapper: {queueName: main}'

Good:
    apiVersion: v1
    kind: ConfigMap
    metadata: {name: appwrapper-operator-config, namespace: appwrapper-system}
    data:
      config.yaml: 'appwrapper: {defaultQueueName: main}'

Source:
    AppWrapper 1.2, pkg/config/config.go; removed with 1.1: enableKueueIntegrations, kueueJobReconciller, slackQueueName
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from kohort.diagnostics import Consequence, Finding, Severity
from kohort.diagnostics.suggest import did_you_mean
from kohort.objects.cluster import Cluster
from kohort.objects.kube import KubeObject
from kohort.objects.names import visible
from kohort.rules.base import Rule
from kohort.rules.configuration.operator import FIELDS, operator

RULE = Rule("CFG312", "appwrapper-config-unknown-key", Consequence.UNSAFE, severity=Severity.ERROR)
_GONE: Final = {
    "appwrapper.enableKueueIntegrations": "gone since AppWrapper 1.1: enable Kueue's framework workload.codeflare.dev/appwrapper",
    "appwrapper.kueueJobReconciller": "gone since AppWrapper 1.1: Kueue's own Configuration says it",
    "appwrapper.slackQueueName": "gone since AppWrapper 1.1: nothing adjusts the slack queue any more; declare slack in Kohort",
}
_DEEPEST = 8


@RULE.each("ConfigMap")
def check(obj: KubeObject, cluster: Cluster) -> Iterator[Finding]:
    """One finding per key."""
    found = operator(obj)
    if found is None:
        return
    for path in _unknown(found.value, ""):
        shown = visible(path[:120])
        known = [field for field in FIELDS if field.rpartition(".")[0] == path.rpartition(".")[0]]
        close = did_you_mean(path.rpartition(".")[2], [field.rpartition(".")[2] for field in known])
        gone = next((words for key, words in _GONE.items() if path == key or path.startswith(f"{key}.")), "")
        helps = (gone,) if gone else (f"did you mean {' or '.join(close)}?",) if close else ()
        yield RULE.at(
            obj,
            ("data", found.keys[0]),
            f"{obj.ref}, {found.keys[0]}: {shown} is no key of AppWrapper's configuration; it is ignored",
            part="key",
            cluster=cluster,
            help=helps,
        )


def _unknown(value: Mapping[str, Any], above: str, depth: int = 0) -> Iterator[str]:
    for key, item in value.items():
        path = f"{above}{key}"
        if path in FIELDS:
            continue
        inner = any(field.startswith(f"{path}.") for field in FIELDS)
        if inner and isinstance(item, Mapping) and depth < _DEEPEST:
            yield from _unknown(item, f"{path}.", depth + 1)
        elif not inner:
            yield path
