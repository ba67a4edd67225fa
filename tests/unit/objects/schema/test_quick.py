"""The fast path says yes only where the detailed one finds nothing."""

from __future__ import annotations

import copy

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kohort.objects.schema import kinds, served, table_for
from kohort.objects.schema.embedded import check_embedded
from kohort.objects.schema.quick import certainly_right
from kohort.objects.schema.report import visit

scalars = st.sampled_from(
    [
        None,
        True,
        0,
        1,
        -1,
        1.0,
        1.5,
        2**31,
        10**20,
        "",
        "a",
        "A",
        "a\n",
        "1Gi",
        "1e1.5",
        " 5",
        "e3",
        "Never",
        "x" * 254,
        "2026-01-31T08:00:00Z",
        "2026-01-31t08:00:00z",
        "é" * 60,
    ]
)
junk = st.recursive(
    scalars,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["a", "name", "x/y"]), inner, max_size=3)
    ),
    max_leaves=4,
)


def values(node, depth=0):
    """Values near what a node allows: mostly of the right shape, with junk strewn in."""
    if node.type == "object":
        fields = {
            name: values(sub, depth + 1)
            for name, sub in node.fields.items()
            if depth < 6 or name in node.required
        }
        shaped = st.fixed_dictionaries({}, optional=fields) if fields else st.just({})
        if node.entries is not None:
            shaped = st.dictionaries(
                st.sampled_from(["a", "b", "c"]),
                st.deferred(lambda: values(node.entries, depth + 1)),
                max_size=3,
            )
    elif node.type == "array":
        shaped = st.lists(values(node.items, depth + 1), max_size=2)
    elif node.type == "string":
        shaped = st.sampled_from(node.enum or ("a", "a.b", "2026-01-31T08:00:00Z"))
    elif node.type == "integer":
        shaped = st.integers(-2, 5)
    elif node.type == "boolean":
        shaped = st.booleans()
    else:
        shaped = st.sampled_from([1, "1", "500m"])
    return st.one_of(shaped, shaped, shaped, shaped, junk)


@pytest.mark.parametrize("kind", [kind for kind in kinds("0.19") if kind not in ("AppWrapper", "Workload")])
def test_fast_and_detailed_agree(kind):
    for api in served(kind, "0.19"):
        agree(table_for(f"kueue.x-k8s.io/{api}", kind, "0.19"))


def agree(table):
    @settings(max_examples=60, deadline=None, derandomize=True)
    @given(values(table))
    def on(value):
        before = copy.deepcopy(value)
        found = []
        visit(value, table, (), found, check_embedded)
        if certainly_right(value, table):
            assert found == []
        assert value == before

    on()


def test_ordinary_objects_take_the_fast_path(queue):
    assert certainly_right(queue, table_for(queue["apiVersion"], queue["kind"], "0.19.1"))


def test_unhashable_values_are_looked_at_in_detail(queue):
    table = table_for(queue["apiVersion"], queue["kind"], "0.19.1")
    queue["spec"]["stopPolicy"] = []
    assert not certainly_right(queue, table)
    queue["spec"]["stopPolicy"] = "None"
    queue["spec"]["resourceGroups"][0]["flavors"][0]["resources"][0]["name"] = {}
    assert not certainly_right(queue, table)
