"""Every name that scenarios could share gets the prefix, and texts of the server lose it again."""

from kohort.lab.recording.objects import (
    HOSTNAME,
    check,
    cohort,
    flavor,
    group,
    limit_range,
    local_queue,
    namespace,
    node,
    podset,
    queue,
    runtime_class,
    topology,
    workload,
)
from kohort.lab.recording.prefix import bare, prefixed


def test_names_and_references():
    made = prefixed(
        queue(
            "q", group("gpu", {"f": (1, 2, None)}), cohort="c", checks=[{"name": "ok", "onFlavors": ["f"]}]
        ),
        "s001-",
    )
    spec = made["spec"]
    assert made["metadata"]["name"] == "s001-q"
    assert spec["cohortName"] == "s001-c"
    assert spec["resourceGroups"][0]["flavors"][0]["name"] == "s001-f"
    assert spec["admissionChecksStrategy"]["admissionChecks"] == [
        {"name": "s001-ok", "onFlavors": ["s001-f"]}
    ]
    assert spec["resourceGroups"][0]["coveredResources"] == ["gpu"]
    assert prefixed(cohort("c", "p"), "s001-")["spec"]["parentName"] == "s001-p"
    assert prefixed(check("ok"), "s001-")["metadata"]["name"] == "s001-ok"
    assert prefixed(namespace("work", team="yes"), "s001-")["metadata"] == {
        "name": "s001-work",
        "labels": {"team": "yes"},
    }


def test_names_inside_a_namespace_stay():
    made = prefixed(local_queue("l", "q"), "s001-")
    assert made["metadata"] == {"name": "l", "namespace": "s001-work"}
    assert made["spec"]["clusterQueue"] == "s001-q"
    work = prefixed(workload("w", "l", podset("main", 1, {"gpu": 1}), cls="high"), "s001-")
    assert (work["metadata"]["name"], work["metadata"]["namespace"]) == ("w", "s001-work")
    assert work["spec"]["queueName"] == "l"
    assert work["spec"]["priorityClassRef"]["name"] == "s001-high"


def test_the_given_object_stays_as_it_is():
    given = flavor("f", {"pool": "a"})
    prefixed(given, "s001-")
    assert given["metadata"]["name"] == "f"


def test_texts():
    assert (
        bare("quota for gpu in flavor s001-f, 1 more needed", "s001-")
        == "quota for gpu in flavor f, 1 more needed"
    )


def test_nodes_and_flavors_with_a_topology_are_parted_by_pool_and_host():
    made = prefixed(
        node("a0", {"gpu": 2}, {"pool": "p", "rack": "a"}, taints=["spot=true:NoSchedule"]), "s001-"
    )
    assert made["metadata"] == {
        "name": "s001-a0",
        "labels": {HOSTNAME: "s001-a0", "pool": "s001-p", "rack": "a"},
    }
    assert made["spec"] == {"taints": [{"key": "spot", "value": "true", "effect": "NoSchedule"}]}
    assert made["status"]["allocatable"] == {"pods": "110", "gpu": "2"}
    placed = prefixed(flavor("f", {"pool": "p"}, topology="t"), "s001-")
    assert placed["spec"] == {"topologyName": "s001-t", "nodeLabels": {"pool": "s001-p"}}
    assert prefixed(flavor("f", {"pool": "p"}), "s001-")["spec"] == {"nodeLabels": {"pool": "p"}}
    assert prefixed(topology("t", "rack", HOSTNAME), "s001-") == {
        "apiVersion": "kueue.x-k8s.io/v1beta2",
        "kind": "Topology",
        "metadata": {"name": "s001-t"},
        "spec": {"levels": [{"nodeLabel": "rack"}, {"nodeLabel": HOSTNAME}]},
    }


def test_what_adjusts_pods_and_holds_them_back():
    ranges = prefixed(limit_range("l", max={"cpu": 2}), "s001-")
    assert ranges["metadata"] == {"name": "l", "namespace": "s001-work"}
    assert ranges["spec"] == {"limits": [{"type": "Container", "max": {"cpu": "2"}}]}
    assert prefixed(runtime_class("kata", {"cpu": 1}), "s001-")["metadata"]["name"] == "s001-kata"
    pods = podset(
        "main", 1, {"cpu": 1}, limits={"cpu": 2}, runtime_class="kata", topology={"required": "rack"}
    )
    made = prefixed(workload("w", "q", pods, gates="a/x"), "s001-")
    (asked,) = made["spec"]["podSets"]
    assert asked["template"]["spec"]["runtimeClassName"] == "s001-kata"
    assert asked["template"]["spec"]["containers"][0]["resources"] == {
        "requests": {"cpu": "1"},
        "limits": {"cpu": "2"},
    }
    assert asked["topologyRequest"] == {"required": "rack"}
    assert made["metadata"]["annotations"] == {"kueue.x-k8s.io/admission-gated-by": "a/x"}
    assert pods["template"]["spec"]["runtimeClassName"] == "kata"  # what was given is left as it is
