"""No shape of input makes a rule on references, quota, units or workloads fail: each field is replaced by junk in turn."""

from __future__ import annotations

import copy
import random

import pytest
import yaml

from kohort.objects.cluster import Cluster
from kohort.objects.kube import KubeObject, Typed
from kohort.rules.docs import document
from kohort.rules.references.unchecked import unchecked
from kohort.rules.registry import all_rules

FAMILIES = ("REF", "QTA", "UNT", "WKL")
RULES = [rule for rule in all_rules() if rule.code[:3] in FAMILIES]
JUNK = [
    None,
    True,
    7,
    -1,
    1.5,
    "",
    "x" * 300,
    "\u202e\x1b[31m",
    [],
    {},
    [None],
    [[]],
    {"a": None},
    ["x", 3, {}],
    10**30,
    "1e99",
]


def documents():
    """Every object of every example of these families."""
    found = {}
    for rule in RULES:
        doc = document(rule)
        for text in (doc.bad, doc.good):
            for value in yaml.safe_load_all(text):
                found.setdefault(yaml.safe_dump(value), value)
    return list(found.values())


def paths(value, path=()):
    if isinstance(value, dict):
        for key, child in value.items():
            yield (*path, key)
            yield from paths(child, (*path, key))
    elif isinstance(value, list):
        for index, child in enumerate(value):
            yield (*path, index)
            yield from paths(child, (*path, index))


def spoil(value, path, junk):
    value = copy.deepcopy(value)
    here = value
    for step in path[:-1]:
        here = here[step]
    here[path[-1]] = junk
    return value


def as_object(value, index):
    metadata = value.get("metadata")
    named = metadata if isinstance(metadata, dict) else {}
    name, namespace = (named.get(k) if isinstance(named.get(k), str) else "" for k in ("name", "namespace"))
    return KubeObject(value["apiVersion"], value["kind"], name, namespace, value, Typed("a.yaml", index))


def judge(values, kueue="0.19.1"):
    """Every rule of these families on the objects; returns the codes."""
    cluster = Cluster([as_object(value, index) for index, value in enumerate(values)], kueue=kueue)
    codes = set()
    for rule in RULES:
        if rule.cluster_check is not None:
            codes |= {f.code for f in rule.cluster_check(cluster)}
        for obj in cluster.objects:
            if rule.object_check is not None and obj.kind in rule.kinds:
                codes |= {f.code for f in rule.object_check(obj, cluster)}
    unchecked(cluster)
    return codes


@pytest.mark.parametrize("seed", range(4))
def test_junk_in_any_field_is_survived(seed):
    chance = random.Random(seed)
    values = documents()
    places = [
        (i, path)
        for i, value in enumerate(values)
        for path in paths(value)
        if path not in (("kind",), ("apiVersion",))
    ]
    for i, path in chance.sample(places, 40):
        spoiled = list(values)
        spoiled[i] = spoil(values[i], path, chance.choice(JUNK))
        chance.shuffle(spoiled)
        # a few objects at a time, so that one broken object stays the first of its name
        judge(
            [*chance.sample(spoiled, 25), spoil(values[i], path, chance.choice(JUNK))],
            chance.choice(["0.15.2", "0.17.1", "0.19.1"]),
        )


def test_every_place_with_every_junk_once():
    values = documents()
    chance = random.Random(99)
    for value in values:
        for path in paths(value):
            if path not in (("kind",), ("apiVersion",)):
                spoiled = spoil(value, path, chance.choice(JUNK))
                try:
                    judge([spoiled, *chance.sample(values, 3)])
                except Exception as error:
                    raise AssertionError(f"{path} in {spoiled}") from error


def test_all_examples_together_give_findings():
    assert len(judge(documents())) > 25
