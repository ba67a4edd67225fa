"""Whatever is emitted reads back as the same values, and the order of keys in memory changes no byte."""

import random

import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from kohort.compiler.emit import emit
from kohort.objects.kube import Derived, KubeObject
from kohort.spans import Origin

TEXT = st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=20) | st.sampled_from(
    [
        "on",
        "8",
        "1e3",
        "~",
        "",
        "a: b",
        "x #y",
        "- z",
        "a\nb\n",
        "a\n b",
        " a\n",
        "\n",
        "{}",
        "<<",
        "=",
        "2026-01-01",
    ]
)
SCALAR = st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.floats(allow_nan=False) | TEXT
VALUE = st.recursive(
    SCALAR,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=25,
)
DATA = st.dictionaries(TEXT, VALUE, min_size=1, max_size=5)


def kube(data):
    return KubeObject("v1", "Thing", "x", "", data, Derived({(): (Origin("a.yaml"), "")}))


def shuffled(value, rng):
    if isinstance(value, dict):
        items = [(k, shuffled(v, rng)) for k, v in value.items()]
        rng.shuffle(items)
        return dict(items)
    return [shuffled(v, rng) for v in value] if isinstance(value, list) else value


@settings(max_examples=300, deadline=None)
@given(st.lists(DATA, min_size=1, max_size=3))
def test_reads_back_equal(datas):
    text = emit([kube(d) for d in datas])
    assert list(yaml.load_all(text, yaml.CSafeLoader)) == datas


@settings(max_examples=150, deadline=None)
@given(DATA, st.integers(0, 1000))
def test_order_in_memory_changes_nothing(data, seed):
    assert emit([kube(data)]) == emit([kube(shuffled(data, random.Random(seed)))])
