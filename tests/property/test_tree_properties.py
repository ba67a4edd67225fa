"""Random trees: conservation, monotonicity, and a brute-force oracle written straight from the definitions."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from kohort.objects.kube import KubeObject, Typed
from kohort.objects.kueue import read_cluster_queue, read_cohort
from kohort.semantics import QuotaTree, Usage

PAIR = ("f", "r")


def _object(kind, name, parent_field, parent, quota):
    nominal, borrow, lend = quota
    entry = {"name": "r", "nominalQuota": nominal}
    if parent and borrow is not None:
        entry["borrowingLimit"] = borrow
    if parent and lend is not None:
        entry["lendingLimit"] = lend
    groups = [{"coveredResources": ["r"], "flavors": [{"name": "f", "resources": [entry]}]}]
    spec = {"resourceGroups": groups} | ({parent_field: parent} if parent else {})
    api = "kueue.x-k8s.io/v1beta2"
    data = {"apiVersion": api, "kind": kind, "metadata": {"name": name}, "spec": spec}
    return KubeObject(api, kind, name, "", data, Typed("t.yaml"))


limit = st.none() | st.integers(0, 12)
quota = st.tuples(st.integers(0, 12), limit, limit)


@st.composite
def trees(draw):
    """(QuotaTree, {key: (parent key or None, nominal, borrow, lend)}); keys are unique over queues and cohorts."""
    cohorts, queues, plain = {}, {}, {}
    for i in range(draw(st.integers(1, 5))):
        parent = f"c{draw(st.integers(0, i - 1))}" if i and draw(st.integers(0, 3)) else ""
        nominal, borrow, lend = draw(quota)
        plain[f"c{i}"] = (parent or None, nominal, borrow if parent else None, lend if parent else None)
        cohorts[f"c{i}"] = read_cohort(
            _object("Cohort", f"c{i}", "parentName", parent, (nominal, borrow, lend))
        )
    for i in range(draw(st.integers(1, 6))):
        parent = f"c{draw(st.integers(0, len(cohorts) - 1))}"
        values = draw(quota)
        plain[f"q{i}"] = (parent, *values)
        queues[f"q{i}"] = read_cluster_queue(_object("ClusterQueue", f"q{i}", "cohortName", parent, values))
    return QuotaTree.of(queues, cohorts), plain


class Oracle:
    """The definitions as recursive functions over plain tuples."""

    def __init__(self, plain, use):
        self.plain, self.use = plain, use

    def children(self, key):
        return [k for k, (parent, *_) in self.plain.items() if parent == key]

    def sub(self, key):
        return self.plain[key][1] + sum(self.sub(c) - self.local(c) for c in self.children(key))

    def local(self, key):
        lend = self.plain[key][3]
        return 0 if lend is None else max(0, self.sub(key) - lend)

    def u(self, key):
        if key.startswith("q"):
            return self.use.get(key, 0)
        return sum(max(0, self.u(c) - self.local(c)) for c in self.children(key))

    def avail(self, key):
        parent, _, borrow, _ = self.plain[key]
        if parent is None:
            return self.sub(key) - self.u(key)
        above = self.avail(parent)
        if borrow is not None:
            above = min(
                above, self.sub(key) - self.local(key) - max(0, self.u(key) - self.local(key)) + borrow
            )
        return max(0, self.local(key) - self.u(key)) + above

    def pot(self, key):
        parent, _, borrow, _ = self.plain[key]
        if parent is None:
            return self.sub(key)
        reach = self.local(key) + self.pot(parent)
        return reach if borrow is None else min(reach, self.sub(key) + borrow)


def _nodes(tree):
    return {**tree.cohorts, **tree.queues}


reservations = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 15)), max_size=8)


def _apply(tree, steps):
    usage, use = Usage(), {}
    for which, units in steps:
        name = f"q{which % len(tree.queues)}"
        usage.add(tree.queues[name], PAIR, units)
        use[name] = use.get(name, 0) + units
    return usage, use


@given(trees(), reservations)
@settings(max_examples=150, deadline=None)
def test_agrees_with_the_definitions(built, steps):
    tree, plain = built
    usage, use = _apply(tree, steps)
    oracle = Oracle(plain, use)
    for key, node in _nodes(tree).items():
        assert node.subtree(PAIR) == oracle.sub(key)
        assert node.local(PAIR) == oracle.local(key)
        assert node.potential(PAIR) == oracle.pot(key)
        assert usage.used(node, PAIR) == oracle.u(key)
        assert usage.available(node, PAIR) == oracle.avail(key)


@given(trees(), reservations)
@settings(max_examples=80, deadline=None)
def test_quota_is_conserved(built, steps):
    """What the roots own plus what nodes keep is what was declared; so is usage."""
    tree, plain = built
    usage, use = _apply(tree, steps)
    kept = sum(node.local(PAIR) for node in _nodes(tree).values() if node.parent is not None)
    assert sum(root.subtree(PAIR) for root in tree.roots) + kept == sum(
        values[1] for values in plain.values()
    )
    inside = sum(
        min(usage.used(n, PAIR), n.local(PAIR)) for n in _nodes(tree).values() if n.parent is not None
    )
    assert sum(usage.used(root, PAIR) for root in tree.roots) + inside == sum(use.values())


@given(trees(), reservations)
@settings(max_examples=80, deadline=None)
def test_removing_everything_in_any_order_leaves_nothing(built, steps):
    tree, _ = built
    usage, use = _apply(tree, steps)
    for name in sorted(use, reverse=True):
        usage.remove(tree.queues[name], PAIR, use[name])
    assert all(usage.used(node, PAIR) == 0 for node in _nodes(tree).values())


@given(trees(), reservations, st.integers(0, 5), st.integers(1, 9))
@settings(max_examples=80, deadline=None)
def test_more_usage_never_leaves_more(built, steps, which, units):
    tree, _ = built
    usage, _ = _apply(tree, steps)
    before = {key: usage.available(node, PAIR) for key, node in _nodes(tree).items()}
    usage.add(tree.queues[f"q{which % len(tree.queues)}"], PAIR, units)
    for key, node in _nodes(tree).items():
        assert usage.available(node, PAIR) <= before[key]
        assert usage.available(node, PAIR) <= node.potential(PAIR)
