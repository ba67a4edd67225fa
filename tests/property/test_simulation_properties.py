"""Whatever is submitted, finished and edited: usage adds up, nobody gets what is not there, and the same gives the same."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from kohort.objects.kube import KubeObject, Typed
from kohort.semantics.amount import UNLIMITED
from kohort.semantics.settings import FINAL_SHARE, INITIAL_SHARE, Settings
from kohort.semantics.work import PodSetAsk, Work
from kohort.simulator.events import Event, Happened
from kohort.simulator.machine import Machine

NEVER, LOWER, ANY = "Never", "LowerPriority", "Any"
COHORTS = {"": None, "root": "", "left": "root", "right": "root"}


@dataclass(frozen=True)
class QueuePlan:
    cohort: str
    quotas: tuple[tuple[int, int | None, int | None], ...]  # one for each flavor: nominal, borrowing, lending
    strict: bool
    within: str
    reclaim: str
    while_borrowing: bool


@dataclass(frozen=True)
class Plan:
    queues: tuple[QueuePlan, ...]
    actions: tuple[tuple[str, int, int, int, int], ...]  # what, whom, gpus, pods, priority
    fair: bool


limit = st.one_of(st.none(), st.integers(0, 4))
quota = st.tuples(st.integers(0, 6), limit, limit).map(
    lambda q: (q[0], q[1], None if q[2] is None else min(q[0], q[2]))
)
queue_plans = st.builds(
    QueuePlan,
    st.sampled_from(sorted(COHORTS)),
    st.lists(quota, min_size=1, max_size=2).map(tuple),
    st.booleans(),
    st.sampled_from([NEVER, LOWER, "LowerOrNewerEqualPriority"]),
    st.sampled_from([NEVER, LOWER, ANY]),
    st.booleans(),
)
actions = st.tuples(
    st.sampled_from(["submit", "submit", "submit", "finish", "delete", "deactivate", "activate"]),
    st.integers(0, 9),
    st.integers(1, 4),
    st.integers(1, 3),
    st.integers(0, 2),
)
plans = st.builds(
    Plan,
    st.lists(queue_plans, min_size=1, max_size=4).map(tuple),
    st.lists(actions, min_size=1, max_size=14).map(tuple),
    st.booleans(),
)


def obj(kind: str, name: str, spec: Any, space: str = "") -> KubeObject:
    meta = {"name": name, **({"namespace": space} if space else {})}
    data = {"apiVersion": "kueue.x-k8s.io/v1beta2", "kind": kind, "metadata": meta, "spec": spec}
    return KubeObject(data["apiVersion"], kind, name, space, data, Typed("test"))


def queue_object(name: str, plan: QueuePlan, rename) -> KubeObject:
    flavors = []
    for place, (nominal, borrowing, lending) in enumerate(plan.quotas):
        entry: dict[str, Any] = {"name": "gpu", "nominalQuota": nominal}
        if plan.cohort:
            entry |= {"borrowingLimit": borrowing, "lendingLimit": lending}
        flavors.append({"name": rename(f"f{place}"), "resources": [entry]})
    borrow = {"policy": LOWER} if plan.while_borrowing and plan.reclaim != NEVER else {"policy": NEVER}
    spec = {
        "namespaceSelector": {},
        "queueingStrategy": "StrictFIFO" if plan.strict else "BestEffortFIFO",
        "preemption": {
            "withinClusterQueue": plan.within,
            "reclaimWithinCohort": plan.reclaim,
            "borrowWithinCohort": borrow,
        },
        "resourceGroups": [{"coveredResources": ["gpu"], "flavors": flavors}],
        **({"cohortName": rename(plan.cohort)} if plan.cohort else {}),
    }
    return obj("ClusterQueue", rename(name), spec)


def start(plan: Plan, rename=lambda name: name) -> Machine:
    objects = [obj("ResourceFlavor", rename(f"f{place}"), {}) for place in range(2)]
    for name, parent in COHORTS.items():
        if name:
            objects.append(obj("Cohort", rename(name), {"parentName": rename(parent)} if parent else {}))
    for number, each in enumerate(plan.queues):
        name = f"q{number}"
        objects.append(queue_object(name, each, rename))
        objects.append(obj("LocalQueue", rename(name), {"clusterQueue": rename(name)}, "work"))
    strategies = (FINAL_SHARE, INITIAL_SHARE) if plan.fair else ()
    return Machine.start(objects, settings=replace(Settings(), strategies=strategies))


def play(plan: Plan, rename=lambda name: name, look=lambda _machine, _events: None) -> list[Event]:
    machine = start(plan, rename)
    told: list[Event] = []
    for number, (what, whom, gpus, pods, priority) in enumerate(plan.actions):
        at = number * 10_000
        known = list(machine.world.works)
        key = known[whom % len(known)] if known else ""
        if what == "submit":
            name = rename(f"w{number}")
            ask = PodSetAsk("main", pods, {"gpu": gpus})
            to = rename(f"q{whom % len(plan.queues)}")
            machine.submit(Work(f"work/{name}", to, (ask,), priority=priority, uid=f"{number:04d}"), at)
        elif what == "finish":
            machine.finish(key, at)
        elif what == "delete":
            machine.remove("Workload", *key.partition("/")[::2], at)
        else:
            machine.set_active(key, active=what == "activate", at=at)
        events = machine.settle()
        look(machine, events)
        told += events
    return told


def adds_up(machine: Machine, _: list[Event]) -> None:
    """Usage of a queue is that of its work; usage of a cohort what its children do not keep for themselves."""
    state = machine.world.state
    for queue in state.queues.values():
        for pair, cell in queue.cells.items():
            assert cell.used == sum(work.usage.get(pair, 0) for work in queue.works.values())
    for node in state.ledger.tree.nodes():
        for pair, cell in state.ledger.cells(node).items():
            if not node.is_queue:
                below = [state.ledger.cells(child)[pair] for child in node.children if pair in child.totals]
                assert cell.used == sum(max(0, each.used - each.local) for each in below)
    for work in machine.world.works.values():
        assert bool(work.usage) is (work.assignment is not None)


def within_limits(machine: Machine, _: list[Event]) -> None:
    """No root gives more than it has, and nobody borrows more than it may."""
    state = machine.world.state
    for node in state.ledger.tree.nodes():
        for cell in state.ledger.cells(node).values():
            assert cell.used >= 0
            if cell.parent is None:
                assert cell.used <= cell.subtree
            elif cell.borrowing is not None:
                assert cell.used <= cell.subtree + cell.borrowing
            assert cell.subtree < UNLIMITED


def pending_is_consistent(machine: Machine, _: list[Event]) -> None:
    """What waits is in exactly the queue it belongs to, and holds nothing."""
    world = machine.world
    waiting = {work.key for work in world.works.values() if world.admissible(work)}
    assert waiting == {
        work.key for pending in world.pendings.values() for work in (*pending.active(), *pending.parked())
    }
    assert sum(map(len, world.pendings.values())) == len(waiting)


@settings(max_examples=80, deadline=None)
@given(plans)
def test_usage_adds_up_and_stays_within_limits(plan):
    def look(machine: Machine, events: list[Event]) -> None:
        adds_up(machine, events)
        within_limits(machine, events)
        pending_is_consistent(machine, events)
        assert not machine.settle()

    play(plan, look=look)


@settings(max_examples=40, deadline=None)
@given(plans)
def test_the_same_gives_the_same(plan):
    assert play(plan) == play(plan)


@settings(max_examples=60, deadline=None)
@given(plans)
def test_names_decide_nothing(plan):
    def other(name: str) -> str:
        return f"{'zyxwvutsrqponmlkjihgfedcba'[ord(name[0]) - ord('a')]}-{name}" if name else ""

    renamed = {}

    def rename(name: str) -> str:
        renamed[other(name)] = name
        return other(name)

    def back(event: Event) -> tuple[Any, ...]:
        def bare(key: str) -> str:
            space, slash, name = key.rpartition("/")
            return f"{space}{slash}{renamed.get(name, name)}"

        names = sorted(map(bare, event.names))
        return (
            event.at,
            event.kind,
            bare(event.workload),
            bare(event.queue),
            event.reason,
            bare(event.preemptor),
            names,
        )

    plain = [(*each[:6], sorted(each.names)) for each in play(plan)]
    assert [back(each) for each in play(plan, rename)] == plain


flat = st.builds(
    Plan,
    st.lists(
        st.builds(
            QueuePlan,
            st.just("root"),
            st.tuples(st.tuples(st.integers(0, 6), st.none(), st.none())),
            st.just(False),
            st.just(NEVER),
            st.just(ANY),
            st.just(False),
        ),
        min_size=2,
        max_size=4,
    ).map(tuple),
    st.lists(actions.filter(lambda each: each[0] in ("submit", "finish")), min_size=1, max_size=14).map(
        tuple
    ),
    st.just(False),
)


@settings(max_examples=80, deadline=None)
@given(flat)
def test_guarantees_come_back_where_the_policy_says_so(plan):
    def look(machine: Machine, events: list[Event]) -> None:
        if any(each.kind is Happened.LOOP for each in events):
            return
        for queue in machine.world.state.queues.values():
            cell = queue.cells["f0", "gpu"]
            for work in machine.world.pendings[queue.name].parked():
                asked = sum(ask.count * ask.requests["gpu"] for ask in work.podsets)
                assert asked > cell.nominal - cell.used, f"{work.key} fits the quota of its own queue"

    play(plan, look=look)
