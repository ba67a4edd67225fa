"""Changes of the tree, and who is asked: `who (people): why`, worked out by hand after the tree in plan_world.

Structure alone: nobody's guarantee grows. Red names no admins, so the organisation's speak for it; `all admins` are
platform-admins and pokprod-admins.
"""

BLUE, RED, GREEN, GOLD = (f"teams/{name}/team.yaml" for name in ("blue", "red", "green", "gold"))
COHORTS, CLASSES, PRIORITIES = (f"queues/{name}.yaml" for name in ("cohorts", "classes", "priorities"))
GOLD_QUOTA = "class: production\n  quota:\n    pokprod: [{flavor: h100, gpus: 4}]"
MORE_GOLD = (
    "queues:\n  - {name: main, class: production, quota: {pokprod: [{flavor: h100, gpus: 4}]}}\n"
    "  - {name: extra, class: batch, cohort: research, quota: {pokprod: [{flavor: h100, gpus: 0}]}}"
)
RED_QUEUE = "class: batch\n  cohort: research\n  quota:\n    pokprod: [{flavor: h100, gpus: 6}]"
TWO_RED = (
    "queues:\n  - {name: red, class: batch, cohort: research, quota: {pokprod: [{flavor: h100, gpus: 6}]}}\n"
    "  - {name: two, class: batch, cohort: research, quota: {pokprod: [{flavor: h100, gpus: 0}]}}"
)
CALM = "name: calm\nspec:\n  strategy: BestEffortFIFO"
PREEMPTING = CALM + "\n  preemption: {borrowWithinCohort: {policy: LowerPriority, maxPriorityThreshold: %s}}"
PRODUCTS = "name: products\nspec:\n  parent: org"

EDITS = {
    "a queue moves to another cohort": [(GREEN, "cohort: products", "cohort: research")],
    "a queue without cohort joins one": [(GOLD, "class: production", "class: batch\n  cohort: products")],
    "a new queue of a known team": [(GOLD, GOLD_QUOTA, MORE_GOLD)],
    "a second queue beside its first": [(RED, RED_QUEUE, TWO_RED)],
    "a queue reaches another cluster": [
        (
            BLUE,
            "          quota:\n".replace("          ", "    "),
            "    quota:\n      vela: [{flavor: cpu, nodes: 0}]\n",
        ),
        (BLUE, "cohort: research", "cohort: products"),
    ],
    "a queue takes another flavor": [
        (RED, "{flavor: h100, gpus: 6}", "{flavor: h100, gpus: 6}, {flavor: a100, gpus: 0}")
    ],
    "a borrowing limit is raised": [(GREEN, "borrow: 4, lend: 2", "borrow: 7, lend: 2")],
    "a borrowing limit is removed": [(GREEN, "borrow: 4, lend: 2", "lend: 2")],
    "a lending limit is raised": [(GREEN, "borrow: 4, lend: 2", "borrow: 4, lend: 3")],
    "a lending limit is removed": [(GREEN, "borrow: 4, lend: 2", "borrow: 4")],
    "a weight is raised a little": [(RED, "class: batch", "class: batch\n  weight: 1.01")],
    "others are preempted": [(GREEN, "class: calm\n", "class: batch\n")],
    "nothing is taken back": [(BLUE, "class: batch", "class: calm")],
    "a cohort moves": [(COHORTS, PRODUCTS, PRODUCTS.replace("org", "research"))],
    "a cohort weighs more": [(COHORTS, "weight: 3", "weight: 4")],
    "a class preempts in order to borrow": [(CLASSES, CALM, PREEMPTING % 50)],
    "a priority is raised": [(PRIORITIES, "value: 100", "value: 1000")],
}

ASKED = {
    "a queue moves to another cohort": """
        admins (all admins): team red, which names no admins: team green would share in cohort research what its members leave idle (h100 on pokprod)
        admins (all admins): team red, which names no admins: its share under contention falls from 7.5 to 7.33 GPUs (h100 on pokprod)
        team blue or admins (blue-leads, all admins): team green would share in cohort research what its members leave idle (h100 on pokprod)
        team blue or admins (blue-leads, all admins): its share under contention falls from 9.5 to 9.33 GPUs (h100 on pokprod)
    """,
    "a queue without cohort joins one": """
        admins (all admins): team gold, which names no admins: 4 GPUs more of its guarantee may be used by others while idle (h100 on pokprod: 0 to 4)
        admins (all admins): team green, which names no admins: team gold could use up to 2 GPUs of its guarantee while idle, so far none (h100 on pokprod)
        admins (all admins): team red, which names no admins: team gold could use up to 6 GPUs of its guarantee while idle, so far none (h100 on pokprod)
        admins (all admins): team gold could use up to 4 GPUs of slack queue slack-org-h100 while idle, so far none (h100 on pokprod)
        admins (all admins): team green, which names no admins: its share under contention falls from 5 to 4.5 GPUs (h100 on pokprod)
        team blue or admins (blue-leads, all admins): team gold could use up to 8 GPUs of its guarantee while idle, so far none (h100 on pokprod)
    """,
    "a new queue of a known team": """
        admins (all admins): team green, which names no admins: team gold could use up to 2 GPUs of its guarantee while idle, so far none (h100 on pokprod)
        admins (all admins): team red, which names no admins: team gold could use up to 6 GPUs of its guarantee while idle, so far none (h100 on pokprod)
        admins (all admins): team gold could use up to 4 GPUs of slack queue slack-org-h100 while idle, so far none (h100 on pokprod)
        admins (all admins): team red, which names no admins: its share under contention falls from 7.5 to 7 GPUs (h100 on pokprod)
        team blue or admins (blue-leads, all admins): team gold could use up to 8 GPUs of its guarantee while idle, so far none (h100 on pokprod)
        team blue or admins (blue-leads, all admins): its share under contention falls from 9.5 to 9 GPUs (h100 on pokprod)
    """,
    "a second queue beside its first": """
        team blue or admins (blue-leads, all admins): its share under contention falls from 9.5 to 9 GPUs (h100 on pokprod)
    """,
    "a queue reaches another cluster": """
        admins (all admins): team green, which names no admins: team blue would share in cohort products what its members leave idle (h100 on pokprod)
        admins (platform-admins): team green, which names no admins: team blue could use up to 32 cpu of its guarantee while idle, so far none (cpu on vela)
        admins (all admins): team green, which names no admins: its share under contention falls from 5 to 4.5 GPUs (h100 on pokprod)
        team blue or admins (blue-leads, all admins): its share under contention falls from 9.5 to 8.5 GPUs (h100 on pokprod)
    """,
    "a queue takes another flavor": """
        admins (all admins): team red could use up to 2 GPUs of the pool of cohort research while idle, so far none (a100 on pokprod)
        team blue or admins (blue-leads, all admins): team red could use up to 2 GPUs of its guarantee while idle, so far none (a100 on pokprod)
        team blue or admins (blue-leads, all admins): its share under contention falls from 4 to 3 GPUs (a100 on pokprod)
    """,
    "a borrowing limit is raised": """
        admins (all admins): team red, which names no admins: team green could use up to 6 GPUs of its guarantee while idle, so far 4 (h100 on pokprod)
        team blue or admins (blue-leads, all admins): team green could use up to 7 GPUs of its guarantee while idle, so far 4 (h100 on pokprod)
    """,
    "a borrowing limit is removed": """
        admins (all admins): team red, which names no admins: team green could use up to 6 GPUs of its guarantee while idle, so far 4 (h100 on pokprod)
        team blue or admins (blue-leads, all admins): team green could use up to 8 GPUs of its guarantee while idle, so far 4 (h100 on pokprod)
    """,
    "a lending limit is raised": """
        admins (all admins): team green, which names no admins: 1 GPU more of its guarantee may be used by others while idle (h100 on pokprod: 2 to 3)
    """,
    "a lending limit is removed": """
        admins (all admins): team green, which names no admins: 2 GPUs more of its guarantee may be used by others while idle (h100 on pokprod: 2 to 4)
    """,
    "a weight is raised a little": """
        team blue or admins (blue-leads, all admins): its share under contention falls from 9.5 to 9.49 GPUs (h100 on pokprod)
    """,
    "others are preempted": """
        admins (all admins): team red, which names no admins: queue green on pokprod may preempt more of its work beyond its guarantee: reclaimWithinCohort Never to Any
        team blue or admins (blue-leads, all admins): queue green on pokprod may preempt more of its work beyond its guarantee: reclaimWithinCohort Never to Any
    """,
    "nothing is taken back": """
        team blue or admins (blue-leads, all admins): queue blue-train on pokprod takes back less of what it lends: reclaimWithinCohort Any to Never
    """,
    "a cohort moves": """
        admins (all admins): team red, which names no admins: team green would share in cohort research what its members leave idle (h100 on pokprod)
        admins (all admins): team red, which names no admins: its share under contention falls from 7.5 to 7.33 GPUs (h100 on pokprod)
        admins (platform-admins): it changes flavors, cohorts, classes, sizes or priorities (queues/cohorts.yaml)
        team blue or admins (blue-leads, all admins): team green would share in cohort research what its members leave idle (h100 on pokprod)
        team blue or admins (blue-leads, all admins): its share under contention falls from 9.5 to 9.33 GPUs (h100 on pokprod)
    """,
    "a cohort weighs more": """
        admins (all admins): team green, which names no admins: its share under contention falls from 5 to 4.8 GPUs (h100 on pokprod)
        admins (platform-admins): it changes flavors, cohorts, classes, sizes or priorities (queues/cohorts.yaml)
    """,
    "a class preempts in order to borrow": """
        admins (all admins): team red, which names no admins: queue green on pokprod may preempt more of its work beyond its guarantee: borrowWithinCohort Never to LowerPriority
        admins (platform-admins): it changes flavors, cohorts, classes, sizes or priorities (queues/classes.yaml)
        team blue or admins (blue-leads, all admins): queue green on pokprod may preempt more of its work beyond its guarantee: borrowWithinCohort Never to LowerPriority
    """,
    "a priority is raised": """
        admins (platform-admins): it changes flavors, cohorts, classes, sizes or priorities (queues/priorities.yaml)
    """,
}
