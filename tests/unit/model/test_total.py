"""Any value anywhere: loading ends with findings, never with an exception."""

from __future__ import annotations

import copy
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kohort.model.fieldtree import fields_of, item_type, plain_type
from kohort.model.kinds import KINDS, Strict
from kohort.model.load import load

JUNK = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**30), 10**30)
    | st.floats()
    | st.text(max_size=8)
    | st.sampled_from(["any", "8", "a", "{x}"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text(max_size=5) | st.integers() | st.none() | st.booleans(), inner, max_size=3)
    ),
    max_leaves=8,
)


@dataclass
class Document:
    file: str
    index: int
    value: Any


def example(model: type[Strict]) -> dict[str, Any]:
    """A document made of the examples in the models' own descriptions."""
    out = {}
    for name, info in fields_of(model).items():
        bare = plain_type(info.annotation)
        nested = isinstance(bare, type) and issubclass(bare, Strict)
        out[name] = example(bare) if nested and name == "spec" else copy.deepcopy(info.examples[0])
    return out


def paths(value: Any, at: tuple[Any, ...] = ()):
    yield at
    if isinstance(value, dict):
        for key, item in value.items():
            yield from paths(item, (*at, key))
    elif isinstance(value, list):
        for i, item in enumerate(value):
            yield from paths(item, (*at, i))


def put(value: Any, at: tuple[Any, ...], junk: Any) -> Any:
    if not at:
        return junk
    changed = copy.copy(value)
    changed[at[0]] = put(changed[at[0]], at[1:], junk)
    return changed


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(data=st.data())
def test_junk_in_any_field_is_a_finding_or_nothing(kind, data):
    value = example(KINDS[kind])
    at = data.draw(st.sampled_from(sorted(paths(value), key=repr)))
    repo = load([Document("a/b.yaml", 0, put(value, at, data.draw(JUNK)))], {})
    for finding in repo.findings:
        assert finding.message.isprintable()
        assert finding.primary.origin.file == "a/b.yaml"


@given(JUNK)
def test_a_document_of_junk_is_survived(value):
    load([Document("a.yaml", 0, value)], {})


def test_deep_nesting_is_survived():
    body: Any = 1
    for _ in range(5000):
        body = {"a": [body]}
    value = {
        "apiVersion": "kohort.dev/v1alpha1",
        "kind": "WorkloadTemplate",
        "metadata": {"name": "x"},
        "spec": {"description": "d", "body": body},
    }
    load([Document("workloads/templates/x.yaml", 0, value)], {})
    team = {
        "apiVersion": "kohort.dev/v1alpha1",
        "kind": "Team",
        "metadata": {"name": "x"},
        "spec": {"namespaces": body},
    }
    assert load([Document("teams/x/team.yaml", 0, team)], {}).findings


def test_every_field_is_reached():
    count = 0
    for model in KINDS.values():
        spec = plain_type(fields_of(model)["spec"].annotation)
        count += len(fields_of(spec))
        assert item_type(spec) is None
    assert count > 70
