"""What Kueue says of requests outside of their bounds; the sentences are those that a real Kueue wrote (`limits_and_gates`)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kohort.objects.pod_bounds import refusal
from kohort.objects.pod_requests import pod_requests


def pod(requests=None, limits=None, **spec):
    resources = {"requests": requests or {}, **({"limits": limits} if limits else {})}
    return {"spec": {"containers": [{"name": "c", "resources": resources}], **spec}}


def limit_range(kind="Container", **limits):
    return {"kind": "LimitRange", "spec": {"limits": [{"type": kind, **limits}]}}


AT = "spec.podSets[0].template.spec.containers[0]: Invalid value:"
OWN = f'resources validation failed: {AT} ["cpu"]: requests must not exceed its limits'
RANGE = "resources didn't satisfy LimitRange constraints"


@pytest.mark.parametrize(
    ("template", "ranges", "said"),
    [
        (pod({"cpu": "3"}, {"cpu": "2"}), [], OWN),
        (pod({"cpu": "2"}, {"cpu": "2000m"}), [], ""),
        (pod({"cpu": "3"}), [limit_range(max={"cpu": "2"})], OWN),  # a maximum is the default limit too
        (pod({"cpu": "2"}), [limit_range(max={"cpu": "2"})], ""),
        (pod({}), [limit_range(max={"cpu": "2"})], ""),
        (
            pod({"cpu": "3"}, {"cpu": "3"}),
            [limit_range(max={"cpu": "2"})],
            f'{RANGE}: {AT} ["cpu"]: requests must not be above the limitRange max',
        ),
        (
            pod({"cpu": "1"}, {"cpu": "3"}),  # the limit counts as well
            [limit_range(max={"cpu": "2"})],
            f'{RANGE}: {AT} ["cpu"]: requests must not be above the limitRange max',
        ),
        (
            pod({"cpu": "1"}),
            [limit_range(min={"cpu": "2"})],
            f'{RANGE}: {AT} ["cpu"]: requests must not be below the limitRange min',
        ),
        (
            pod({"cpu": "3", "memory": "3"}, {"cpu": "3", "memory": "3"}),
            [limit_range(max={"cpu": "2"}), limit_range(max={"cpu": "4", "memory": "2"})],
            f'{RANGE}: {AT} ["cpu","memory"]: requests must not be above the limitRange max',
        ),
        (
            pod({"cpu": "3"}),
            [limit_range("Pod", max={"cpu": "2"})],
            f'{RANGE}: spec.podSets[0].template.spec: Invalid value: ["cpu"]: requests must not be above the limitRange max',
        ),
        (pod({"cpu": "3"}), [limit_range("PersistentVolumeClaim", max={"cpu": "2"})], ""),
        (pod({"cpu": "many"}, {"cpu": "2"}), [], ""),
    ],
)
def test_one_pod(template, ranges, said):
    assert refusal([template], ranges) == said


def test_several_faults_stand_in_brackets_in_the_order_of_pod_sets():
    bounds = [limit_range(max={"cpu": "2"}, min={"cpu": "1"})]
    found = refusal([pod({"cpu": "500m"}, {"cpu": "1"}), pod({"cpu": "3"}, {"cpu": "3"})], bounds)
    assert found == (
        f'{RANGE}: [spec.podSets[0].template.spec.containers[0]: Invalid value: ["cpu"]: requests must not be below the '
        'limitRange min, spec.podSets[1].template.spec.containers[0]: Invalid value: ["cpu"]: requests must not be above '
        "the limitRange max]"
    )


def test_init_containers_and_whole_pods_have_limits_of_their_own():
    init = {"name": "i", "resources": {"requests": {"cpu": "2"}, "limits": {"cpu": "1"}}}
    whole = {"requests": {"cpu": "2"}, "limits": {"cpu": "1"}}
    assert refusal([pod({"cpu": "1"}, initContainers=[init])], []) == (
        'resources validation failed: spec.podSets[0].template.spec.initContainers[0]: Invalid value: ["cpu"]: requests must '
        "not exceed its limits"
    )
    assert ".resources: Invalid value" in refusal([pod({"cpu": "1"}, resources=whole)], [])


def test_a_runtime_class_adds_its_overhead_unless_the_pod_states_one():
    kata = {"kind": "RuntimeClass", "metadata": {"name": "kata"}, "overhead": {"podFixed": {"cpu": "250m"}}}
    named = pod({"cpu": "1"}, runtimeClassName="kata")
    assert str(pod_requests(named, [kata]).values["cpu"].milli()) == "1250"
    assert pod_requests(named, []).values["cpu"].milli() == 1000
    stated = pod({"cpu": "1"}, runtimeClassName="kata", overhead={"cpu": "1"})
    assert pod_requests(stated, [kata]).values["cpu"].milli() == 2000
    assert pod_requests(pod({"cpu": "1"}, runtimeClassName="gone"), [kata]).values["cpu"].milli() == 1000
    bare = {"kind": "RuntimeClass", "metadata": {"name": "kata"}, "overhead": "odd"}
    assert pod_requests(named, [bare, 7]).values["cpu"].milli() == 1000


_ANY = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["spec", "containers", "resources", "limits", "requests", "cpu", "max", "type"]), inner, max_size=3),
    max_leaves=8,
)  # fmt: skip


@given(_ANY, st.lists(_ANY, max_size=2))
def test_nothing_is_too_strange(template, ranges):
    assert isinstance(refusal([template], ranges), str)
