import pytest
import yaml

SETTINGS = """  scheduling: {scheduler: second, packing: true, gangs: true, permitWaitSeconds: 120}
  kueue: {fairSharing: [LessThanInitialShare], waitForPodsReadySeconds: 600, namespace: kq}
  appwrapper: {retryLimit: 2, userRbacCheck: true, grace: {warmupGracePeriod: 300, admissionGracePeriod: 60}}
  health: {presets: [autopilot]}
  slack:"""


@pytest.fixture
def full(compile_repo):
    return compile_repo(change=("  slack:", SETTINGS))


def config(result, name, namespace):
    data = result.get("ConfigMap", name, namespace).data["data"]
    assert len(data) == 1
    return next(iter(data)), yaml.load(next(iter(data.values())), yaml.CSafeLoader)


def test_kueue_configuration(base):
    key, value = config(base, "kueue-manager-config", "kueue-system")
    assert key == "controller_manager_config.yaml"
    assert value == {
        "apiVersion": "config.kueue.x-k8s.io/v1beta2",
        "kind": "Configuration",
        "namespace": "kueue-system",
        "health": {"healthProbeBindAddress": ":8081"},
        "metrics": {"bindAddress": ":8443", "enableClusterQueueResources": True},
        "webhook": {"port": 9443},
        "leaderElection": {"leaderElect": True, "resourceName": "c1f6bfd2.kueue.x-k8s.io"},
        "manageJobsWithoutQueueName": True,
        "managedJobsNamespaceSelector": {"matchLabels": {"kohort.dev/managed": "true"}},
        "integrations": {"frameworks": ["batch/job", "workload.codeflare.dev/appwrapper"]},
    }


def test_kueue_configuration_with_settings(full):
    _, value = config(full, "kueue-manager-config", "kq")
    assert value["fairSharing"] == {"preemptionStrategies": ["LessThanInitialShare"]}
    assert value["waitForPodsReady"] == {
        "timeout": "600s",
        "recoveryTimeout": "600s",
        "blockAdmission": False,
    }
    assert full.bundle.clusters["lab"].cluster.fair_sharing is True


def test_appwrapper_configuration_counts_in_nanoseconds(full):
    key, value = config(full, "appwrapper-operator-config", "appwrapper-system")
    assert key == "config.yaml"
    wrapper = value["appwrapper"]
    assert wrapper["schedulerName"] == "second"
    assert wrapper["userRBACAdmissionCheck"] is True
    assert wrapper["faultTolerance"] == {
        "admissionGracePeriod": 60_000_000_000,
        "warmupGracePeriod": 300_000_000_000,
        "retryLimit": 2,
    }
    assert "defaultQueueName" not in wrapper
    taints = wrapper["autopilot"]["resourceTaints"]["example.com/gpu"]
    assert {(t["value"], t["effect"]) for t in taints} >= {("TESTING", "NoSchedule"), ("EVICT", "NoExecute")}


def test_a_default_queue_is_the_default_of_appwrappers(compile_repo):
    result = compile_repo(change=("    class: batch", "    class: batch\n    default: true"))
    assert (
        config(result, "appwrapper-operator-config", "appwrapper-system")[1]["appwrapper"]["defaultQueueName"]
        == "default"
    )


def test_scheduler_configuration_only_where_wanted(base, full):
    assert "scheduler-config" not in base.names("ConfigMap")
    _, value = config(full, "scheduler-config", "scheduler-plugins")
    assert value["leaderElection"] == {
        "leaderElect": True, "resourceName": "second", "resourceNamespace": "scheduler-plugins"
    }  # fmt: skip
    (profile,) = value["profiles"]
    assert profile["schedulerName"] == "second"
    assert profile["plugins"]["multiPoint"] == {
        "enabled": [{"name": "Coscheduling"}], "disabled": [{"name": "PrioritySort"}]
    }  # fmt: skip
    assert profile["plugins"]["postFilter"] == {"disabled": [{"name": "DefaultPreemption"}]}
    arguments = {p["name"]: p["args"] for p in profile["pluginConfig"]}
    assert arguments["Coscheduling"] == {"permitWaitingTimeSeconds": 120}
    strategy = arguments["NodeResourcesFit"]["scoringStrategy"]
    assert strategy["type"] == "RequestedToCapacityRatio"
    assert strategy["resources"] == [{"name": "example.com/gpu", "weight": 1}]
    assert [(p["utilization"], p["score"]) for p in strategy["requestedToCapacityRatio"]["shape"]] == [
        (0, 0),
        (100, 10),
    ]


def test_without_appwrapper_nothing_of_it_is_there(compile_repo):
    result = compile_repo(change=(", appwrapper: 1.2.2", ""))
    assert "appwrapper-operator-config" not in result.names("ConfigMap")
    assert result.names("ValidatingAdmissionPolicy") == ["kohort-require-queue-name"]


def test_an_old_kueue_is_a_finding(compile_repo):
    result = compile_repo(change=("kueue: 0.19.1", "kueue: 0.14.8"))
    assert result.codes == ["CMP107"]
    assert result.bundle.findings[0].primary.origin.path == ("spec", "versions", "kueue")
