"""API resources that the rules know: their group, and whether objects of them live in a namespace. Facts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

KUEUE: Final = "kueue.x-k8s.io"
# group → its resources; those that are cluster-scoped end with `!`
_CATALOGUE: Final[Mapping[str, str]] = {
    "": "pods services configmaps secrets persistentvolumeclaims serviceaccounts events limitranges resourcequotas "
    "replicationcontrollers endpoints podtemplates nodes! persistentvolumes! namespaces!",
    "apps": "deployments statefulsets daemonsets replicasets controllerrevisions",
    "batch": "jobs cronjobs",
    KUEUE: "localqueues workloads clusterqueues! cohorts! resourceflavors! topologies! admissionchecks! "
    "multikueueclusters! multikueueconfigs! provisioningrequestconfigs! workloadpriorityclasses!",
    "visibility.kueue.x-k8s.io": "localqueues clusterqueues!",
    "workload.codeflare.dev": "appwrappers",
    "kubeflow.org": "pytorchjobs tfjobs mpijobs xgboostjobs paddlejobs jaxjobs",
    "trainer.kubeflow.org": "trainjobs trainingruntimes clustertrainingruntimes!",
    "ray.io": "rayclusters rayjobs rayservices raycronjobs",
    "jobset.x-k8s.io": "jobsets",
    "leaderworkerset.x-k8s.io": "leaderworkersets",
    "scheduling.x-k8s.io": "podgroups elasticquotas",
    "scheduling.k8s.io": "priorityclasses!",
    "rbac.authorization.k8s.io": "roles rolebindings clusterroles! clusterrolebindings!",
    "storage.k8s.io": "storageclasses! csidrivers! csinodes! volumeattachments! csistoragecapacities",
}
RESOURCES: Final[Mapping[str, frozenset[str]]] = {
    group: frozenset(word.rstrip("!") for word in words.split()) for group, words in _CATALOGUE.items()
}
CLUSTER_SCOPED: Final = frozenset(
    (group, word.rstrip("!"))
    for group, words in _CATALOGUE.items()
    for word in words.split()
    if word.endswith("!")
)
# Resources of a group that Kohort knows completely; a name outside of it does not exist.
COMPLETE: Final = frozenset({KUEUE, "workload.codeflare.dev", "ray.io", "apps", "batch", "jobset.x-k8s.io"})


def base(resource: str) -> str:
    """The resource without its sub-resource: `pods/log` → `pods`."""
    return resource.partition("/")[0]


def groups_of(resource: str) -> tuple[str, ...]:
    """The known groups that have a resource."""
    return tuple(group for group, known in RESOURCES.items() if resource in known)
