"""Random clusters with work, as plain values: deep and flat trees, limits, overcommitted queues, every policy."""

from __future__ import annotations

from preemption_world import World, assignment, plain_cohort, plain_queue

from kohort.semantics.assignment import Assignment
from kohort.semantics.settings import FINAL_SHARE, INITIAL_SHARE
from kohort.semantics.work import Work

GPU, MEMORY = "example.com/gpu", "memory"
STRATEGIES = ((), (), (FINAL_SHARE, INITIAL_SHARE), (FINAL_SHARE,), (INITIAL_SHARE,))
POLICIES = ("Never", "LowerPriority", "LowerOrNewerEqualPriority", "Any", "Any")


def scenario(rng, *, ties=False):
    """A tree of up to 5 cohorts and 6 queues, up to 14 works, 3 that ask. `ties` makes equal shares frequent."""
    cohorts = [f"c{n}" for n in range(rng.randint(0, 5))]
    parents = {name: rng.choice(["", *cohorts[:place]]) for place, name in enumerate(cohorts)}
    if cohorts and rng.random() < 0.8:
        parents = {name: parent or cohorts[0] for name, parent in parents.items()} | {cohorts[0]: ""}
    flavors = ["f0", "f1"][: rng.choice((1, 1, 2))]
    resources = [GPU, MEMORY][: rng.choice((1, 1, 2))]
    queues = [_queue(rng, f"q{n}", cohorts, flavors, resources, ties) for n in range(rng.randint(1, 6))]
    return {
        "strategies": list(rng.choice(STRATEGIES[2:] if ties else STRATEGIES)),
        "gateOff": rng.random() < 0.3,
        "cohorts": [_cohort(rng, name, parents[name], flavors, resources, ties) for name in cohorts],
        "queues": queues,
        "works": [_work(rng, f"w{n}", queues, n, ties) for n in range(rng.randint(1, 14))],
        "asks": [_ask(rng, queues) for _ in range(3)],
    }


def _quotas(rng, flavors, resources, *, nominal, limits):
    return [
        {
            "flavor": flavor,
            "resource": resource,
            "nominal": rng.choice(nominal),
            "borrow": rng.randint(0, 6) if limits and rng.random() < 0.25 else None,
            "lend": rng.randint(0, 6) if limits and rng.random() < 0.3 else None,
        }
        for flavor in flavors
        for resource in resources
    ]


def _cohort(rng, name, parent, flavors, resources, ties):
    owns = rng.random() < 0.4
    nominal = (4, 8) if ties else range(7)
    return {
        "name": name,
        "parent": parent,
        "quotas": _quotas(rng, flavors, resources, nominal=nominal, limits=bool(parent) and not ties)
        if owns
        else [],
        "weight": None if ties else _weight(rng),
    }


def _queue(rng, name, cohorts, flavors, resources, ties):
    parent = rng.choice(cohorts) if cohorts and rng.random() < 0.95 else ""
    mine = rng.sample(flavors, rng.randint(1, len(flavors)))
    covered = resources[: rng.randint(1, len(resources))]
    nominal = (0, 0, 4) if ties else (0, 0, 1, 2, 3, 4, 6, 9)
    borrow_on = rng.random() < 0.4
    return {
        "name": name,
        "parent": parent,
        "quotas": _quotas(rng, mine, covered, nominal=nominal, limits=bool(parent) and not ties),
        "within": rng.choice(POLICIES),
        "reclaim": rng.choice(POLICIES),
        "borrowOn": borrow_on,
        "borrow": rng.choice((None, 0, 1)) if borrow_on else None,
        "weight": None if ties else _weight(rng),
    }


def _weight(rng):
    return rng.choice((None, None, "0", "0.5", "1", "2", "3"))


def _usage(rng, queue, sizes):
    pairs = [(quota["flavor"], quota["resource"]) for quota in queue["quotas"]]
    flavor = rng.choice(pairs)[0]
    covered = sorted({resource for _, resource in pairs})
    chosen = rng.sample(covered, rng.randint(1, len(covered)))
    return [{"flavor": flavor, "resource": each, "units": rng.choice(sizes)} for each in chosen]


def _work(rng, name, queues, place, ties):
    queue = rng.choice(queues)
    going = rng.random() < 0.1
    return {
        "name": name,
        "queue": queue["name"],
        "usage": _usage(rng, queue, (2, 4) if ties else (1, 1, 2, 2, 3, 5)),
        "priority": rng.randint(-1, 2),
        "created": rng.randint(0, 9),
        "reserved": 100 + (place if rng.random() < 0.8 else 0),
        "evicting": rng.choice(("Preempted", "PodsReadyTimeout", "AdmissionCheck")) if going else "",
        "evicted": 200 + place,
    }


def _ask(rng, queues):
    queue = rng.choice(queues)
    usage = _usage(rng, queue, (1, 2, 2, 3, 4, 6))
    needed = rng.sample(range(len(usage)), rng.randint(1, len(usage)))
    return {
        "queue": queue["name"],
        "usage": [each | {"needed": place in needed} for place, each in enumerate(usage)],
        "priority": rng.randint(-1, 3),
        "created": rng.randint(0, 9),
    }


def build(values) -> World:
    """The world of a scenario. UIDs are the names, so nothing but the order of cohorts is left to chance."""
    world = World(
        *(plain_cohort(each) for each in values["cohorts"]),
        *(plain_queue(each) for each in values["queues"]),
        strategies=tuple(values["strategies"]),
        switches={"FairSharingPreemptWithinNominal": not values["gateOff"]},
    )
    for each in values["works"]:
        world.reserve(each)
    return world


def asked(values, place) -> tuple[Work, str, Assignment]:
    """Who asks, in which queue, with what assignment."""
    ask = values["asks"][place]
    usage = {(each["flavor"], each["resource"]): each["units"] for each in ask["usage"]}
    needed = {(each["flavor"], each["resource"]) for each in ask["usage"] if each["needed"]}
    work = World.ask(priority=ask["priority"], created=ask["created"])
    return work, ask["queue"], assignment(usage, needed)
