"""Snapshots that contradict themselves or are cut: remarks with their numbers, a usable rest, and never an exception."""

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kohort.live.remark import Kind
from kohort.live.snapshot import take
from kohort.semantics.work import Phase
from kohort.why.answer import Verdict
from kohort.why.examine import examine

GPU = "nvidia.com/gpu"
V2 = "kueue.x-k8s.io/v1beta2"


def obj(kind, name, spec=None, namespace="", status=None, **metadata):
    made = {"apiVersion": V2, "kind": kind, "metadata": {"name": name, **metadata}}
    if namespace:
        made["metadata"]["namespace"] = namespace
    if spec is not None:
        made["spec"] = spec
    if status is not None:
        made["status"] = status
    return made


def queue(name, nominal=8):
    resources = [{"name": GPU, "nominalQuota": str(nominal)}]
    group = {"coveredResources": [GPU], "flavors": [{"name": "h100", "resources": resources}]}
    return obj(
        "ClusterQueue", name, {"namespaceSelector": {}, "cohortName": "all", "resourceGroups": [group]}
    )


def job(name, gpus=1, **status):
    container = {"name": "m", "resources": {"requests": {GPU: str(gpus)}}}
    template = {"spec": {"containers": [container]}}
    spec = {"queueName": "main", "podSets": [{"name": "main", "count": 1, "template": template}]}
    return obj("Workload", name, spec, "blue", status)


def admission(usage, queue_name="blue", flavor="h100", **more):
    assigned = {
        "name": "main",
        "count": 1,
        "flavors": dict.fromkeys(usage, flavor),
        "resourceUsage": usage,
        **more,
    }
    return {"clusterQueue": queue_name, "podSetAssignments": [assigned]}


def true(kind):
    return {"type": kind, "status": "True", "reason": kind, "lastTransitionTime": "2026-11-30T08:00:00Z"}


BASE = [
    obj("ResourceFlavor", "h100", {}),
    queue("blue"),
    obj("LocalQueue", "main", {"clusterQueue": "blue"}, "blue"),
]


def read(*objects, data=None):
    text = data if data is not None else json.dumps({"kind": "List", "items": [*BASE, *objects]}).encode()
    return take([("now.json", text)], lambda step: None, kueue="0.19.1")


def told(snapshot):
    return [(remark.kind, remark.message) for remark in snapshot.remarks.found]


def used(snapshot, name="blue"):
    return snapshot.state.queues[name].cells["h100", GPU].used


RESERVED = [true("QuotaReserved"), true("Admitted")]


def test_negative_usage_counts_as_nothing():
    snapshot = read(job("a", admission=admission({GPU: "-4"}), conditions=RESERVED))
    assert told(snapshot) == [
        (Kind.NEGATIVE, "Workload blue/a: its usage of nvidia.com/gpu is -4, below 0; counted as 0")
    ]
    assert used(snapshot) == 0


def test_usage_that_is_no_amount_counts_as_nothing():
    snapshot = read(job("a", admission=admission({GPU: "many"}), conditions=RESERVED))
    assert (
        told(snapshot)[0][1]
        == "Workload blue/a: its usage of nvidia.com/gpu is many, no amount; counted as 0"
    )


def test_an_admission_to_a_queue_that_is_gone_counts_nowhere():
    snapshot = read(job("a", admission=admission({GPU: "4"}, "gone"), conditions=RESERVED))
    assert told(snapshot) == [
        (
            Kind.NO_QUEUE,
            "Workload blue/a is admitted to ClusterQueue gone, which is not in the snapshot: it counts nowhere",
        )
    ]
    assert examine(snapshot, snapshot.works["blue/a"].work).remarks == tuple(snapshot.remarks.found)


@pytest.mark.parametrize(
    ("flavor", "kind", "words"),
    [
        ("gone", Kind.NO_FLAVOR, "there is no such flavor"),
        ("spare", Kind.NO_QUOTA, "the queue has no quota of it"),
    ],
)
def test_usage_without_quota_counts_in_the_cohort_only(flavor, kind, words):
    spare = obj("ResourceFlavor", "spare", {})
    snapshot = read(spare, job("a", admission=admission({GPU: "4"}, flavor=flavor), conditions=RESERVED))
    ((found, message),) = told(snapshot)
    assert found is kind
    assert message == (
        f"Workload blue/a uses nvidia.com/gpu of flavor {flavor} in ClusterQueue blue, and {words}: it counts in its cohort only"
    )
    assert used(snapshot) == 0


def test_an_admission_without_reservation_waits_as_kueue_sees_it():
    snapshot = read(job("a", admission=admission({GPU: "4"}), conditions=[]))
    assert told(snapshot)[0] == (
        Kind.HALF_DONE,
        "Workload blue/a states an admission, but QuotaReserved is not True: counted as waiting, as Kueue does",
    )
    assert snapshot.works["blue/a"].work.phase is Phase.PENDING
    assert used(snapshot) == 0


def test_a_reservation_without_admission_is_told():
    snapshot = read(job("a", conditions=RESERVED))
    assert told(snapshot)[0][0] is Kind.HALF_DONE
    assert snapshot.waiting["blue"] == [snapshot.works["blue/a"].work]


def test_pods_that_ended_early_give_their_part_back():
    done = job(
        "a",
        admission=admission({GPU: "8"}, count=4),
        conditions=RESERVED,
        reclaimablePods=[{"name": "main", "count": 1}],
    )
    done["spec"]["podSets"][0]["count"] = 4
    assert used(read(done)) == 6
    # admitted with 2 of 4 pods: three are left to come, which is more than it was given
    done["status"]["admission"] = admission({GPU: "4"}, count=2)
    assert used(read(done)) == 4


def test_more_used_than_there_is_lowers_everyone():
    running = [job(f"a{i}", admission=admission({GPU: "4"}), conditions=RESERVED) for i in range(3)]
    snapshot = read(queue("red", 2), *running)
    assert used(snapshot) == 12
    assert snapshot.state.queues["red"].cells["h100", GPU].available() == -2


def test_one_object_twice_counts_once():
    snapshot = read(queue("blue", 99), job("a"), job("a"))
    assert told(snapshot) == [
        (Kind.TWICE, "ClusterQueue blue is in the snapshot twice: the first one counts"),
        (Kind.TWICE, "Workload blue/a is in the snapshot twice: the first one counts"),
    ]
    assert snapshot.state.queues["blue"].cells["h100", GPU].nominal == 8


def test_of_many_like_remarks_the_first_are_kept_and_the_rest_counted():
    snapshot = read(*[job(f"a{i}", conditions=RESERVED) for i in range(50)])
    assert len(snapshot.remarks.found) == 20
    assert snapshot.remarks.more == {Kind.HALF_DONE: 30}


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", None),
        (b"{", "now.json"),
        (b"[1, 2]", "1 is no Kubernetes object"),
        (b'{"kind": "List", "items": [{"kind": 3}]}', "a document without kind and metadata"),
        (b'{"kind": "List", "items": 3}', "now.json: List has items that are no list: nothing of it was read"),
        (b'{"kind": "PodList"}', "now.json: PodList has no items: nothing of it was read"),
        (b'{"kind": "List", "items": null}', None),
        (b'{"kind": "List", "items": [\n{"kind": "Node", "metadata": {"na', "now.json:2: the quote opened here is never closed"),
        (b"\xff\xfe\x00", "now.json"),
        (b"kind: List\nitems:\n- kind: Workload\n  metadata: {name: a}\n  apiVersion: kueue.x-k8s.io/v1beta2\n", "without name or namespace (a)"),
        (b"{{ .Values.x }}", "now.json"),
    ],
)  # fmt: skip
def test_files_that_are_no_snapshot(data, words):
    found = [message for _, message in told(read(data=data))]
    assert (words is None and not found) or any(words in message for message in found)


def test_deep_nesting_is_refused_and_not_followed():
    assert told(read(data=b"[" * 100_000))


def test_large_lists_in_yaml_are_read_piece_by_piece_with_advice():
    body = "".join(
        f"- apiVersion: {V2}\n  kind: Workload\n  metadata:\n    name: w{i}\n    namespace: blue\n    annotations:\n"
        f"      note: |\n        - not an item\n        {'x' * 900}\n  spec:\n    queueName: main\n    podSets: []\n"
        for i in range(5000)
    )
    steps = []
    data = f'apiVersion: v1\nitems:\n{body}kind: List\nmetadata:\n  resourceVersion: ""\n'.encode()
    snapshot = take([("now.yaml", data)], steps.append, kueue="0.19.1")
    assert len(snapshot.works) == 5000
    assert "reading 5 MiB of YAML: `kubectl get -o json` is read fifty times as fast" in steps


def test_json_and_yaml_read_alike():
    import yaml

    items = {
        "apiVersion": "v1",
        "kind": "List",
        "items": [*BASE, job("a", admission=admission({GPU: "3"}), conditions=RESERVED)],
    }
    one = read(data=json.dumps(items).encode())
    two = read(data=yaml.safe_dump(items).encode())
    assert used(one) == used(two) == 3
    assert one.taken == two.taken == 1_796_025_600_000


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=5) | st.sampled_from(["True", "main", GPU, "blue", "h100"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(
        ["name", "count", "status", "type", "spec", "conditions", "admission", "podSets", "template", "flavors", "resourceUsage",
         "podSetAssignments", "clusterQueue", "admissionChecks", "state", "requeueState", "requeueAt", "evictions", "main"]), inner, max_size=4),
    max_leaves=12,
)  # fmt: skip


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(JUNK, JUNK, JUNK)
def test_no_shape_of_any_field_is_an_exception(spec, status, metadata):
    work = job("a")
    work["status"] = {
        "admission": status,
        "conditions": [*RESERVED, status],
        "reclaimablePods": metadata,
        "admissionChecks": spec,
    }
    odd = {
        "apiVersion": V2,
        "kind": "Workload",
        "metadata": {"namespace": "blue", "name": "b", "annotations": metadata},
        "spec": spec,
        "status": status,
    }
    snapshot = read(
        work, odd, {"kind": "Cohort", "apiVersion": V2, "metadata": {"name": "all"}, "spec": spec}
    )
    for live in snapshot.works.values():
        examine(snapshot, live.work)


def test_a_status_that_tells_other_usage_is_told():
    stated = queue("blue")
    stated["status"] = {"flavorsReservation": [{"name": "h100", "resources": [{"name": GPU, "total": "6"}]}]}
    running = job("a", admission=admission({GPU: "4"}), conditions=RESERVED)
    data = json.dumps({"kind": "List", "items": [BASE[0], stated, BASE[2], running]}).encode()
    assert [message for _, message in told(read(data=data))] == [
        (
            "ClusterQueue blue says that 6 nvidia.com/gpu of flavor h100 are reserved, its workloads use 4: things moved while the "
            "snapshot was taken, or workloads are missing; what they use counts here"
        )
    ]


def test_a_tree_that_uses_more_than_it_holds_is_told():
    running = [job(f"a{i}", admission=admission({GPU: "5"}), conditions=RESERVED) for i in range(2)]
    assert told(read(*running)) == [
        (
            Kind.TOO_MUCH,
            (
                "Cohort all uses 10 nvidia.com/gpu of flavor h100 and holds 8: quota was cut, or taken over; nobody gets more of it "
                "until work ends"
            ),
        )
    ]


def test_cohorts_in_a_ring_are_told():
    ring = [obj("Cohort", "a", {"parentName": "b"}), obj("Cohort", "b", {"parentName": "a"})]
    assert told(read(*ring)) == [
        (Kind.CYCLE, "cohorts form a cycle (a → b → a): no queue below them is scheduled")
    ]


def test_kinds_that_were_left_out_are_taken_to_be_in_order():
    checked = queue("blue")
    checked["spec"]["admissionChecksStrategy"] = {"admissionChecks": [{"name": "nodes"}]}
    data = json.dumps({"kind": "List", "items": [checked, BASE[2], job("a")]}).encode()
    snapshot = read(data=data)
    assert [gap.partition(":")[0] for gap in snapshot.gaps] == [
        "no ResourceFlavor is in the snapshot, so taints and labels of flavors are not judged",
        "no AdmissionCheck is in the snapshot, so checks are taken to be there and active",
    ]
    assert examine(snapshot, snapshot.works["blue/a"].work).verdict.admitted
    assert read(data=b"[]").gaps == (
        "no ClusterQueue is in the snapshot, so nothing can be admitted: add `kubectl get clusterqueues -A -o json`",
    )


def test_a_topology_without_levels_is_no_trap():
    flavor = obj("ResourceFlavor", "h100", {"topologyName": "t", "nodeLabels": {"a": "b"}})
    node = {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": "n", "labels": {"a": "b"}},
        "status": {"allocatable": {GPU: "8"}},
    }
    data = json.dumps(
        {"kind": "List", "items": [flavor, *BASE[1:], node, obj("Topology", "t", {}), job("a")]}
    ).encode()
    snapshot = read(data=data)
    assert snapshot.state.forests == {}
    examine(snapshot, snapshot.works["blue/a"].work)


def test_large_yaml_is_read_in_pieces_whose_remarks_keep_the_lines_of_the_file():
    item = (
        "- apiVersion: v1\n  kind: Namespace\n  metadata:\n    name: n{}\n    annotations:\n      a: "
        + "x" * 2000
        + "\n"
    )
    lines = ["apiVersion: v1\nitems:\n", *(item.format(i) for i in range(2600))]
    wrong = 1900
    lines[wrong + 1] = lines[wrong + 1].replace("  kind", "\tkind")
    snapshot = read(data="".join(lines).encode() + b"kind: List\n")
    kind, message = told(snapshot)[0]
    assert kind is Kind.UNREADABLE
    assert message.startswith(f"now.json:{2 + 6 * wrong + 2}: tab")


def test_a_flavor_whose_quota_cannot_be_read_is_no_trap():
    broken = queue("blue")
    resource = broken["spec"]["resourceGroups"][0]["flavors"][0]["resources"][0]
    resource["borrowingLimit"] = ["a"]
    broken["spec"]["preemption"] = {
        "reclaimWithinCohort": "Any",
        "borrowWithinCohort": {"policy": "LowerPriority"},
    }
    above = obj("Cohort", "all", {"parentName": "root"})
    holder = job("holder", 8, admission=admission({GPU: "8"}, "red"), conditions=RESERVED)
    items = [BASE[0], above, broken, queue("red"), BASE[2], holder, job("a", 4)]
    snapshot = read(data=json.dumps({"kind": "List", "items": items}).encode())
    answer = examine(snapshot, snapshot.works["blue/a"].work)
    assert answer.verdict is Verdict.WAITS
    assert [(look.flavor, look.mode.name) for look in answer.looks] == [("h100", "NO_CANDIDATES")]
