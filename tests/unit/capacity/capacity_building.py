"""Small clusters for capacity tests, from plain values."""

from __future__ import annotations

from kohort.objects.cluster import Cluster
from kohort.objects.kube import KubeObject, Typed

GPU = "example.com/gpu"
KUEUE = "kueue.x-k8s.io/v1beta2"


def obj(api, kind, name, namespace="", **fields):
    meta = {"name": name, **fields.pop("metadata", {})}
    if namespace:
        meta["namespace"] = namespace
    data = {"apiVersion": api, "kind": kind, "metadata": meta, **fields}
    return KubeObject(api, kind, name, namespace, data, Typed(f"{kind}-{name}.yaml"))


def flavor(name, labels=None, tolerations=None, topology=None, annotations=None):
    spec = {}
    if labels:
        spec["nodeLabels"] = labels
    if tolerations:
        spec["tolerations"] = tolerations
    if topology:
        spec["topologyName"] = topology
    return obj(KUEUE, "ResourceFlavor", name, spec=spec, metadata={"annotations": annotations or {}})


def groups(quotas, lending=None):
    """{flavor: {resource: nominal}} as one resource group."""
    covered = list(dict.fromkeys(r for by in quotas.values() for r in by))
    flavors = [
        {
            "name": name,
            "resources": [
                {
                    "name": r,
                    "nominalQuota": n,
                    **({"lendingLimit": lending[r]} if lending and r in lending else {}),
                }
                for r, n in by.items()
            ],
        }
        for name, by in quotas.items()
    ]
    return [{"coveredResources": covered, "flavors": flavors}]


def queue(name, quotas, cohort="", lending=None, checks=(), **spec):
    spec = {"namespaceSelector": {}, "resourceGroups": groups(quotas, lending), **spec}
    if cohort:
        spec["cohortName"] = cohort
    if checks:
        spec["admissionChecksStrategy"] = {"admissionChecks": list(checks)}
    return obj(KUEUE, "ClusterQueue", name, spec=spec)


def cohort(name, quotas=None, parent=""):
    spec = {"resourceGroups": groups(quotas)} if quotas else {}
    return obj(KUEUE, "Cohort", name, spec=spec | ({"parentName": parent} if parent else {}))


def node(name, units, labels=None, capacity=None, taints=None, ready=None, cordoned=False, conditions=None):
    spec = {}
    if taints:
        spec["taints"] = taints
    if cordoned:
        spec["unschedulable"] = True
    status = {"allocatable": units, "capacity": capacity or units}
    listed = [{"type": kind, "status": value} for kind, value in (conditions or {}).items()]
    if ready is not None:
        listed.append({"type": "Ready", "status": ready})
    if listed:
        status["conditions"] = listed
    return obj("v1", "Node", name, spec=spec, status=status, metadata={"labels": labels or {}})


def cluster(*objects, **declared):
    return Cluster(list(objects), **declared)


def job(name, request, pods=1, queue_name="q", namespace="team", tolerations=None):
    pod = {"containers": [{"name": "main", "image": "x", "resources": {"requests": request}}]}
    if tolerations:
        pod["tolerations"] = tolerations
    return obj(
        "batch/v1",
        "Job",
        name,
        namespace,
        metadata={"labels": {"kueue.x-k8s.io/queue-name": queue_name}},
        spec={"suspend": True, "parallelism": pods, "completions": pods, "template": {"spec": pod}},
    )


def local_queue(cluster_queue, name="q", namespace="team"):
    return obj(KUEUE, "LocalQueue", name, namespace, spec={"clusterQueue": cluster_queue})
