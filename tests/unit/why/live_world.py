"""Small snapshots for tests: objects as `kubectl get -o json` prints them, with GPUs as the only resource by default."""

import json

from kohort.engine.asking import Inquiry
from kohort.live.snapshot import take

GPU = "nvidia.com/gpu"
KUEUE = "kueue.x-k8s.io/v1beta2"
SILENT = lambda step: None  # noqa: E731


def stamp(second):
    return f"2026-11-30T08:{second // 60:02d}:{second % 60:02d}Z"


def condition(kind, status="True", reason="", message="", at=0):
    return {
        "type": kind,
        "status": status,
        "reason": reason or kind,
        "message": message,
        "lastTransitionTime": stamp(at),
    }


class LiveWorld:
    def __init__(self, *flavors):
        self.objects = []
        self.second = 0
        for flavor in flavors or ("h100",):
            self.flavor(flavor)

    def add(self, kind, name, spec=None, namespace="", status=None, version=KUEUE, **metadata):
        obj = {"apiVersion": version, "kind": kind, "metadata": {"name": name, **metadata}}
        if namespace:
            obj["metadata"]["namespace"] = namespace
        if spec is not None:
            obj["spec"] = spec
        if status is not None:
            obj["status"] = status
        self.objects.append(obj)
        return obj

    def flavor(self, name, **spec):
        return self.add("ResourceFlavor", name, {"nodeLabels": {"pool": name}, **spec})

    def cohort(self, name, parent="", quota=None):
        spec = {"parentName": parent} if parent else {}
        if quota:
            spec["resourceGroups"] = [group(quota)]
        return self.add("Cohort", name, spec)

    def queue(self, name, quota, cohort="all", *, namespace=True, **spec):
        """`quota`: flavor → nominal, or a mapping with nominal, borrow, lend."""
        made = {"namespaceSelector": {}, "resourceGroups": [group(quota)], **spec}
        if cohort:
            made["cohortName"] = cohort
        obj = self.add("ClusterQueue", name, made)
        if namespace:
            self.add("Namespace", name, version="v1", labels={})
            self.add("LocalQueue", "main", {"clusterQueue": name}, name)
        return obj

    def job(
        self, key, gpus, *, pods=1, priority=0, queue="main", requests=None, pod=None, status=None, **spec
    ):
        namespace, _, name = key.partition("/")
        self.second += 1
        wanted = requests or {GPU: str(gpus)}
        container = {"name": "main", "image": "x", "resources": {"requests": wanted}}
        template = {"spec": {"containers": [container], **(pod or {})}}
        made = {
            "active": True,
            "queueName": queue,
            "priority": priority,
            "podSets": [{"name": "main", "count": pods, "template": template}],
            **spec,
        }
        return self.add(
            "Workload",
            name,
            made,
            namespace,
            status or {},
            creationTimestamp=stamp(self.second),
            uid=f"uid-{self.second:04d}",
        )

    def runs(self, key, gpus, *, flavor="h100", pods=1, cluster_queue="", priority=0, conditions=(), **more):
        obj = self.job(key, gpus, pods=pods, priority=priority, **more)
        usage = {GPU: str(gpus * pods)}
        obj["status"] = {
            "admission": {
                "clusterQueue": cluster_queue or key.partition("/")[0],
                "podSetAssignments": [
                    {
                        "name": "main",
                        "count": pods,
                        "flavors": dict.fromkeys(usage, flavor),
                        "resourceUsage": usage,
                    }
                ],
            },
            "conditions": [
                condition("QuotaReserved", at=self.second),
                condition("Admitted", at=self.second),
                *conditions,
            ],
        }
        return obj

    def waits(self, key, gpus, message="", **more):
        obj = self.job(key, gpus, **more)
        if message:
            obj["status"]["conditions"] = [
                condition("QuotaReserved", "False", "Pending", message, at=self.second)
            ]
        return obj

    def data(self):
        return json.dumps({"apiVersion": "v1", "kind": "List", "items": self.objects}).encode()

    def snapshot(self, kueue="0.19.1", configuration=None):
        return take([("now.json", self.data())], SILENT, kueue=kueue, configuration=configuration)

    def inquiry(self, **how):
        return Inquiry(self.snapshot(**how))

    def why(self, job, **how):
        return self.inquiry(**how).why(job)


def group(quota):
    flavors = []
    for flavor, sizes in quota.items():
        given = sizes if isinstance(sizes, dict) else {"nominal": sizes}
        entry = {"name": GPU, "nominalQuota": str(given["nominal"])}
        if "borrow" in given:
            entry["borrowingLimit"] = str(given["borrow"])
        if "lend" in given:
            entry["lendingLimit"] = str(given["lend"])
        flavors.append({"name": flavor, "resources": [entry]})
    return {"coveredResources": [GPU], "flavors": flavors}


def changes(answer):
    return {change.lever.value: change for change in answer.changes}
