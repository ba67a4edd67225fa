"""Which flavor a workload gets (reference section 4)."""

from __future__ import annotations

from collections.abc import Iterator

from kohort.lab.recording.objects import cohort, flavor, group, podset, queue
from kohort.lab.recording.story import Story

SPOT, DEMAND = flavor("spot"), flavor("demand")
A, B, C = flavor("a"), flavor("b"), flavor("c")


def fungible(borrow: str = "", preempt: str = "", preference: str = "") -> dict:
    given = {"whenCanBorrow": borrow, "whenCanPreempt": preempt, "preference": preference}
    return {key: value for key, value in given.items() if value}


def spot_or_demand(name: str, **policy: str) -> Story:
    """Section 4.8: spot is full of lower priority, on demand can be borrowed."""
    own = group("gpu", {"spot": 4, "demand": (8, 4, None)})
    s = Story(
        name,
        "fungibility borrowing preemption",
        SPOT,
        DEMAND,
        cohort("c", "", group("gpu", {"demand": 4})),
        queue("q", own, cohort="c", within="LowerPriority", flavorFungibility=fungible(**policy)),
    )
    s.submit("on-spot", "q", 4).submit("on-demand", "q", 8)
    return s.submit("w", "q", 2, priority=10).finish("on-demand").submit("x", "q", 1, priority=5)


def affinity(key: str, *values: str) -> dict:
    term = {"matchExpressions": [{"key": key, "operator": "In", "values": list(values)}]}
    return {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [term]}}}


def scenarios() -> Iterator[Story]:
    nxt, stop = "TryNextFlavor", "MayStopSearch"
    yield spot_or_demand("flavor-example-defaults")
    yield spot_or_demand("flavor-example-preempt-stops-search", preempt=stop)
    yield spot_or_demand(
        "flavor-example-preemption-over-borrowing",
        borrow=nxt,
        preempt=nxt,
        preference="PreemptionOverBorrowing",
    )
    yield spot_or_demand(
        "flavor-example-borrowing-over-preemption",
        borrow=nxt,
        preempt=nxt,
        preference="BorrowingOverPreemption",
    )
    yield spot_or_demand("flavor-example-borrow-tries-next", borrow=nxt)

    s = Story(
        "flavor-order-is-preference",
        "fungibility",
        A,
        B,
        C,
        queue("q", group("gpu", {"b": 2, "a": 3, "c": 9})),
    )
    yield s.submit("w1", "q", 2).submit("w2", "q", 3).submit("w3", "q", 1).finish("w1").submit("w4", "q", 2)

    s = Story(
        "flavor-one-for-all-resources-of-a-group",
        "fungibility resources",
        A,
        B,
        queue("q", group(["cpu", "gpu"], {"a": [8, 1], "b": [2, 4]})),
    )
    yield (
        s.submit("w1", "q", {"cpu": 1, "gpu": 2})
        .submit("w2", "q", {"cpu": 4})
        .submit("w3", "q", {"cpu": 2, "gpu": 2})
        .submit("w4", "q", {"cpu": 1, "gpu": 1})
    )

    s = Story(
        "flavor-groups-choose-independently",
        "fungibility resources",
        A,
        B,
        C,
        flavor("d"),
        queue("q", group("cpu", {"a": 2, "b": 8}), group("gpu", {"c": 1, "d": 4})),
    )
    yield (
        s.submit("w1", "q", {"cpu": 2, "gpu": 1})
        .submit("w2", "q", {"cpu": 1, "gpu": 2})
        .submit("w3", "q", {"cpu": 1})
        .submit("w4", "q", {"gpu": 3})
    )

    s = Story(
        "flavor-podsets-choose-independently",
        "fungibility podsets",
        A,
        B,
        queue("q", group("gpu", {"a": 3, "b": 8})),
    )
    s.submit("w1", "q", [podset("head", 1, {"gpu": 2}), podset("tail", 2, {"gpu": 2})])
    yield s.submit("w2", "q", [podset("head", 1, {"gpu": 1}), podset("tail", 4, {"gpu": 1})]).submit(
        "w3", "q", [podset("head", 1, {"gpu": 1}), podset("tail", 4, {"gpu": 1})]
    )

    s = Story(
        "flavor-taint-and-tolerations",
        "taints",
        flavor("a", taints=["gpu=yes:NoSchedule"]),
        flavor("b", taints=["x=y:PreferNoSchedule"]),
        flavor("c", taints=["k=v:NoExecute"], tolerations=[{"key": "k", "operator": "Exists"}]),
        queue("q", group("gpu", {"a": 4, "b": 2, "c": 2})),
    )
    tolerate = [{"key": "gpu", "operator": "Equal", "value": "yes", "effect": "NoSchedule"}]
    wrong = [{"key": "gpu", "operator": "Equal", "value": "no"}]
    yield (
        s.submit("w1", "q", 2)
        .submit("w2", "q", 2)
        .submit("w3", "q", 1)
        .submit("w4", "q", 1, tolerations=tolerate)
        .submit("w5", "q", 1, tolerations=wrong)
    )

    s = Story(
        "flavor-selector-by-own-label-keys",
        "selectors",
        flavor("a", {"pool": "a"}),
        flavor("b", {"pool": "b", "zone": "z1"}),
        flavor("c"),
        queue("q", group("gpu", {"a": 2, "b": 2, "c": 2})),
    )
    s.submit("w1", "q", 1, selector={"pool": "b"}).submit("w2", "q", 1, selector={"zone": "z1"}).submit(
        "w3", "q", 1, selector={"zone": "z2", "pool": "b"}
    )
    yield (
        s.submit("w4", "q", 1, selector={"pool": "nowhere"})
        .submit("w5", "q", 1, selector={"other": "x"})
        .submit("w6", "q", 1, selector={"pool": "nowhere"})
    )

    s = Story(
        "flavor-affinity-terms",
        "selectors",
        flavor("a", {"pool": "a"}),
        flavor("b", {"pool": "b"}),
        queue("q", group("gpu", {"a": 3, "b": 3})),
    )
    yield (
        s.submit("w1", "q", 1, affinity=affinity("pool", "b", "c"))
        .submit("w2", "q", 1, affinity=affinity("pool", "c"))
        .submit("w3", "q", 1, affinity=affinity("zone", "z"))
    )

    s = Story("flavor-uncovered-resource", "missing", A, queue("q", group("gpu", {"a": 4})))
    yield (
        s.submit("w1", "q", {"gpu": 1, "cpu": 1})
        .submit("w2", "q", {"gpu": 1, "cpu": 0})
        .submit("w3", "q", {"disk": 1})
        .edit("ClusterQueue", "q", resourceGroups=[group(["gpu", "cpu"], {"a": [4, 4]})])
    )

    s = Story("flavor-missing-object", "missing", A, queue("q", group("gpu", {"a": 1, "ghost": 4})))
    yield s.submit("w1", "q", 2).apply(flavor("ghost")).submit("w2", "q", 1)

    s = Story(
        "flavor-resume-index",
        "fungibility borrowing",
        A,
        B,
        C,
        cohort("co", "", group("gpu", {"a": 4, "b": 4, "c": 4})),
        queue(
            "q",
            group("gpu", {"a": 2, "b": 2, "c": 2}),
            cohort="co",
            within="LowerPriority",
            flavorFungibility=fungible(borrow=nxt),
        ),
    )
    yield (
        s.submit("w1", "q", 3)
        .submit("w2", "q", 3)
        .submit("w3", "q", 3)
        .submit("w4", "q", 3, priority=5)
        .finish("w1")
        .submit("w5", "q", 5)
    )

    s = Story(
        "flavor-no-candidates-ranks-below-borrowing",
        "fungibility borrowing preemption",
        A,
        B,
        cohort("co", "", group("gpu", {"b": 4})),
        queue(
            "q",
            group("gpu", {"a": 2, "b": 2}),
            cohort="co",
            within="LowerPriority",
            flavorFungibility=fungible(borrow=nxt, preempt=nxt, preference="PreemptionOverBorrowing"),
        ),
    )
    yield s.submit("w1", "q", 2, 10).submit("w2", "q", 2, 10).submit("w3", "q", 2, 5).submit("w4", "q", 2, 20)

    s = Story(
        "flavor-reclaim-beats-preempt",
        "fungibility reclaim preemption",
        A,
        B,
        queue("q", group("gpu", {"a": 2, "b": 2}), cohort="co", reclaim="Any", within="LowerPriority"),
        queue("p", group("gpu", {"a": 0, "b": 0}), cohort="co"),
    )
    yield s.submit("own", "q", 2).submit("other", "p", 2).submit("w", "q", 2, 10).submit("x", "q", 2, 20)

    s = Story(
        "flavor-stop-at-borrow",
        "fungibility borrowing",
        A,
        B,
        cohort("co", "", group("gpu", {"a": 4})),
        queue("q", group("gpu", {"a": 1, "b": 3}), cohort="co"),
    )
    yield s.submit("w1", "q", 2).submit("w2", "q", 2).submit("w3", "q", 2)

    s = Story(
        "flavor-try-next-instead-of-borrow",
        "fungibility borrowing",
        A,
        B,
        cohort("co", "", group("gpu", {"a": 4})),
        queue("q", group("gpu", {"a": 1, "b": 3}), cohort="co", flavorFungibility=fungible(borrow=nxt)),
    )
    yield s.submit("w1", "q", 2).submit("w2", "q", 2).submit("w3", "q", 2)

    s = Story(
        "flavor-lower-height-borrows-first",
        "fungibility borrowing hierarchy",
        A,
        B,
        cohort("root", "", group("gpu", {"a": 6})),
        cohort("left", "root", group("gpu", {"b": 3})),
        queue(
            "q",
            group("gpu", {"a": 1, "b": 1}),
            cohort="left",
            flavorFungibility=fungible(borrow=nxt, preempt=nxt),
        ),
        queue("p", group("gpu", {"a": 1, "b": 0}), cohort="root"),
    )
    yield s.submit("w1", "q", 2).submit("w2", "q", 2).submit("w3", "q", 2).submit("w4", "p", 3)
