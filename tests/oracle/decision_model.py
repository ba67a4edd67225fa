"""What our model decides in a scenario, in the words of `decisions/main.go`."""

from __future__ import annotations

from datetime import UTC, datetime

from kohort.objects.kube import KubeObject, Typed
from kohort.objects.kueue import read_cluster_queue, read_cohort, read_flavor
from kohort.objects.quantity import Quantity
from kohort.semantics.amount import kueue_request
from kohort.semantics.asks import work_of
from kohort.semantics.assignment import Assignment, FlavorChoice, Mode, PodSetChoice
from kohort.semantics.cycle.nominate import best
from kohort.semantics.flavors.message import message
from kohort.semantics.settings import Settings
from kohort.semantics.sharing.drs import share
from kohort.semantics.state import State
from kohort.semantics.work import Eviction

_MODES = {Mode.NO_FIT: "NoFit", Mode.FIT: "Fit"}


def decide(scenario):
    state = world(scenario)
    cells = [cell for node in state.ledger.tree.nodes() for cell in state.ledger.cells(node).values()]
    before = [cell.used for cell in cells]
    queue = state.queues[scenario["queue"]]
    work = work_of(scenario["pending"], state.settings)
    work.created = work.order_time = _moment(scenario["pending"]["metadata"]["creationTimestamp"])
    for podset, indexes in zip(work.podsets, scenario["tried"], strict=False):
        work.tried |= {(podset.name, resource): index for resource, index in indexes.items()}
    assignment, victims = best(work, queue, state, explain=False)
    assert [cell.used for cell in cells] == before, "deciding changed the state"
    return _quotas(state) | {
        "mode": _mode(assignment.mode),
        "borrow": assignment.borrow,
        "message": message(assignment),
        "usage": {"|".join(pair): units for pair, units in assignment.usage.items()},
        "podsets": [_podset(each) for each in assignment.podsets],
        "victims": [{"name": each.work.name, "reason": each.reason} for each in victims],
    }


def world(scenario):
    state = State(Settings(strategies=tuple(scenario["strategies"])))
    for table, kind, read in (
        (state.flavors, "flavors", read_flavor),
        (state.cohorts, "cohorts", read_cohort),
        (state.specs, "queues", read_cluster_queue),
    ):
        table.update({each["metadata"]["name"]: read(_object(each)) for each in scenario[kind]})
    state.rebuild()
    for each in scenario["admitted"]:
        _admit(state, each)
    state.now = 100_000
    return state


def _admit(state, obj):
    work = work_of(obj, state.settings)
    work.created = work.order_time = _moment(obj["metadata"]["creationTimestamp"])
    admission = obj["status"]["admission"]
    (given,) = admission["podSetAssignments"]
    requests = {r: kueue_request(Quantity.parse(amount), r) for r, amount in given["resourceUsage"].items()}
    flavors = {r: FlavorChoice(flavor, Mode.FIT, 0, -1) for r, flavor in given["flavors"].items()}
    usage = {(choice.flavor, r): requests[r] for r, choice in flavors.items()}
    conditions = {each["type"]: _moment(each["lastTransitionTime"]) for each in obj["status"]["conditions"]}
    state.now = conditions["QuotaReserved"]
    assignment = Assignment(Mode.FIT, 0, (PodSetChoice("main", 1, flavors, requests),), usage)
    state.reserve(work, state.queues[admission["clusterQueue"]], assignment)
    if "Evicted" in conditions:
        work.eviction = Eviction("Preempted", conditions["Evicted"])


def _quotas(state):
    names = {**state.ledger.tree.cohorts, **state.ledger.tree.queues}
    keys = {name: share(state.ledger, node).key for name, node in names.items()}
    return {
        "available": _cells(state, lambda cell: cell.room()),
        "potential": _cells(state, lambda cell: cell.potential),
        "shares": {name: -1 if above else value for name, (above, value) in keys.items()},
    }


def _cells(state, value):
    return {
        name: {"|".join(pair): value(cell) for pair, cell in queue.cells.items()}
        for name, queue in state.queues.items()
    }


def _podset(each):
    flavors = {
        resource: {"flavor": choice.flavor, "mode": _mode(choice.mode), "tried": choice.tried_index}
        for resource, choice in each.flavors.items()
    }
    return {"name": each.name, "count": each.count, "flavors": flavors}


def _mode(mode):
    return _MODES.get(mode, "Preempt")


def _object(data):
    return KubeObject(
        data["apiVersion"], data["kind"], data["metadata"]["name"], "", data, Typed("scenario.yaml")
    )


def _moment(text):
    read = datetime.strptime(text, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC)
    return int((read - datetime(2026, 1, 1, tzinfo=UTC)).total_seconds()) * 1000
