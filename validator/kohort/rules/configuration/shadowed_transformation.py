"""A resource transformation whose input is taken away before by excludeResourcePrefixes.

Why:
    Excluded resources are dropped from a workload's requests first. The transformation then finds nothing to transform,
    and the quota that its outputs were to use is never touched.

Bad:
    apiVersion: config.kueue.x-k8s.io/v1beta2
    kind: Configuration
    resources:
      excludeResourcePrefixes: [nvidia.com/mig]
      transformations:
      - {input: nvidia.com/mig-1g.5gb, strategy: Replace, outputs: {example.com/accelerator-memory: 5Gi}}

Good:
    apiVersion: config.kueue.x-k8s.io/v1beta2
    kind: Configuration
    resources:
      excludeResourcePrefixes: [networking.example.com/]
      transformations:
      - {input: nvidia.com/mig-1g.5gb, strategy: Replace, outputs: {example.com/accelerator-memory: 5Gi}}

Source:
    Kueue 0.15 to 0.19, workload resource adjustments: exclusion goes before transformation
"""

from __future__ import annotations

from collections.abc import Iterator

from kohort.diagnostics import Consequence, Finding, Label, Severity
from kohort.objects.cluster import Cluster
from kohort.objects.configuration.document import items, mapping, text
from kohort.objects.kube import KubeObject
from kohort.rules.base import Rule
from kohort.rules.configuration.found import KINDS, found_in

RULE = Rule("CFG307", "transformation-never-applies", Consequence.UNSAFE, severity=Severity.ERROR)


@RULE.each(*KINDS)
def check(obj: KubeObject, cluster: Cluster) -> Iterator[Finding]:
    """One finding per transformation."""
    for found in found_in(obj, cluster):
        document = found.document
        if document is None:
            continue
        prefixes = items(document.at("resources", "excludeResourcePrefixes"))
        for index, entry in enumerate(items(document.at("resources", "transformations"))):
            given = text(mapping(entry).get("input"))
            for number, prefix in enumerate(prefixes):
                if given and isinstance(prefix, str) and given.startswith(prefix):
                    excluded = found.place(("resources", "excludeResourcePrefixes", number))
                    yield found.finding(
                        RULE,
                        ("resources", "transformations", index, "input"),
                        f"transformation input {given} matches excluded prefix {prefix}; it never applies",
                        cluster,
                        related=(Label(excluded, "excluded here"),),
                        help=("exclude longer prefixes, or use strategy Replace instead of the exclusion",),
                    )
                    break
