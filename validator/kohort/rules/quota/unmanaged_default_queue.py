"""A default LocalQueue stands in a namespace whose jobs Kueue does not manage.

Why:
    Jobs without a queue name fall into the LocalQueue named default, but only in namespaces that the manager's
    managedJobsNamespaceSelector selects. Elsewhere they run at once, outside of any quota.

Bad:
    apiVersion: config.kueue.x-k8s.io/v1beta2
    kind: Configuration
    managedJobsNamespaceSelector: {matchLabels: {managed: "true"}}
    ---
    apiVersion: v1
    kind: Namespace
    metadata: {name: team-a, labels: {team: a}}
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ResourceFlavor
    metadata: {name: h100}
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ClusterQueue
    metadata: {name: train}
    spec:
      namespaceSelector: {}
      resourceGroups:
      - coveredResources: [cpu]
        flavors: [{name: h100, resources: [{name: cpu, nominalQuota: "8"}]}]
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: LocalQueue
    metadata: {name: default, namespace: team-a}
    spec: {clusterQueue: train}

Good:
    apiVersion: config.kueue.x-k8s.io/v1beta2
    kind: Configuration
    managedJobsNamespaceSelector: {matchLabels: {team: a}}
    ---
    apiVersion: v1
    kind: Namespace
    metadata: {name: team-a, labels: {team: a}}
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ResourceFlavor
    metadata: {name: h100}
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ClusterQueue
    metadata: {name: train}
    spec:
      namespaceSelector: {}
      resourceGroups:
      - coveredResources: [cpu]
        flavors: [{name: h100, resources: [{name: cpu, nominalQuota: "8"}]}]
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: LocalQueue
    metadata: {name: default, namespace: team-a}
    spec: {clusterQueue: train}

Source:
    Kueue 0.17 to 0.19, Configuration managedJobsNamespaceSelector and default LocalQueues
"""

from __future__ import annotations

from collections.abc import Iterator

from kohort.diagnostics import Consequence, Finding, Label
from kohort.objects.cluster import Cluster
from kohort.objects.selectors import matches
from kohort.rules.base import Rule
from kohort.rules.quota.namespaces import failing, is_judged, labels_of
from kohort.rules.references.queued import DEFAULT_QUEUE
from kohort.rules.workloads.configuration import configuration

RULE = Rule("QTA519", "unmanaged-default-queue", Consequence.UNSAFE)


@RULE.cluster
def check(cluster: Cluster) -> Iterator[Finding]:
    """One finding per default queue, where the Configuration and the namespace were given."""
    config = configuration(cluster)
    if config is None or not is_judged(config[1].selector):
        return
    found, selector = config[0], config[1].selector
    for (namespace, name), local in cluster.local_queues.items():
        labels = labels_of(cluster, namespace)
        if name != DEFAULT_QUEUE or labels is None or matches(selector, labels):
            continue
        yield RULE.at(
            local.obj,
            ("metadata", "name"),
            f"{local.obj.ref} is a default queue, but jobs of namespace {namespace} are not managed "
            f"({failing(selector, labels)})",
            cluster=cluster,
            label="jobs without a queue name do not come here",
            related=(
                Label(found.place(("managedJobsNamespaceSelector",)), "what Kueue manages"),
                Label(cluster.namespaces[namespace].at("metadata", part="key"), "the namespace's labels"),
            ),
        )
