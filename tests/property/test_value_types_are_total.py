"""Readers of workloads, selectors and names answer for any value, and never raise."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kohort.objects import names
from kohort.objects.durations import DurationError, format_duration, parse_duration
from kohort.objects.kueue.flavor import Taint
from kohort.objects.lookalikes import skeleton, visible
from kohort.objects.podset_kinds import KINDS
from kohort.objects.podsets import PodSets, pod_requests, podsets
from kohort.objects.selectors import (
    matches,
    matches_node,
    reduce_to_keys,
    tolerates,
    untolerated,
    validate_selector,
)

WORDS = """
spec template metadata containers initContainers resources requests limits cpu memory overhead replicas parallelism
completions replicatedJobs name components podSets path template.spec.template headGroupSpec workerGroupSpecs rayClusterSpec
Worker Master pytorchReplicaSpecs leaderWorkerTemplate size count key operator values In Exists effect matchLabels
matchExpressions nodeAffinity nodeSelector nodeSelectorTerms requiredDuringSchedulingIgnoredDuringExecution Always
""".split()  # noqa: SIM905 - forty quoted words would hide the list
LEAVES = (
    st.none() | st.booleans() | st.integers() | st.floats() | st.sampled_from(WORDS) | st.text(max_size=6)
)
JSON = st.recursive(
    LEAVES,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(WORDS) | st.text(max_size=3), inner, max_size=4)
    ),
    max_leaves=20,
)
KIND = st.sampled_from([*KINDS, ("workload.codeflare.dev", "AppWrapper"), ("", "Unknown")])


@given(KIND, JSON, JSON)
@settings(max_examples=300)
def test_podsets_of_anything(kind, spec, metadata):
    group, name = kind
    answer = podsets(
        {"apiVersion": f"{group}/v1" if group else "v1", "kind": name, "spec": spec, "metadata": metadata}
    )
    assert isinstance(answer, PodSets)
    assert answer.found or answer.reasons or answer.inferable
    for podset in answer.found:
        assert podset.count >= 0
        assert isinstance(pod_requests(podset.template).values, dict)


@given(JSON, st.lists(JSON, max_size=2))
def test_requests_of_anything(template, limit_ranges):
    found = pod_requests(template, limit_ranges)
    assert all(reason for _, reason in found.problems)
    assert pod_requests({"spec": template}, limit_ranges) == pod_requests({"spec": template}, limit_ranges)


@given(JSON, st.dictionaries(st.sampled_from(WORDS), st.text(max_size=3), max_size=3))
def test_selectors_of_anything(value, labels):
    assert matches(value, labels) in (True, False)
    assert matches_node(value, labels) in (True, False)
    assert matches_node({"affinity": value, "nodeSelector": value}, labels) in (True, False)
    assert reduce_to_keys(value, labels) is None or isinstance(reduce_to_keys(value, labels), tuple)
    assert all(isinstance(path, tuple) and message for path, message in validate_selector(value))


@given(
    st.dictionaries(st.sampled_from(["a", "b"]), st.sampled_from(["1", "2"]), max_size=2),
    st.lists(st.sampled_from(["1", "2"]), min_size=1, max_size=2),
)
def test_opposite_operators_disagree(labels, values):
    def one(operator, values=()):
        return matches(
            {"matchExpressions": [{"key": "a", "operator": operator, "values": list(values)}]}, labels
        )

    assert one("In", values) is not one("NotIn", values)
    assert one("Exists") is not one("DoesNotExist")
    assert one("Exists") is ("a" in labels)


@given(st.lists(JSON, max_size=3))
def test_tolerations_of_anything(tolerations):
    taint = Taint("key", "In", "NoSchedule")
    assert untolerated([taint], tolerations) == ([] if tolerates(tolerations, taint) else [taint])


@given(st.text(max_size=80))
def test_names_of_anything(text):
    for judge in (
        names.dns_label,
        names.dns_subdomain,
        names.rfc1035_label,
        names.label_key,
        names.label_value,
        names.container_resource_name,
    ):
        reason = judge(text)
        assert reason is None or reason.isprintable()
        assert reason is not None or text.isascii()
    assert visible(text).isprintable()
    assert skeleton(skeleton(text)) == skeleton(text)
    # Every label is a subdomain, and a Service's name is a label.
    assert names.dns_label(text) is not None or names.dns_subdomain(text) is None
    assert names.rfc1035_label(text) is not None or names.dns_label(text) is None


@given(st.integers(-(2**63), 2**63 - 1))
def test_durations_read_back(nanoseconds):
    assert parse_duration(format_duration(nanoseconds)) == nanoseconds


@given(JSON | st.text(alphabet="0123456789.hmsnu+-dµ", max_size=20))
def test_durations_of_anything(value):
    if isinstance(value, str):
        assert readable(value)
        return
    with pytest.raises(DurationError, match="a duration is a text"):
        parse_duration(value)


def readable(text: str) -> bool:
    """Whether the text is a duration within 64 bits, or is refused with a reason that is safe to print."""
    try:
        return abs(parse_duration(text)) <= 2**63
    except DurationError as error:
        return error.reason.isprintable()
