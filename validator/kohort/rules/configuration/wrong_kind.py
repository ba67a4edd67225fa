"""An object of Kueue's configuration group that is no Configuration.

Why:
    The manager knows the kind Configuration only and does not start with another word.

Bad:
    apiVersion: config.kueue.x-k8s.io/v1beta2
    kind: Config

Good:
    apiVersion: config.kueue.x-k8s.io/v1beta2
    kind: Configuration

Source:
    Kueue 0.15 to 0.19, config.Load
"""

from __future__ import annotations

from collections.abc import Iterator

from kohort.diagnostics import Consequence, Finding
from kohort.objects.cluster import Cluster
from kohort.objects.configuration.judge import GROUP, KIND, judge
from kohort.rules.base import Rule, Stage
from kohort.spans import show_path

RULE = Rule("CFG306", "configuration-wrong-kind", Consequence.REFUSED, stage=Stage.FORM)


@RULE.cluster
def check(cluster: Cluster) -> Iterator[Finding]:
    """One finding per object."""
    for kind, objects in cluster.by_kind.items():
        if kind == KIND or not any(obj.group == GROUP for obj in objects):
            continue
        for obj in objects:
            for fault in judge(obj.data, cluster.kueue) if obj.group == GROUP else ():
                if fault.reason == "text":
                    helps = fault.help or (f"write kind: {KIND}",)
                    message = f"{show_path(fault.path)}: {fault.message}"
                    yield RULE.at(obj, fault.path, message, cluster=cluster, help=helps)
