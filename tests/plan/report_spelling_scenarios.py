"""After public reports: what an export of a live cluster, another version of the API or another spelling says the same."""

import copy

from report_objects import (
    API,
    GPU,
    NEW,
    RUN,
    STEPS,
    Report,
    check,
    checked,
    cohort,
    flavor,
    group,
    local,
    made,
    older,
    priority,
    queue,
    runs,
)

F = flavor("f")
EIGHT = queue("a", group(GPU, f=8), cohort="c")
SAME = "nothing"


def exported(obj, **spec):
    """As `kubectl get -o yaml` gives an object that Argo CD applied."""
    found = copy.deepcopy(obj)
    found["metadata"] |= {
        "uid": "7",
        "resourceVersion": "51",
        "generation": 3,
        "creationTimestamp": "2026-01-01T00:00:00Z",
        "managedFields": [{"manager": "argocd-controller"}],
        "finalizers": ["kueue.x-k8s.io/resource-in-use"],
        "annotations": {
            "kubectl.kubernetes.io/last-applied-configuration": "{}",
            "argocd.argoproj.io/tracking-id": f"kueue:kueue.x-k8s.io/{obj['kind']}:/{obj['metadata']['name']}",
        },
    }
    found["spec"] |= spec
    if obj["kind"] != "ResourceFlavor":
        found["status"] = {"pendingWorkloads": 0}
    return found


def listed(kind, *objects):
    return {"apiVersion": "v1" if kind == "List" else API, "kind": kind, "items": list(objects)}


LIVE = exported(
    EIGHT,
    queueingStrategy="BestEffortFIFO",
    stopPolicy="None",
    flavorFungibility={"whenCanBorrow": "MayStopSearch", "whenCanPreempt": "TryNextFlavor"},
    preemption={
        "borrowWithinCohort": {"policy": "Never"},
        "reclaimWithinCohort": "Never",
        "withinClusterQueue": "Never",
    },
)
OLD = older(
    queue(
        "a",
        group(["cpu", "memory", "pods"], f=["12000m", "1024Mi", 1000]),
        cohort="c",
        flavorFungibility={"whenCanBorrow": "Borrow", "whenCanPreempt": "Preempt"},
        admissionChecks=["one", "two"],
        stopPolicy="None",
    )
)
OLD["spec"]["cohort"] = OLD["spec"].pop("cohortName")
TODAYS = queue(
    "a",
    group(["cpu", "memory", "pods"], f=["12", "1Gi", "1k"]),
    cohort="c",
    flavorFungibility={"whenCanBorrow": "MayStopSearch", "whenCanPreempt": "MayStopSearch"},
    **checked("one", "two"),
)
REACHED = {"kubeConfig": {"locationType": "Secret", "location": "w"}}
PARAMETERS = {"apiGroup": "kueue.x-k8s.io", "kind": "MultiKueueConfig", "name": "mk"}
SENT = (
    check("mk", "kueue.x-k8s.io/multikueue", parameters=PARAMETERS),
    F,
    queue("a", group(GPU, f=8), **checked("mk")),
)
WORKERS = tuple(made("MultiKueueCluster", name, {"clusterSource": REACHED}) for name in ("w1", "w2"))


def sent_to(*names):
    return made("MultiKueueConfig", "mk", {"clusters": list(names)})


def manager(**fields):
    return made("Configuration", "manager", api="config.kueue.x-k8s.io/v1beta2", **fields)


REPORTS = (
    Report(
        "v1beta1 and v1beta2 say the same",
        "redhat-appstudio/infra-deployments PR#11588, PR#11842",
        (older(F), OLD, older(local("a")), older(priority("p", 10))),
        (F, TODAYS, local("a"), priority("p", 10)),
        SAME,
    ),
    Report(
        "a cohort of v1alpha1",
        "kubernetes-sigs/kueue PR#5595",
        (made("Cohort", "kid", {"parent": "root"}, api="kueue.x-k8s.io/v1alpha1"),),
        (cohort("kid", parent="root"),),
        SAME,
    ),
    Report(
        "a worker cluster of v1beta1",
        "kubernetes-sigs/kueue PR#8644",
        (older(made("MultiKueueCluster", "w", REACHED)),),
        (made("MultiKueueCluster", "w", {"clusterSource": REACHED}),),
        SAME,
    ),
    Report(
        "Git against what is live",
        "shepherdjerred/monorepo PR#1620",
        (F, EIGHT, local("a")),
        (listed("List", LIVE, exported(F), exported(local("a"), stopPolicy="None"), runs("run", "a", f=2)),),
        SAME,
    ),
    Report(
        "lists by their kinds",
        "kubernetes-sigs/kueue#1726",
        (
            listed("ClusterQueueList", LIVE),
            listed("ResourceFlavorList", F),
            listed("LocalQueueList", local("a")),
        ),
        (F, EIGHT, local("a")),
        SAME,
    ),
    Report(
        "amounts and nothing spelled otherwise",
        "argoproj/argo-cd#1615, #17682",
        (
            F,
            queue(
                "a",
                group(["cpu", GPU], f=["8000m", "8"]),
                namespaceSelector={"matchLabels": {}, "matchExpressions": []},
            ),
            cohort("c", group("memory", f="1024Mi")),
        ),
        (F, queue("a", group(["cpu", GPU], f=[8, 8])), cohort("c", group("memory", f="1Gi"))),
        SAME,
    ),
    Report(
        "groups in another order",
        "openshift-psap/fournos PR#74",
        (F, flavor("g"), queue("a", group(GPU, f=8), group("cpu", g=64))),
        (F, flavor("g"), queue("a", group("cpu", g=64), group(GPU, f=8))),
        SAME,
    ),
    Report(
        "another order of worker clusters",
        "kubernetes-sigs/kueue#13238",
        (*SENT, *WORKERS, sent_to("w1", "w2")),
        (*SENT, *WORKERS, sent_to("w2", "w1")),
        NEW,
        says=("new work is offered to the clusters in the new order",),
    ),
    Report(
        "a worker cluster is left out",
        "kubernetes-sigs/kueue#13238, PR#11559",
        (*SENT, *WORKERS, sent_to("w1", "w2")),
        (*SENT, *WORKERS, sent_to("w1")),
        RUN,
    ),
    Report(
        "the worker clusters of a check go",
        "kubernetes-sigs/kueue#13238",
        (*SENT, *WORKERS, sent_to("w1", "w2")),
        (*SENT, *WORKERS),
        STEPS,
        findings=("PLN002",),
        steps=("removing MultiKueueConfig mk",),
        says=("a check still names it and turns inactive",),
    ),
    Report(
        "the manager begins to share fairly",
        "kubernetes-sigs/kueue#7015",
        (F, EIGHT, manager()),
        (F, EIGHT, manager(fairSharing={"preemptionStrategies": ["LessThanInitialShare"]})),
        RUN,
        says=("from the restart of the manager on",),
    ),
)
