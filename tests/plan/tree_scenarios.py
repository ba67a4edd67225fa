"""Cohorts, weights, flavors and hardware."""

from scenario import Scenario

BLUE, RED, GREEN, GOLD = (f"teams/{name}/team.yaml" for name in ("blue", "red", "green", "gold"))
CLUSTER, COHORTS, FLAVORS = "clusters/pokprod/cluster.yaml", "queues/cohorts.yaml", "queues/flavors.yaml"
MAINTENANCE = """\
apiVersion: kohort.dev/v1alpha1
kind: Maintenance
metadata: {name: firmware}
spec: {cluster: pokprod, node: h100-3, reason: firmware, state: active}
"""
MI300 = """\
      reserve: {cpu: 4, memory: 16Gi, pods: 8}
      racks: {rack-1: [a100-0, a100-1]}
    - name: mi300
      flavor: mi300
      nodes: 1
      accelerator: amd.com/gpu
      labels: {pool: mi300}
      perNode: {cpu: 84, memory: 1040Gi, amd.com/gpu: 8, pods: 208}
      reserve: {cpu: 4, memory: 16Gi, pods: 8}
"""

SCENARIOS = [
    Scenario(
        "research weighs as much as products",
        {COHORTS: [("weight: 3", "weight: 1")]},
        "may-preempt",
        # the 4 of slack go 2 and 2: blue and red get half of 2 each, as before rounded down; green gets 2
        """
        cohort research h100 share 17 → 16
        cohort products h100 share 3 → 4
        team green h100 share 5 → 6
        """,
        classes={"Cohort research": "may-preempt"},
    ),
    Scenario(
        "a larger pool",
        {COHORTS: [("{flavor: a100, gpus: 2}", "{flavor: a100, gpus: 4}")]},
        "requeues-pending",
        """
        cohort research a100 pool 2 → 4
        cohort research a100 guarantee 4 → 6
        cohort research a100 lend 4 → 6
        cohort research a100 share 4 → 6
        cohort org a100 guarantee 4 → 6
        cohort org a100 share 4 → 6
        team blue a100 borrow 2 → 4
        team blue a100 share 4 → 6
        team blue a100 largestJobByBorrowing 4 → 6
        flavor a100 guarantee 4 → 6
        flavor a100 headroom 4 → 2
        flavor a100 lostWithNode 0 → 2
        cluster pokprod guarantee 26 → 28
        """,
        # only blue lists a100, so that nobody has borrowed what it could take back
        classes={"Cohort research": "requeues-pending"},
    ),
    Scenario(
        "products may not borrow",
        {
            COHORTS: [
                (
                    "name: products\nspec:\n  parent: org",
                    "name: products\nspec:\n  parent: org\n  clusters: {pokprod: {borrow: {h100: none}}}",
                )
            ]
        },
        "requeues-pending",
        # products may use what it lends, 2, and green what it keeps besides: 4; all slack goes to research
        """
        cohort products h100 borrow 18 → 0
        cohort products h100 share 3 → 2
        cohort research h100 share 17 → 18
        team green h100 borrow 4 → 0
        team green h100 share 5 → 4
        team green h100 largestJobByBorrowing 8 → 4
        team blue h100 share 9 → 10
        team red h100 share 7 → 8
        """,
        classes={"Cohort products": "requeues-pending"},
        new=("QTA506",),
    ),
    Scenario(
        "products moves below research",
        {COHORTS: [("name: products\nspec:\n  parent: org", "name: products\nspec:\n  parent: research")]},
        "may-preempt",
        # research has all 18 + 2 of the tree; its 16 lendable of 20 leave 4 of slack for three siblings, 1 each
        """
        cohort research h100 guarantee 14 → 18
        cohort research h100 borrow 6 → 4
        cohort research h100 lend 14 → 16
        cohort research h100 share 17 → 20
        cohort research mig nvidia.com/mig-1g.10gb guarantee none → 4
        cohort research mig nvidia.com/mig-1g.10gb lend none → 4
        cohort research mig nvidia.com/mig-1g.10gb share none → 4
        """,
        classes={"Cohort products": "requeues-pending"},  # on vela, where nobody reclaims
    ),
    Scenario(
        "red moves to products",
        {RED: [("cohort: research", "cohort: products")]},
        "may-preempt",
        # products lends 6 + 2 = 8; of the slack it gets 1, which two siblings halve and round down
        """
        cohort research h100 guarantee 14 → 8
        cohort research h100 borrow 6 → 12
        cohort research h100 lend 14 → 8
        cohort research h100 share 17 → 11
        cohort products h100 guarantee 4 → 10
        cohort products h100 borrow 18 → 12
        cohort products h100 lend 2 → 8
        cohort products h100 share 3 → 9
        team blue h100 share 9 → 11
        team red h100 share 7 → 6
        team green h100 share 5 → 4
        """,
        classes={"ClusterQueue red": "may-preempt"},
        steps=("moving ClusterQueue red from cohort research to cohort products",),
    ),
    Scenario(
        "red leaves its cohort",
        {RED: [("  cohort: research\n", ""), ("class: batch", "class: production")]},
        "may-preempt",
        """
        team red h100 borrow 14 → 0
        team red h100 lend 6 → 0
        team red h100 share 7 → 6
        team red h100 largestJobByBorrowing 20 → 6
        team blue h100 borrow 12 → 6
        team blue h100 share 9 → 11
        team blue h100 largestJobByBorrowing 20 → 14
        cohort research h100 guarantee 14 → 8
        cohort research h100 lend 14 → 8
        cohort research h100 share 17 → 11
        cohort products h100 borrow 18 → 12
        cohort org h100 guarantee 18 → 12
        cohort org h100 share 20 → 14
        """,
        classes={"ClusterQueue red": "may-preempt"},
        steps=("moving ClusterQueue red from cohort research to no cohort",),
    ),
    Scenario(
        "blue prefers A100",
        {
            BLUE: [
                (
                    "- {flavor: h100, gpus: 8}\n      - {flavor: a100, gpus: 2}",
                    "- {flavor: a100, gpus: 2}\n      - {flavor: h100, gpus: 8}",
                )
            ]
        },
        "new-work",
        classes={"ClusterQueue blue-train": "new-work"},
    ),
    Scenario(
        "blue gives its A100 back",
        {BLUE: [("      - {flavor: a100, gpus: 2}\n", "")]},
        "steps",
        """
        team blue a100 guarantee 2 → none
        team blue a100 borrow 2 → none
        team blue a100 lend 2 → none
        team blue a100 share 4 → none
        team blue a100 largestJob 2 → none
        team blue a100 largestJobByReclaim 2 → none
        team blue a100 largestJobByBorrowing 4 → none
        cohort research a100 guarantee 4 → 2
        cohort research a100 lend 4 → 2
        cohort research a100 share 4 → 0
        cohort org a100 guarantee 4 → 2
        cohort org a100 share 4 → 0
        flavor a100 guarantee 4 → 2
        flavor a100 headroom 4 → 6
        cluster pokprod guarantee 26 → 24
        """,
        classes={"ClusterQueue blue-train": "steps"},
        steps=("removing flavor a100 from ClusterQueue blue-train",),
        new=("QTA507",),
    ),
    Scenario(
        "red gets A100 too",
        {RED: [("[{flavor: h100, gpus: 6}]", "[{flavor: h100, gpus: 6}, {flavor: a100, gpus: 1}]")]},
        "requeues-pending",
        # root 5: blue 2 and red 1 leave 2 of the pool, one each
        """
        team red a100 guarantee none → 1
        team red a100 borrow none → 4
        team red a100 lend none → 1
        team red a100 share none → 2
        team red a100 largestJob none → 1
        team red a100 largestJobByReclaim none → 1
        team red a100 largestJobByBorrowing none → 5
        team blue a100 borrow 2 → 3
        team blue a100 share 4 → 3
        team blue a100 largestJobByBorrowing 4 → 5
        cohort research a100 guarantee 4 → 5
        cohort research a100 lend 4 → 5
        cohort research a100 share 4 → 5
        cohort org a100 guarantee 4 → 5
        cohort org a100 share 4 → 5
        flavor a100 guarantee 4 → 5
        flavor a100 headroom 4 → 3
        flavor a100 lostWithNode 0 → 1
        cluster pokprod guarantee 26 → 27
        """,
        classes={"ClusterQueue red": "requeues-pending"},
    ),
    Scenario(
        "a node less",
        {CLUSTER: [("flavor: h100\n    nodes: 4", "flavor: h100\n    nodes: 3")]},
        "nothing",
        # 22 guaranteed on 24; a node lost leaves 16
        """
        flavor h100 hardware 32 → 24
        flavor h100 healthy 32 → 24
        flavor h100 headroom 10 → 2
        flavor h100 lostWithNode 0 → 6
        cluster pokprod hardware 40 → 32
        cluster pokprod healthy 40 → 32
        """,
        new=("CAP901",),
    ),
    Scenario(
        "a node in maintenance",
        {"clusters/pokprod/maintenance/firmware.yaml": MAINTENANCE},
        "may-preempt",
        # 24 healthy, 22 guaranteed: slack lends 2 of its 4, so the tree has 18; without a second node 16 remain
        """
        flavor h100 healthy 32 → 24
        flavor h100 headroom 10 → 2
        flavor h100 lostWithNode 0 → 6
        cluster pokprod healthy 40 → 32
        cohort org h100 share 20 → 18
        cohort research h100 borrow 6 → 4
        cohort research h100 share 17 → 15
        cohort products h100 borrow 18 → 16
        cohort products h100 share 3 → 2
        team blue h100 borrow 12 → 10
        team blue h100 share 9 → 8
        team blue h100 largestJobByBorrowing 20 → 18
        team red h100 borrow 14 → 12
        team red h100 share 7 → 6
        team red h100 largestJobByBorrowing 20 → 18
        team green h100 share 5 → 4
        """,
        classes={"ClusterQueue slack-org-h100": "may-preempt"},  # for the guarantees of blue and red
    ),
    Scenario(
        "accelerators of another vendor",
        {
            CLUSTER: [
                (
                    "    reserve: {cpu: 4, memory: 16Gi, pods: 8}\n    racks: {rack-1: [a100-0, a100-1]}\n",
                    MI300.replace("\n  ", "\n").removeprefix("  "),
                )
            ],
            FLAVORS: [
                (
                    "name: cpu\n",
                    "name: mi300\nspec: {}\n---\napiVersion: kohort.dev/v1alpha1\nkind: Flavor\nmetadata:\n  name: cpu\n",
                )
            ],
            GOLD: [("[{flavor: h100, gpus: 4}]", "[{flavor: h100, gpus: 4}, {flavor: mi300, gpus: 4}]")],
        },
        "requeues-pending",
        """
        team gold mi300 amd.com/gpu guarantee none → 4
        team gold mi300 amd.com/gpu share none → 4
        team gold mi300 amd.com/gpu largestJob none → 4
        team gold mi300 amd.com/gpu largestJobByReclaim none → 4
        team gold mi300 amd.com/gpu largestJobByBorrowing none → 4
        flavor mi300 amd.com/gpu guarantee none → 4
        flavor mi300 amd.com/gpu hardware none → 8
        flavor mi300 amd.com/gpu healthy none → 8
        flavor mi300 amd.com/gpu headroom none → 4
        flavor mi300 amd.com/gpu lostWithNode none → 4
        cluster pokprod amd.com/gpu guarantee none → 4
        cluster pokprod amd.com/gpu hardware none → 8
        cluster pokprod amd.com/gpu healthy none → 8
        """,
        classes={"ResourceFlavor mi300": "nothing"},
    ),
    Scenario(
        "nobody shares fairly any more",
        {CLUSTER: [("    fairSharing: [LessThanOrEqualToFinalShare, LessThanInitialShare]\n", "")]},
        "new-work",
        # who comes first keeps the slack: only guarantees are certain
        """
        cohort research h100 share 17 → 14
        cohort products h100 share 3 → 2
        cohort research a100 share 4 → 4
        team blue h100 share 9 → 8
        team blue a100 share 4 → 2
        team red h100 share 7 → 6
        team green h100 share 5 → 4
        """.replace("        cohort research a100 share 4 → 4\n", ""),
        classes={"ConfigMap kueue-system/kueue-manager-config": "new-work"},
    ),
    Scenario(
        "a new cluster",
        {
            "clusters/lab/cluster.yaml": """\
apiVersion: kohort.dev/v1alpha1
kind: Cluster
metadata: {name: lab}
spec:
  versions: {kubernetes: 1.36.2, kueue: 0.19.1}
  nodePools:
  - {name: h100, flavor: h100, nodes: 1, accelerator: nvidia.com/gpu, labels: {pool: h100}, perNode: {cpu: 80, memory: 1Ti, nvidia.com/gpu: 8, pods: 200}}
  kueue: {frameworks: [batch/job]}
""",
        },
        "new-work",
        """
        cluster lab hardware none → 8
        cluster lab healthy none → 8
        flavor h100 hardware none → 8
        flavor h100 healthy none → 8
        flavor h100 headroom none → 8
        """,
        access=("+ Group platform-admins may administer, on the whole cluster lab",),
    ),
]
