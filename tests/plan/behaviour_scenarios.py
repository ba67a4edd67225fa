"""How queues, priorities, checks and controllers behave, and what must be recreated."""

from scenario import Scenario

BLUE, RED, GREEN, GOLD = (f"teams/{name}/team.yaml" for name in ("blue", "red", "green", "gold"))
CLUSTER, VELA = "clusters/pokprod/cluster.yaml", "clusters/vela/cluster.yaml"
CLASSES, FLAVORS, PRIORITIES = "queues/classes.yaml", "queues/flavors.yaml", "queues/priorities.yaml"
TOPOLOGIES = "queues/topologies.yaml"
CHECK = """\
apiVersion: kohort.dev/v1alpha1
kind: AdmissionCheck
metadata: {name: budget}
spec: {controller: %s, clusters: [pokprod]}
"""
CHECKED = ("name: h100\nspec: {}", "name: h100\nspec: {checks: [budget]}")
LEADER = ("  cohort: research\n", "  cohort: research\n  stop: %s\n")
JOB = """\
apiVersion: kohort.dev/v1alpha1
kind: WorkloadTemplate
metadata: {name: sleep}
spec:
  description: sleeps
  parameters: [{name: seconds, type: integer, description: how long, default: 10}]
  body:
    apiVersion: batch/v1
    kind: Job
    spec:
      suspend: true
      template:
        spec:
          restartPolicy: Never
          containers:
          - name: main
            image: busybox:1.36
            command: [sleep, {param: seconds}]
            resources: {requests: {cpu: 1, memory: 1Gi}}
"""

SCENARIOS = [
    Scenario(
        "red is held",
        {RED: [(LEADER[0], LEADER[1] % "Hold")]},
        "requeues-pending",
        """
        team red h100 share 7 → 0
        team blue h100 share 9 → 17
        """,
        classes={"ClusterQueue red": "requeues-pending"},
    ),
    Scenario(
        "red is drained",
        {RED: [(LEADER[0], LEADER[1] % "HoldAndDrain")]},
        "evicts",
        """
        team red h100 share 7 → 0
        team blue h100 share 9 → 17
        """,
        classes={"ClusterQueue red": "evicts"},
    ),
    Scenario(
        "red starts again",
        {},
        "may-preempt",
        """
        team red h100 share 0 → 7
        team blue h100 share 17 → 9
        """,
        before={RED: [(LEADER[0], LEADER[1] % "Hold")]},
        classes={"ClusterQueue red": "may-preempt"},  # it reclaims
    ),
    Scenario(
        "newer work gives way",
        {CLASSES: [("withinClusterQueue: LowerPriority", "withinClusterQueue: LowerOrNewerEqualPriority")]},
        "may-preempt",
        classes={"ClusterQueue blue-train": "may-preempt", "ClusterQueue red": "may-preempt"},
    ),
    Scenario(
        "nobody reclaims",
        {CLASSES: [("reclaimWithinCohort: Any, ", "")]},
        "new-work",
        # what is lent comes back only when it ends
        """
        team blue h100 largestJob 8 → 0
        team blue h100 largestJobByReclaim 8 → 0
        team blue a100 largestJob 2 → 0
        team blue a100 largestJobByReclaim 2 → 0
        team red h100 largestJob 6 → 0
        team red h100 largestJobByReclaim 6 → 0
        """,
        classes={"ClusterQueue blue-train": "new-work"},
        new=("QTA509",),
    ),
    Scenario(
        "green may push others away",
        {
            CLASSES: [
                (
                    "name: calm\nspec:\n  strategy: BestEffortFIFO",
                    "name: calm\nspec:\n  strategy: BestEffortFIFO\n  preemption: {reclaimWithinCohort: Any, borrowWithinCohort: {policy: LowerPriority}}",
                )
            ]
        },
        "may-preempt",
        """
        team green h100 largestJob 2 → 4
        team green h100 largestJobByReclaim 2 → 8
        team green mig nvidia.com/mig-1g.10gb largestJob 0 → 4
        team green mig nvidia.com/mig-1g.10gb largestJobByReclaim 0 → 4
        """,
        classes={"ClusterQueue green": "may-preempt", "ClusterQueue green-lab": "may-preempt"},
        new=("QTA512",),
    ),
    Scenario(
        "strictly in order",
        {
            CLASSES: [
                ("name: calm\nspec:\n  strategy: BestEffortFIFO", "name: calm\nspec:\n  strategy: StrictFIFO")
            ]
        },
        "requeues-pending",
        classes={"ClusterQueue green": "requeues-pending"},
    ),
    Scenario(
        "try the next flavor before borrowing",
        {
            CLASSES: [
                (
                    "preemption: {reclaimWithinCohort: Any, withinClusterQueue: LowerPriority}",
                    "preemption: {reclaimWithinCohort: Any, withinClusterQueue: LowerPriority}\n  fungibility: {whenCanBorrow: TryNextFlavor}",
                )
            ]
        },
        "new-work",
        classes={"ClusterQueue blue-train": "new-work"},
    ),
    Scenario(
        "red weighs double",
        {RED: [("  class: batch\n", "  class: batch\n  weight: 2\n")]},
        "may-preempt",
        # 3 of slack: one third to blue, two thirds to red
        """
        team red h100 share 7 → 8
        """,
        classes={"ClusterQueue red": "may-preempt"},
    ),
    Scenario(
        "a weight where nobody shares fairly",
        {GREEN: [("- name: lab\n", "- name: lab\n    weight: 2\n")]},
        "nothing",
        classes={"ClusterQueue green-lab": "nothing"},
    ),
    Scenario(
        "high priority is higher",
        {
            PRIORITIES: [
                (
                    "value: 100\n  description: has a deadline\n  pods: true",
                    "value: 200\n  description: has a deadline\n  pods: true",
                )
            ]
        },
        "recreate",
        classes={"WorkloadPriorityClass high": "may-preempt", "PriorityClass high": "recreate"},
        findings=("PLN001",),
        steps=("changing value of PriorityClass high", "changing value of PriorityClass high"),
    ),
    Scenario(
        "low priority is lower",
        {PRIORITIES: [("value: 10\n", "value: 5\n")]},
        "may-preempt",
        classes={"WorkloadPriorityClass low": "may-preempt"},
    ),
    Scenario(
        "a better description",
        {PRIORITIES: [("may wait", "may wait long")]},
        "nothing",
        classes={"WorkloadPriorityClass low": "nothing"},
    ),
    Scenario(
        "a check guards H100",
        {"queues/checks.yaml": CHECK % "example.com/budget", FLAVORS: [CHECKED]},
        "may-preempt",
        classes={"AdmissionCheck budget": "nothing", "ClusterQueue gold": "may-preempt"},
    ),
    Scenario(
        "the check goes",
        {},
        "requeues-pending",
        before={"queues/checks.yaml": CHECK % "example.com/budget", FLAVORS: [CHECKED]},
        classes={"AdmissionCheck budget": "nothing", "ClusterQueue gold": "requeues-pending"},
    ),
    Scenario(
        "another controller answers the check",
        {"queues/checks.yaml": CHECK % "example.com/money", FLAVORS: [CHECKED]},
        "recreate",
        before={"queues/checks.yaml": CHECK % "example.com/budget", FLAVORS: [CHECKED]},
        classes={"AdmissionCheck budget": "recreate"},
        findings=("PLN001",),
        steps=("changing spec.controllerName of AdmissionCheck budget",),
    ),
    Scenario(
        "another topology",
        {TOPOLOGIES: [("[topology.example.com/rack, kubernetes.io/hostname]", "[kubernetes.io/hostname]")]},
        "recreate",
        classes={"Topology racks": "recreate"},
        findings=("PLN001",),
        steps=("changing spec.levels[topology.example.com/rack] of Topology racks",),
    ),
    Scenario(
        "A100 without topology",
        {FLAVORS: [("name: a100\nspec:\n  topology: racks", "name: a100\nspec: {}")]},
        "recreate",
        classes={"ResourceFlavor a100": "recreate"},
        findings=("PLN001",),
        steps=("changing spec.topologyName of ResourceFlavor a100",),
    ),
    Scenario(
        "H100 by topology",
        {
            FLAVORS: [("name: h100\nspec: {}", "name: h100\nspec: {topology: hosts}")],
            TOPOLOGIES: [
                (
                    "kind: Topology\nmetadata:\n  name: racks",
                    "kind: Topology\nmetadata: {name: hosts}\nspec: {levels: [kubernetes.io/hostname]}\n---\napiVersion: kohort.dev/v1alpha1\nkind: Topology\nmetadata:\n  name: racks",
                )
            ],
        },
        "requeues-pending",
        classes={"Topology hosts": "nothing", "ResourceFlavor h100": "requeues-pending"},
    ),
    Scenario(
        "H100 has a taint",
        {
            FLAVORS: [
                (
                    "name: h100\nspec: {}",
                    "name: h100\nspec: {taints: [{key: gpu, value: 'yes', effect: NoSchedule}]}",
                )
            ]
        },
        "requeues-pending",
        classes={"ResourceFlavor h100": "requeues-pending"},
    ),
    Scenario(
        "H100 nodes are labelled anew",
        {CLUSTER: [("labels: {pool: h100}", "labels: {pool: h100, gen: two}")]},
        "requeues-pending",
        classes={"ResourceFlavor h100": "requeues-pending"},
    ),
    Scenario(
        "bounds on namespaces",
        {
            VELA: [
                (
                    "kueue: {frameworks: [batch/job]}",
                    "kueue: {frameworks: [batch/job]}\n  namespaces: {atMost: {services: 5}, containerDefaults: {cpu: 100m}}",
                )
            ]
        },
        "requeues-pending",
        some=True,
    ),
    Scenario(
        "declared work",
        {
            "workloads/templates/sleep.yaml": JOB,
            "teams/red/work.yaml": "apiVersion: kohort.dev/v1alpha1\nkind: Workload\nmetadata: {name: nap}\nspec: {team: red, template: sleep, cluster: pokprod, queue: red, run: 1}\n",
        },
        "new-work",
        classes={"Job red/nap-1": "new-work"},
    ),
    Scenario(
        "another run of declared work",
        {
            "workloads/templates/sleep.yaml": JOB,
            "teams/red/work.yaml": "apiVersion: kohort.dev/v1alpha1\nkind: Workload\nmetadata: {name: nap}\nspec: {team: red, template: sleep, cluster: pokprod, queue: red, run: 2}\n",
        },
        "evicts",
        before={
            "workloads/templates/sleep.yaml": JOB,
            "teams/red/work.yaml": "apiVersion: kohort.dev/v1alpha1\nkind: Workload\nmetadata: {name: nap}\nspec: {team: red, template: sleep, cluster: pokprod, queue: red, run: 1}\n",
        },
        classes={"Job red/nap-1": "evicts", "Job red/nap-2": "new-work"},
    ),
]
