"""Amounts of a cluster counted beside another side of it are those that it has alone, whatever differs between the two."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from hypothesis import given, settings
from hypothesis import strategies as st

from kohort.objects.cluster import Cluster
from kohort.objects.kube import KubeObject, Typed
from kohort.planner.effects.alike import flavors_alike
from kohort.planner.effects.amounts import amounts

FLAVORS = ("h100", "l40s", "cpu")
RESOURCES = ("cpu", "nvidia.com/gpu")
KUEUE = "kueue.x-k8s.io/v1beta2"


@dataclass(frozen=True)
class Holder:
    """A queue or cohort: quota as (flavor, resource) → (nominal, borrowing, lending)."""

    parent: str = ""
    quota: dict = field(default_factory=dict)
    weight: str = "1"
    stop: str = "None"
    team: str = "blue"
    reclaim: str = "Any"


limit = st.none() | st.integers(0, 9)
entry = st.tuples(st.integers(0, 9), limit, limit)


@st.composite
def holders(draw):
    """A tree of three cohorts with up to five queues."""
    found = {}
    for number in range(3):
        parent = f"cohort{draw(st.integers(0, number - 1))}" if number and draw(st.booleans()) else ""
        quota = {(f, r): draw(entry) for f in FLAVORS for r in RESOURCES} if draw(st.booleans()) else {}
        found[f"cohort{number}"] = Holder(parent, quota)
    for number in range(draw(st.integers(1, 5))):
        some = draw(st.lists(st.sampled_from(FLAVORS), min_size=1, max_size=3, unique=True))
        quota = {(f, r): draw(entry) for f in some for r in RESOURCES}
        found[f"queue{number}"] = Holder(draw(st.sampled_from(["", "cohort0", "cohort1", "cohort2"])), quota)
    return found


@st.composite
def edited(draw, before):
    """The same with a few edits, most of them of one flavor's quota."""
    after = dict(before)
    for _ in range(draw(st.integers(1, 3))):
        name = draw(st.sampled_from(sorted(after)))
        one = after[name]
        what = draw(
            st.sampled_from(["quota", "quota", "quota", "weight", "stop", "team", "reclaim", "gone", "moved"])
        )
        if what == "quota" and one.quota:
            pair = draw(st.sampled_from(sorted(one.quota)))
            after[name] = replace(one, quota={**one.quota, pair: draw(entry)})
        elif what == "weight":
            after[name] = replace(one, weight=draw(st.sampled_from(["0", "500m", "3"])))
        elif what == "stop":
            after[name] = replace(one, stop="Hold")
        elif what == "team":
            after[name] = replace(one, team=draw(st.sampled_from(["red", ""])))
        elif what == "reclaim":
            after[name] = replace(one, reclaim="Never")
        elif what == "gone" and name.startswith("queue") and len(after) > 4:
            del after[name]
        elif what == "moved" and name.startswith("queue"):
            after[name] = replace(one, parent=draw(st.sampled_from(["", "cohort0", "cohort2"])))
    return after


def _object(name, holder):
    queue = name.startswith("queue")
    kind, above = ("ClusterQueue", "cohortName") if queue else ("Cohort", "parentName")
    flavors = [
        {
            "name": flavor,
            "resources": [
                _amount(r, *holder.quota[flavor, r], within=bool(holder.parent)) for r in RESOURCES
            ],
        }
        for flavor in dict.fromkeys(flavor for flavor, _ in holder.quota)
    ]
    spec = {"fairSharing": {"weight": holder.weight}}
    if flavors:
        spec["resourceGroups"] = [{"coveredResources": list(RESOURCES), "flavors": flavors}]
    if holder.parent:
        spec[above] = holder.parent
    if queue:
        spec |= {"stopPolicy": holder.stop, "preemption": {"reclaimWithinCohort": holder.reclaim}}
    labels = {"kohort.dev/team": holder.team} if holder.team else {}
    data = {"apiVersion": KUEUE, "kind": kind, "metadata": {"name": name, "labels": labels}, "spec": spec}
    return KubeObject(KUEUE, kind, name, "", data, Typed(f"{name}.yaml"))


def _amount(resource, nominal, borrowing, lending, within):
    limits = {"borrowingLimit": borrowing, "lendingLimit": lending} if within else {}
    return {"name": resource, "nominalQuota": nominal} | {k: v for k, v in limits.items() if v is not None}


def _cluster(holders, fair, slack):
    objects = [_object(name, holder) for name, holder in holders.items()]
    objects += [
        KubeObject(
            KUEUE, "ResourceFlavor", name, "", {"metadata": {"name": name}, "spec": {}}, Typed("f.yaml")
        )
        for name in FLAVORS
    ]
    return Cluster(objects, name="pokprod", fair_sharing=fair, slack_queues=frozenset(slack))


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_beside_another_side_is_as_alone(data):
    before = data.draw(holders())
    after = data.draw(edited(before))
    slack = data.draw(st.sampled_from([(), ("queue0",)]))
    fair = data.draw(st.sampled_from([(True, True), (False, False), (False, True)]))
    base, head = _cluster(before, fair[0], slack), _cluster(after, fair[1], slack)
    alone = amounts(_cluster(after, fair[1], slack))
    beside = amounts(head, base)
    assert beside.rows == alone.rows
    assert beside.teams == alone.teams
    assert beside.quota.quotas.keys() == alone.quota.quotas.keys()
    # what is taken over is left as it was
    assert amounts(base).rows == amounts(_cluster(before, fair[0], slack)).rows


def test_only_the_flavor_that_changes_is_counted_again():
    queue = Holder("cohort0", {(f, r): (4, None, None) for f in FLAVORS for r in RESOURCES})
    before = {"cohort0": Holder(), "queue0": queue, "queue1": queue}
    more = replace(queue, quota={**queue.quota, ("h100", "nvidia.com/gpu"): (5, None, None)})
    base, head = _cluster(before, True, ()), _cluster({**before, "queue1": more}, True, ())
    assert flavors_alike(base, head) == {"l40s", "cpu"}
    known, found = amounts(base).quota.rows, amounts(head, base).quota.rows
    shared = {row[2] for row, units in found.items() if units is known.get(row)}
    assert shared == {"l40s", "cpu"}
    row = ("queue", "queue1", "h100", "nvidia.com/gpu")
    assert [sorted(units.values()) for units in (known[row], found[row])] == [[4, 4, 4, 4], [4, 5, 5, 5]]


def test_nothing_is_taken_from_trees_that_differ():
    queue = Holder("cohort0", {(f, r): (4, None, None) for f in FLAVORS for r in RESOURCES})
    before = {"cohort0": Holder(), "cohort1": Holder(), "queue0": queue, "queue1": queue}
    base = _cluster(before, True, ())
    for edit in (
        {"queue1": replace(queue, parent="cohort1")},
        {"queue1": replace(queue, weight="2")},
        {"queue1": replace(queue, stop="Hold")},
        {"queue1": replace(queue, team="red")},
        {"cohort0": Holder("cohort1")},
        {"queue2": queue},
    ):
        assert flavors_alike(base, _cluster({**before, **edit}, True, ())) == frozenset(), edit
    assert flavors_alike(base, _cluster(before, False, ())) == frozenset()
    assert flavors_alike(base, _cluster(before, True, ("queue0",))) == frozenset()
