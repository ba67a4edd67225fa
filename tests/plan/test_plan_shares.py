"""Shares when all want all: they add up, keep limits, and never fall below a guarantee."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kohort.objects.cluster import Cluster
from kohort.objects.kube import KubeObject, Typed
from kohort.planner.effects.shares import shares
from kohort.semantics import QuotaTree

PAIR = ("f", "gpu")


def made(kind, name, spec):
    data = {"apiVersion": "kueue.x-k8s.io/v1beta2", "kind": kind, "metadata": {"name": name}, "spec": spec}
    return KubeObject(data["apiVersion"], kind, name, "", data, Typed("f.yaml"))


def quota(nominal, borrow=None, lend=None):
    entry = {"name": "gpu", "nominalQuota": nominal}
    if borrow is not None:
        entry["borrowingLimit"] = borrow
    if lend is not None:
        entry["lendingLimit"] = min(lend, nominal)
    return [{"coveredResources": ["gpu"], "flavors": [{"name": "f", "resources": [entry]}]}]


def shared(queues, pool=0, *, fair=True, slack=()):
    """Shares by queue of one cohort: queues are name → (nominal, borrow, lend, weight)."""
    objects = [made("Cohort", "c", {"resourceGroups": quota(pool)})]
    for name, (nominal, borrow, lend, weight) in queues.items():
        spec = {"cohortName": "c", "resourceGroups": quota(nominal, borrow, lend), "namespaceSelector": {}}
        if weight is not None:
            spec["fairSharing"] = {"weight": str(weight)}
        objects.append(made("ClusterQueue", name, spec))
    cluster = Cluster(objects, fair_sharing=fair, slack_queues=frozenset(slack))
    tree = QuotaTree.of(cluster.queues, cluster.cohorts)
    found = shares(cluster, tree, PAIR)
    return {name: found[node] for name, node in tree.queues.items() if node in found}


def test_a_pool_goes_by_weight():
    assert shared({"a": (2, None, None, 1), "b": (3, None, None, 2)}, pool=9) == {"a": 5, "b": 9}


def test_who_reaches_its_limit_leaves_the_rest():
    assert shared({"a": (2, 1, None, 1), "b": (3, None, None, 1), "c": (0, None, None, 1)}, pool=9) == {
        "a": 3,
        "b": 7,
        "c": 4,
    }


def test_weight_zero_gets_what_nobody_else_can_use():
    assert shared({"a": (0, 2, None, 1), "b": (0, None, None, 0)}, pool=9) == {"a": 2, "b": 7}
    assert shared({"a": (0, None, None, 1), "b": (0, None, None, 0)}, pool=9) == {"a": 9, "b": 0}
    assert shared({"a": (0, None, None, 0), "b": (0, 2, None, 0)}, pool=9) == {"a": 7, "b": 2}


def test_slack_is_shared_out_and_gets_nothing_itself():
    assert shared({"a": (1, None, None, 1), "s": (6, None, None, None)}, slack=["s"]) == {"a": 7}


def test_without_fair_sharing_only_guarantees_are_certain():
    assert shared({"a": (2, None, None, 5), "b": (3, None, None, 1)}, pool=9, fair=False) == {"a": 2, "b": 3}


QUEUE = st.tuples(
    st.integers(0, 20),
    st.none() | st.integers(0, 20),
    st.none() | st.integers(0, 20),
    st.sampled_from([None, 0, 1, 2, 7]),
)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.dictionaries(st.sampled_from("abcdef"), QUEUE, min_size=1), st.integers(0, 30))
def test_shares_add_up_within_limits(queues, pool):
    found = shared(queues, pool)
    total = pool + sum(nominal for nominal, *_ in queues.values())
    assert sum(found.values()) <= total
    for name, (nominal, borrow, *_) in queues.items():
        assert found[name] >= nominal
        if borrow is not None:
            assert found[name] <= nominal + borrow
    if any(borrow is None for _, borrow, *_ in queues.values()):
        # rounded down once per queue; what is kept back by a lending limit is the owner's
        assert sum(found.values()) >= total - len(queues)
