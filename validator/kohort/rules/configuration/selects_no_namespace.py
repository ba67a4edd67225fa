"""The Configuration's managedJobsNamespaceSelector selects no namespace that was given.

Why:
    Jobs are managed only in selected namespaces. A label that no namespace carries leaves every unlabelled job outside of
    any quota, which manageJobsWithoutQueueName was to prevent.

Bad:
    apiVersion: config.kueue.x-k8s.io/v1beta2
    kind: Configuration
    manageJobsWithoutQueueName: true
    managedJobsNamespaceSelector: {matchLabels: {example.com/managed: "true"}}
    ---
    apiVersion: v1
    kind: Namespace
    metadata: {name: team-a, labels: {example.com/manged: "true"}}

Good:
    apiVersion: config.kueue.x-k8s.io/v1beta2
    kind: Configuration
    manageJobsWithoutQueueName: true
    managedJobsNamespaceSelector: {matchLabels: {example.com/managed: "true"}}
    ---
    apiVersion: v1
    kind: Namespace
    metadata: {name: team-a, labels: {example.com/managed: "true"}}

Source:
    Kueue 0.15 to 0.19, managedJobsNamespaceSelector
"""

from __future__ import annotations

from collections.abc import Iterator

from kohort.diagnostics import Consequence, Finding
from kohort.diagnostics.suggest import did_you_mean
from kohort.objects.cluster import Cluster
from kohort.objects.configuration.document import mapping
from kohort.objects.names import visible
from kohort.objects.selectors import matches
from kohort.rules.base import Rule
from kohort.rules.configuration.found import everywhere

RULE = Rule("CFG316", "managed-selector-matches-nothing", Consequence.UNSAFE)


@RULE.cluster
def check(cluster: Cluster) -> Iterator[Finding]:
    """One finding per configuration, where namespaces were given."""
    namespaces = [ns for name, ns in sorted(cluster.namespaces.items()) if name != "kube-system"]
    for found in everywhere(cluster) if namespaces else ():
        document = found.document
        if document is None or document.data.get("managedJobsNamespaceSelector") is None:
            continue
        labels = [{"kubernetes.io/metadata.name": ns.name, **ns.labels()} for ns in namespaces]
        if any(matches(document.selector, each) for each in labels):
            continue
        wanted = [str(key) for key in mapping(document.selector.get("matchLabels"))]
        known = {key for each in labels for key in each}
        close = next((c for key in wanted if key not in known and (c := did_you_mean(key, known))), ())
        names = visible(", ".join(ns.name for ns in namespaces)[:120])
        yield found.finding(
            RULE,
            ("managedJobsNamespaceSelector",),
            "managedJobsNamespaceSelector "
            + (
                f"does not select the only given namespace ({names})"
                if len(namespaces) == 1
                else f"selects none of the {len(namespaces)} given namespaces ({names})"
            ),
            cluster,
            help=(f"did you mean the label {' or '.join(close)}?",) if close else (),
        )
