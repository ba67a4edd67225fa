"""The dominant resource share: exact numbers, ties, weights of 0 and fractions, and what a real Kueue shows as status."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kohort.objects.kube import KubeObject, Typed
from kohort.objects.kueue import read_cluster_queue, read_cohort
from kohort.semantics.ledger import Ledger
from kohort.semantics.sharing.drs import Share, fair_weight, lendable, share
from kohort.semantics.tree import QuotaTree

LARGEST = 2**63 - 1


def made(kind, name, spec, weight, quotas):
    """quotas: {flavor: {resource: nominal or (nominal, lending)}}; one resource group per set of resources."""
    groups = {}
    for flavor, amounts in quotas.items():
        entry = {"name": flavor, "resources": [quota(r, amount) for r, amount in amounts.items()]}
        groups.setdefault(tuple(amounts), []).append(entry)
    spec = spec | {
        "resourceGroups": [
            {"coveredResources": list(covers), "flavors": flavors} for covers, flavors in groups.items()
        ]
    }
    if weight is not None:
        spec["fairSharing"] = {"weight": weight}
    data = {"apiVersion": "kueue.x-k8s.io/v1beta2", "kind": kind, "metadata": {"name": name}, "spec": spec}
    return KubeObject(data["apiVersion"], kind, name, "", data, Typed("t.yaml"))


def quota(resource, amount):
    nominal, lending = amount if isinstance(amount, tuple) else (amount, None)
    return {"name": resource, "nominalQuota": nominal} | (
        {} if lending is None else {"lendingLimit": lending}
    )


def queue(name, cohort="", weight=None, **quotas):
    return read_cluster_queue(
        made("ClusterQueue", name, {"cohortName": cohort} if cohort else {}, weight, quotas)
    )


def cohort(name, parent="", weight=None, **quotas):
    return read_cohort(made("Cohort", name, {"parentName": parent} if parent else {}, weight, quotas))


class Loaded:
    """A tree with usage: {queue: {(flavor, resource): units}}."""

    def __init__(self, *members, used):
        queues = {m.name: m for m in members if m.obj.kind == "ClusterQueue"}
        cohorts = {m.name: m for m in members if m.obj.kind == "Cohort"}
        self.tree = QuotaTree.of(queues, cohorts)
        self.ledger = Ledger(self.tree)
        for name, pairs in used.items():
            for pair, units in pairs.items():
                self.ledger.cells(self.tree.queues[name])[pair].add(units)

    def __call__(self, name, extra=None) -> Share:
        node = self.tree.queues.get(name) or self.tree.cohorts[name]
        return share(self.ledger, node, extra)


GPU = ("f", "gpu")


def flat(weight=None):
    """The example of the reference: Pot(root) = 20; a and b own 10 each, c nothing."""
    return Loaded(
        queue("a", "o", f={"gpu": 10}), queue("b", "o", f={"gpu": 10}), queue("c", "o", weight, f={"gpu": 0}),
        used={"a": {GPU: 10}, "b": {GPU: 4}, "c": {GPU: 6}},
    )  # fmt: skip


def test_the_reference_example_in_numbers():
    shares = flat(2)
    assert [(shares(n).ratio, shares(n).weighted) for n in "abc"] == [(0, 0), (0, 0), (300, 150)]
    assert shares("a", {GPU: 4}).weighted == 200
    shares.ledger.cells(shares.tree.queues["c"])[GPU].remove(2)
    assert shares("c").weighted == 100
    assert shares("a", {GPU: 4}).key > shares("c").key  # final share: 200 ≤ 100 fails
    assert flat(2)("a", {GPU: 4}).key > flat(2)("c").key  # initial share: 200 < 150 fails


def test_the_same_with_weight_one_lets_the_work_preempt():
    shares = flat()
    assert shares("c").weighted == 300
    shares.ledger.cells(shares.tree.queues["c"])[GPU].remove(2)
    assert shares("c").weighted == 200
    assert shares("a", {GPU: 4}).key <= shares("c").key


def test_roots_and_queues_alone_have_no_share():
    shares = Loaded(
        queue("alone", f={"gpu": 1}), queue("a", "o", f={"gpu": 1}), used={"alone": {GPU: 9}, "a": {GPU: 9}}
    )
    assert [shares(n).key for n in ("alone", "o")] == [(0, 0.0)] * 2
    assert not shares("alone").borrowing


def test_flavors_of_a_resource_add_up_and_what_is_free_in_one_does_not_help_another():
    shares = Loaded(
        queue("a", "o", f={"gpu": 4}, g={"gpu": 4}), queue("b", "o", f={"gpu": 6}, g={"gpu": 6}),
        used={"a": {("f", "gpu"): 7, ("g", "gpu"): 0}},
    )  # fmt: skip
    assert (shares("a").ratio, shares("a").borrowed) == (3 * 1000 / 20, (("f", "gpu"),))
    assert shares("a", {("g", "gpu"): 6}).ratio == (3 + 2) * 1000 / 20


def test_the_largest_ratio_dominates_and_ties_go_by_the_alphabet():
    shares = Loaded(
        queue("a", "o", f={"memory": 0, "cpu": 0}), queue("b", "o", f={"memory": 10, "cpu": 20}),
        used={"a": {("f", "memory"): 3, ("f", "cpu"): 4}},
    )  # fmt: skip
    assert (shares("a").resource, shares("a").ratio) == ("memory", 300)
    assert shares("a", {("f", "cpu"): 7000}).resource == "cpu"
    tied = Loaded(
        queue("a", "o", f={"memory": 0, "gpu": 0}), queue("b", "o", f={"memory": 10, "gpu": 20}),
        used={"a": {("f", "memory"): 3, ("f", "gpu"): 6}},
    )  # fmt: skip
    assert (tied("a").resource, tied("a").ratio) == ("gpu", 300)


def test_borrowing_what_the_cohort_could_never_give_is_a_share_of_zero():
    shares = Loaded(queue("a", "o", f={"gpu": 0}), queue("b", "o", f={"gpu": (5, 0)}), used={"a": {GPU: 3}})
    assert (shares("a").ratio, shares("a").borrowing, shares("a").weighted) == (0, True, 0)


@pytest.mark.parametrize(
    ("weight", "weighted", "key"),
    [
        (None, 300, (0, 300.0)),
        ("1", 300, (0, 300.0)),
        ("500m", 600, (0, 600.0)),
        ("3", 100, (0, 100.0)),
        ("7", 43, (0, 300 / 7)),  # 42.86 rounded up
        ("0", LARGEST, (1, 300.0)),
    ],
)
def test_weights_divide(weight, weighted, key):
    shares = flat(weight)
    assert (shares("c").weighted, shares("c").key) == (weighted, key)


def test_weight_zero_stands_above_everybody_while_it_borrows_and_among_its_like_by_ratio():
    members = [
        queue(n, "o", w, f={"gpu": 100 if n == "d" else 0})
        for n, w in (("a", "0"), ("b", "0"), ("c", "1n"), ("d", "0"))
    ]
    shares = Loaded(*members, used={"a": {GPU: 1}, "b": {GPU: 2}, "c": {GPU: 50}})
    assert sorted("abcd", key=lambda n: shares(n).key) == ["d", "c", "a", "b"]
    assert shares("d").weighted == 0  # nothing borrowed


def test_a_cohort_has_a_share_of_its_own_weight_by_what_its_members_do_not_keep():
    shares = Loaded(
        cohort("o"), cohort("left", "o", 2),
        queue("a", "left", f={"gpu": (10, 4)}), queue("b", "left", f={"gpu": 0}), queue("c", "o", f={"gpu": 20}),
        used={"a": {GPU: 8}, "b": {GPU: 9}},
    )  # fmt: skip
    # left: Sub 4; U = (8 − 6) + 9 = 11; over by 7 of the 24 that the root could ever have; weight 2.
    assert shares("left").ratio == pytest.approx(7 * 1000 / 24)
    assert shares("left").key == (0, 7 * 1000 / 24 / 2)
    assert shares("b").ratio == 9 * 1000 / 24  # Pot(left) is that of its parent: nothing caps it


def test_what_can_be_lent_is_capped_by_the_parents_borrowing_limit():
    limited = [{"name": "gpu", "nominalQuota": 2, "borrowingLimit": 3}]
    groups = [{"coveredResources": ["gpu"], "flavors": [{"name": "f", "resources": limited}]}]
    spec = {"parentName": "o", "resourceGroups": groups}
    left = read_cohort(
        KubeObject("kueue.x-k8s.io/v1beta2", "Cohort", "left", "", {"spec": spec}, Typed("t.yaml"))
    )
    shares = Loaded(
        cohort("o"),
        left,
        queue("a", "left", f={"gpu": 0}),
        queue("b", "o", f={"gpu": 50}),
        used={"a": {GPU: 1}},
    )
    assert lendable(shares.ledger, shares.tree.cohorts["left"]) == {"gpu": 5}
    assert shares("a").ratio == 200


def test_an_implicit_cohort_weighs_one():
    shares = flat()
    assert fair_weight(shares.tree.cohorts["o"]) == 1.0


@given(st.lists(st.integers(0, 30), min_size=3, max_size=3), st.integers(0, 30))
def test_more_usage_never_lowers_a_share_and_extra_is_usage(used, extra):
    shares = Loaded(
        queue("a", "o", f={"gpu": 10}), queue("b", "o", f={"gpu": 10}), queue("c", "o", 2, f={"gpu": 1}),
        used={name: {GPU: units} for name, units in zip("abc", used, strict=True)},
    )  # fmt: skip
    with_extra = shares("c", {GPU: extra})
    assert with_extra.key >= shares("c").key
    shares.ledger.cells(shares.tree.queues["c"])[GPU].add(extra)
    assert shares("c") == with_extra
