"""Guarantees, borrowing, lending, slack: numbers after the tree in plan_world."""

from scenario import Scenario

BLUE, RED, GREEN, GOLD = (f"teams/{name}/team.yaml" for name in ("blue", "red", "green", "gold"))
CLUSTER = "clusters/pokprod/cluster.yaml"
WHITE = """\
apiVersion: kohort.dev/v1alpha1
kind: Team
metadata: {name: white}
spec:
  namespaces: [white]
  access: {members: {groups: [white-devs]}}
  class: batch
  cohort: products
  quota: {pokprod: [{flavor: h100, gpus: 2}]}
"""

SCENARIOS = [
    Scenario(
        "blue takes four from red",
        {BLUE: [("{flavor: h100, gpus: 8}", "{flavor: h100, gpus: 12}")], RED: [("gpus: 6", "gpus: 2")]},
        "may-preempt",
        """
        team blue h100 guarantee 8 → 12
        team blue h100 borrow 12 → 8
        team blue h100 lend 8 → 12
        team blue h100 share 9 → 13
        team blue h100 largestJob 8 → 12
        team blue h100 largestJobByReclaim 8 → 12
        team red h100 guarantee 6 → 2
        team red h100 borrow 14 → 18
        team red h100 lend 6 → 2
        team red h100 share 7 → 3
        team red h100 largestJob 6 → 2
        team red h100 largestJobByReclaim 6 → 2
        """,
        behind="""
        team blue h100 cpu guarantee 80 → 120
        team blue h100 memory guarantee 1Ti → 1536Gi
        team red h100 pods guarantee 150 → 50
        """,
        classes={"ClusterQueue blue-train": "may-preempt", "ClusterQueue red": "may-preempt"},
    ),
    Scenario(
        "slack becomes a guarantee",
        {
            BLUE: [("{flavor: h100, gpus: 8}", "{flavor: h100, gpus: 12}")],
            CLUSTER: [("  slack:\n  - {cohort: org, flavor: h100, amount: 4}\n", "")],
        },
        "may-preempt",
        """
        team blue h100 guarantee 8 → 12
        team blue h100 borrow 12 → 8
        team blue h100 lend 8 → 12
        team blue h100 share 9 → 12
        team blue h100 largestJob 8 → 12
        team blue h100 largestJobByReclaim 8 → 12
        team red h100 share 7 → 6
        team green h100 share 5 → 4
        cohort research h100 guarantee 14 → 18
        cohort research h100 borrow 6 → 2
        cohort research h100 lend 14 → 18
        cohort research h100 share 17 → 18
        cohort products h100 share 3 → 2
        cohort org h100 guarantee 18 → 22
        cohort org h100 slack 4 → none
        flavor h100 guarantee 22 → 26
        flavor h100 slack 4 → none
        flavor h100 headroom 10 → 6
        flavor h100 lostWithNode 0 → 2
        cluster pokprod guarantee 26 → 30
        cluster pokprod slack 4 → none
        """,
        classes={"ClusterQueue slack-org-h100": "may-preempt", "ClusterQueue blue-train": "may-preempt"},
    ),
    Scenario(
        "green may borrow more",
        {GREEN: [("borrow: 4", "borrow: 8")]},
        "requeues-pending",
        """
        team green h100 borrow 4 → 8
        team green h100 largestJobByBorrowing 8 → 12
        """,
        classes={"ClusterQueue green": "requeues-pending"},
    ),
    Scenario(
        "green borrows no more",
        {GREEN: [("borrow: 4", "borrow: none")]},
        "new-work",
        """
        team green h100 borrow 4 → 0
        team green h100 share 5 → 4
        team green h100 largestJobByBorrowing 8 → 4
        """,
        classes={"ClusterQueue green": "new-work"},
    ),
    Scenario(
        "green lends all",
        {GREEN: [(", lend: 2", "")]},
        "requeues-pending",
        """
        team green h100 lend 2 → 4
        team green h100 largestJob 2 → 0
        team green h100 largestJobByReclaim 2 → 0
        team blue h100 borrow 12 → 14
        team blue h100 largestJobByBorrowing 20 → 22
        team red h100 borrow 14 → 16
        team red h100 largestJobByBorrowing 20 → 22
        cohort research h100 borrow 6 → 8
        cohort products h100 lend 2 → 4
        cohort products h100 share 3 → 5
        cohort org h100 share 20 → 22
        """,
        classes={"ClusterQueue green": "requeues-pending"},
    ),
    Scenario(
        "green lends nothing",
        {GREEN: [("lend: 2", "lend: none")]},
        "may-preempt",
        """
        team green h100 lend 2 → 0
        team green h100 largestJob 2 → 4
        team green h100 largestJobByReclaim 2 → 4
        team blue h100 borrow 12 → 10
        team blue h100 largestJobByBorrowing 20 → 18
        team red h100 borrow 14 → 12
        team red h100 largestJobByBorrowing 20 → 18
        cohort research h100 borrow 6 → 4
        cohort products h100 lend 2 → 0
        cohort products h100 share 3 → 1
        cohort org h100 share 20 → 18
        """,
        # blue and red reclaim: what the other borrowed of these 2 is missing where they want their guarantees
        classes={"ClusterQueue green": "may-preempt"},
    ),
    Scenario(
        "gold grows alone",
        {GOLD: [("gpus: 4", "gpus: 8")]},
        "requeues-pending",
        """
        team gold h100 guarantee 4 → 8
        team gold h100 share 4 → 8
        team gold h100 largestJob 4 → 8
        team gold h100 largestJobByReclaim 4 → 8
        team gold h100 largestJobByBorrowing 4 → 8
        flavor h100 guarantee 22 → 26
        flavor h100 headroom 10 → 6
        flavor h100 lostWithNode 0 → 2
        cluster pokprod guarantee 26 → 30
        """,
        classes={"ClusterQueue gold": "requeues-pending"},
    ),
    Scenario(
        "gold shrinks alone",
        {GOLD: [("gpus: 4", "gpus: 2")]},
        "new-work",
        """
        team gold h100 guarantee 4 → 2
        team gold h100 share 4 → 2
        team gold h100 largestJob 4 → 2
        team gold h100 largestJobByReclaim 4 → 2
        team gold h100 largestJobByBorrowing 4 → 2
        flavor h100 guarantee 22 → 20
        flavor h100 headroom 10 → 12
        cluster pokprod guarantee 26 → 24
        """,
        classes={"ClusterQueue gold": "new-work"},
    ),
    Scenario(
        "a new team",
        {},  # its file is added below
        "requeues-pending",
        """
        team white h100 guarantee none → 2
        team white h100 borrow none → 20
        team white h100 lend none → 2
        team white h100 share none → 2
        team white h100 largestJob none → 2
        team white h100 largestJobByReclaim none → 2
        team white h100 largestJobByBorrowing none → 22
        team blue h100 borrow 12 → 14
        team blue h100 largestJobByBorrowing 20 → 22
        team red h100 borrow 14 → 16
        team red h100 largestJobByBorrowing 20 → 22
        team green h100 share 5 → 4
        cohort research h100 borrow 6 → 8
        cohort products h100 guarantee 4 → 6
        cohort products h100 lend 2 → 4
        cohort products h100 share 3 → 5
        cohort org h100 guarantee 18 → 20
        cohort org h100 share 20 → 22
        flavor h100 guarantee 22 → 24
        flavor h100 headroom 10 → 8
        cluster pokprod guarantee 26 → 28
        """,
        classes={
            "ClusterQueue white": "requeues-pending",
            "LocalQueue white/white": "new-work",
            "Namespace white": "nothing",
            "RoleBinding white/kohort-members": "nothing",
        },
        people=("+ Group white-devs, members of team white",),
        access=("+ Group white-devs may submit in namespace white, queue white, on pokprod",),
    ),
    Scenario(
        "red leaves",
        {RED: None},
        "steps",
        """
        team red h100 guarantee 6 → none
        team red h100 borrow 14 → none
        team red h100 lend 6 → none
        team red h100 share 7 → none
        team red h100 largestJob 6 → none
        team red h100 largestJobByReclaim 6 → none
        team red h100 largestJobByBorrowing 20 → none
        team blue h100 borrow 12 → 6
        team blue h100 share 9 → 11
        team blue h100 largestJobByBorrowing 20 → 14
        cohort research h100 guarantee 14 → 8
        cohort research h100 lend 14 → 8
        cohort research h100 share 17 → 11
        cohort products h100 borrow 18 → 12
        cohort org h100 guarantee 18 → 12
        cohort org h100 share 20 → 14
        flavor h100 guarantee 22 → 16
        flavor h100 headroom 10 → 16
        cluster pokprod guarantee 26 → 20
        """,
        classes={
            "ClusterQueue red": "steps",
            "Namespace red": "evicts",
            "LocalQueue red/red": "requeues-pending",
        },
        people=("- Group red-devs, members of team red",),
        access=("- Group red-devs may no longer submit in namespace red, queue red, on pokprod",),
        steps=("removing ClusterQueue red",),
    ),
    Scenario(
        "parts of GPUs",
        {GREEN: [("nvidia.com/mig-1g.10gb: 4", "nvidia.com/mig-1g.10gb: 6")]},
        "requeues-pending",
        """
        team green mig nvidia.com/mig-1g.10gb guarantee 4 → 6
        team green mig nvidia.com/mig-1g.10gb lend 4 → 6
        team green mig nvidia.com/mig-1g.10gb share 4 → 6
        team green mig nvidia.com/mig-1g.10gb largestJobByBorrowing 4 → 6
        cohort products mig nvidia.com/mig-1g.10gb guarantee 4 → 6
        cohort products mig nvidia.com/mig-1g.10gb lend 4 → 6
        cohort products mig nvidia.com/mig-1g.10gb share 4 → 6
        cohort org mig nvidia.com/mig-1g.10gb guarantee 4 → 6
        cohort org mig nvidia.com/mig-1g.10gb share 4 → 6
        flavor mig nvidia.com/mig-1g.10gb guarantee 4 → 6
        flavor mig nvidia.com/mig-1g.10gb headroom 4 → 2
        flavor mig nvidia.com/mig-1g.10gb lostWithNode 4 → 6
        cluster vela nvidia.com/mig-1g.10gb guarantee 4 → 6
        """,
        classes={"ClusterQueue green-lab": "requeues-pending"},
    ),
    Scenario(
        "nodes without accelerators",
        {GREEN: [("{flavor: cpu, nodes: 1}", "{flavor: cpu, nodes: 2}")]},
        "requeues-pending",
        behind="""
        team green cpu cpu guarantee 32 → 64
        team green cpu memory guarantee 128Gi → 256Gi
        flavor cpu cpu headroom 64 → 32
        cluster vela cpu guarantee 48 → 80
        """,
        classes={"ClusterQueue green-lab": "requeues-pending"},
    ),
    Scenario(
        "fewer cores with the same GPUs",
        {RED: [("gpus: 6}", "gpus: 6, resources: {cpu: 30}}")]},
        "may-preempt",
        behind="""
        team red h100 cpu guarantee 60 → 30
        team red h100 cpu lend 60 → 30
        flavor h100 cpu headroom 100 → 130
        """,
        classes={"ClusterQueue red": "may-preempt"},
    ),
    Scenario(
        "more slack",
        {CLUSTER: [("amount: 4", "amount: 8")]},
        "requeues-pending",
        """
        team blue h100 borrow 12 → 16
        team blue h100 share 9 → 11
        team blue h100 largestJobByBorrowing 20 → 24
        team red h100 borrow 14 → 18
        team red h100 share 7 → 9
        team red h100 largestJobByBorrowing 20 → 24
        team green h100 share 5 → 6
        cohort research h100 borrow 6 → 10
        cohort research h100 share 17 → 20
        cohort products h100 borrow 18 → 22
        cohort products h100 share 3 → 4
        cohort org h100 slack 4 → 8
        cohort org h100 share 20 → 24
        flavor h100 slack 4 → 8
        cluster pokprod slack 4 → 8
        """,
        classes={"ClusterQueue slack-org-h100": "requeues-pending"},
    ),
]
for _one in SCENARIOS:
    if _one.name == "a new team":
        _one.edits["teams/white/team.yaml"] = WHITE
