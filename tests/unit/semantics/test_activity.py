"""Reasons and messages of Active=False that only the admission checks of other controllers bring about."""

from __future__ import annotations

from kohort.objects.kube import KubeObject, Typed
from kohort.objects.kueue import read_cluster_queue, read_flavor, read_local_queue
from kohort.semantics.activity import (
    MULTIKUEUE,
    PROVISIONING,
    Activity,
    Check,
    local_queue_activity,
    queue_activity,
)
from kohort.semantics.settings import Settings


def obj(kind, spec, name="q"):
    data = {"apiVersion": "kueue.x-k8s.io/v1beta2", "kind": kind, "metadata": {"name": name}, "spec": spec}
    return KubeObject(data["apiVersion"], kind, name, "", data, Typed("t.yaml"))


def spec(*rules, flavors=("f", "g")):
    group = {
        "coveredResources": ["gpu"],
        "flavors": [{"name": name, "resources": [{"name": "gpu", "nominalQuota": 1}]} for name in flavors],
    }
    checks = [{"name": name, **({"onFlavors": on} if on else {})} for name, on in rules]
    wanted = {"admissionChecksStrategy": {"admissionChecks": checks}} if checks else {}
    return read_cluster_queue(obj("ClusterQueue", {"resourceGroups": [group], **wanted}))


FLAVORS = {name: read_flavor(obj("ResourceFlavor", {}, name)) for name in "fg"}
CHECKS = {
    "multi": Check(MULTIKUEUE, active=True),
    "multi2": Check(MULTIKUEUE, active=True),
    "provision": Check(PROVISIONING, active=True),
    "own": Check("example.com/c", active=True),
    "idle": Check("example.com/c", active=False),
}


def said(queue, **fields):
    return queue_activity(queue, FLAVORS, CHECKS, {}, Settings(), **fields)


def test_a_complete_queue_is_active():
    assert said(spec(("own", []), ("multi", []))) == Activity()


def test_a_queue_that_is_deleted():
    assert said(spec(), terminating=True) == (
        "Terminating",
        "Can't admit new workloads; clusterQueue is terminating",
    )


def test_checks_of_multikueue_have_rules_of_their_own():
    assert said(spec(("multi", []), ("multi2", [])))[0] == "MultipleMultiKueueAdmissionChecks"
    assert said(spec(("multi", ["f"]))) == (
        "MultiKueueAdmissionCheckAppliedPerFlavor",
        "Can't admit new workloads: Cannot specify MultiKueue AdmissionCheck per flavor, found: multi.",
    )
    assert said(spec(("multi", ["f", "g"]))) == Activity()
    assert said(spec(("multi", []), ("provision", []))) == (
        "MultiKueueWithProvisioningRequest",
        (
            "Can't admit new workloads: Cannot use both MultiKueue and ProvisioningRequest AdmissionChecks together, "
            "found: multi, provision."
        ),
    )


def test_missing_before_idle_and_both_in_one_message():
    assert said(spec(("idle", []), ("lost", []), flavors=("f", "nowhere"))) == (
        "FlavorNotFound",
        (
            "Can't admit new workloads: references missing ResourceFlavor(s): nowhere, references missing "
            "AdmissionCheck(s): lost, references inactive AdmissionCheck(s): idle."
        ),
    )


def test_topologies_count_only_where_they_are_placed_here():
    flavors = {"f": read_flavor(obj("ResourceFlavor", {"topologyName": "rack"}, "f")), "g": FLAVORS["g"]}
    found = queue_activity(spec(), flavors, CHECKS, {}, Settings())
    assert found == (
        "TopologyNotFound",
        'Can\'t admit new workloads: there is no Topology "rack" for TAS flavor "f".',
    )
    assert queue_activity(spec(), flavors, CHECKS, {"rack": ("node",)}, Settings()) == Activity()
    assert queue_activity(spec(("multi", [])), flavors, CHECKS, {}, Settings()) == Activity()


def test_a_local_queue_follows_its_queue():
    local = read_local_queue(obj("LocalQueue", {"clusterQueue": "q"}))
    stopped = read_local_queue(obj("LocalQueue", {"clusterQueue": "q", "stopPolicy": "Hold"}))
    idle = "Can't submit new workloads to clusterQueue"
    assert local_queue_activity(local, Activity()) == Activity()
    assert local_queue_activity(local, Activity("Stopped", "x")) == ("ClusterQueueIsInactive", idle)
    assert local_queue_activity(local, None) == ("ClusterQueueDoesNotExist", idle)
    assert local_queue_activity(stopped, None) == ("Stopped", "LocalQueue is stopped")
