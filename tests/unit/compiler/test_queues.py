import pytest

from kohort.spans import Origin

FILE = "teams/blue/team.yaml"


def resources(obj, flavor):
    for g, group in enumerate(obj.get("spec", "resourceGroups")):
        for f, entry in enumerate(group["flavors"]):
            if entry["name"] == flavor:
                return {r["name"]: r for r in entry["resources"]}, (g, f)
    raise AssertionError(f"no flavor {flavor}")


def test_cluster_queue_states_every_default_and_nothing_of_controllers(base):
    spec = dict(base.get("ClusterQueue", "blue-train").data["spec"])
    spec.pop("resourceGroups")
    assert spec == {
        "cohortName": "leaf",
        "flavorFungibility": {"whenCanBorrow": "MayStopSearch", "whenCanPreempt": "TryNextFlavor"},
        "namespaceSelector": {
            "matchExpressions": [
                {"key": "kubernetes.io/metadata.name", "operator": "In", "values": ["blue", "blue-dev"]}
            ]
        },
        "preemption": {
            "borrowWithinCohort": {"policy": "Never"},
            "reclaimWithinCohort": "Any",
            "withinClusterQueue": "LowerPriority",
        },
        "queueingStrategy": "BestEffortFIFO",
        "stopPolicy": "None",
    }


def test_flavors_that_share_resources_share_a_group_and_lack_reads_zero(base):
    groups = base.get("ClusterQueue", "blue-train").get("spec", "resourceGroups")
    assert len(groups) == 1
    assert groups[0]["coveredResources"] == ["cpu", "example.com/gpu", "memory", "pods"]
    assert [f["name"] for f in groups[0]["flavors"]] == ["big", "cpu"]
    for flavor in groups[0]["flavors"]:
        assert [r["name"] for r in flavor["resources"]] == groups[0]["coveredResources"]
    assert groups[0]["flavors"][1]["resources"][1] == {"name": "example.com/gpu", "nominalQuota": "0"}


def test_flavors_without_a_common_resource_stand_in_groups_of_their_own(compile_repo):
    result = compile_repo(
        change=(
            "metadata: {name: big}\nspec: {",
            "metadata: {name: big}\nspec: {resources: [example.com/gpu], ",
        )
    )
    groups = result.get("ClusterQueue", "blue-train").get("spec", "resourceGroups")
    assert [(g["coveredResources"], [f["name"] for f in g["flavors"]]) for g in groups] == [
        (["example.com/gpu"], ["big"]),
        (["cpu", "memory", "pods"], ["cpu"]),
    ]


def test_numbers_limits_and_their_arithmetic(base):
    queue = base.get("ClusterQueue", "blue-train")
    found, (g, f) = resources(queue, "big")
    # 3 nodes of 100 − 20 cores and 8 GPUs: 8 GPUs come with 80 cores, a limit of 4 with 40.
    assert found["cpu"] == {
        "name": "cpu",
        "nominalQuota": "80",
        "borrowingLimit": "40",
        "lendingLimit": "0",
    }
    assert found["memory"]["nominalQuota"] == "1000Gi"
    assert found["example.com/gpu"]["borrowingLimit"] == "4"
    path = ("spec", "resourceGroups", g, "flavors", f, "resources", 0)
    line = ("spec", "queues", 0, "quota", "lab", 0)
    assert queue.at(*path, "nominalQuota") == Origin(FILE, 0, (*line, "gpus"))
    assert queue.at(*path, "borrowingLimit") == Origin(FILE, 0, (*line, "borrow"))
    assert queue.at(*path, "lendingLimit") == Origin(FILE, 0, (*line, "lend"))
    arithmetic = queue.provenance.arithmetic((*path, "nominalQuota"))
    assert arithmetic == "8 GPUs × (100 − 20 cpu) ÷ 8 GPUs per node = 80"


def test_any_emits_no_limit(base):
    found, _ = resources(base.get("ClusterQueue", "blue-train"), "cpu")
    assert all(set(entry) == {"name", "nominalQuota"} for entry in found.values())


def test_without_a_cohort_neither_limits_nor_cohort_are_emitted(compile_repo):
    result = compile_repo(change=("    cohort: leaf\n", ""))
    queue = result.get("ClusterQueue", "blue-train")
    assert queue.get("spec", "cohortName") is None
    found, _ = resources(queue, "big")
    assert set(found["cpu"]) == {"name", "nominalQuota"}


@pytest.mark.parametrize(
    ("queue", "expected"),
    [("main", "blue"), ("blue", "blue"), ("train", "blue-train"), ("blue-x", "blue-blue-x")],
)
def test_names(compile_repo, queue, expected):
    result = compile_repo(change=("- name: train", f"- name: {queue}"))
    assert expected in result.names("ClusterQueue")
    local = result.get("LocalQueue", queue, "blue-dev")
    assert local.data["spec"] == {"clusterQueue": expected, "stopPolicy": "None"}


def test_the_default_queue_is_named_default_in_its_namespaces_only(compile_repo):
    result = compile_repo(
        change=("    class: batch", "    class: batch\n    default: true\n    namespaces: [blue-dev]")
    )
    assert result.names("LocalQueue") == ["default"]
    assert result.get("LocalQueue", "default", "blue-dev")
    values = result.get("ClusterQueue", "blue-train").get(
        "spec", "namespaceSelector", "matchExpressions", 0, "values"
    )
    assert values == ["blue-dev"]


def test_stop_weight_preference_and_threshold(compile_repo):
    result = compile_repo(
        change=(
            "spec: {preemption: {reclaimWithinCohort: Any, withinClusterQueue: LowerPriority}}",
            (
                "spec: {strategy: StrictFIFO, preemption: {reclaimWithinCohort: Any, borrowWithinCohort: "
                "{policy: LowerPriority, maxPriorityThreshold: 7}}, fungibility: {whenCanBorrow: TryNextFlavor, "
                "preference: PreemptionOverBorrowing}}"
            ),
        ),
        more="",
    )
    spec = result.get("ClusterQueue", "blue-train").data["spec"]
    assert spec["queueingStrategy"] == "StrictFIFO"
    assert spec["preemption"]["borrowWithinCohort"] == {"policy": "LowerPriority", "maxPriorityThreshold": 7}
    assert spec["flavorFungibility"] == {
        "whenCanBorrow": "TryNextFlavor",
        "whenCanPreempt": "TryNextFlavor",
        "preference": "PreemptionOverBorrowing",
    }
    held = compile_repo(
        change=("    class: batch", "    class: batch\n    stop: HoldAndDrain\n    weight: 2500m")
    )
    spec = held.get("ClusterQueue", "blue-train").data["spec"]
    assert spec["stopPolicy"] == "HoldAndDrain"
    assert spec["fairSharing"] == {"weight": "2500m"}


def test_a_missing_class_leaves_the_queue_out_and_the_rest_stays(compile_repo):
    result = compile_repo(change=("class: batch", "class: bach"))
    assert result.codes == ["CMP103"]
    finding = result.bundle.findings[0]
    assert finding.message == "queue train of team blue: there is no class bach; did you mean `batch`?"
    assert finding.primary.origin == Origin(FILE, 0, ("spec", "queues", 0, "class"))
    assert finding.clusters == ("lab",)
    assert "blue-train" not in result.names("ClusterQueue")
    assert result.names("Namespace") == ["blue", "blue-dev"]


def test_a_flavor_listed_twice_counts_once(compile_repo):
    result = compile_repo(change=("{flavor: cpu, nodes: 1}", "{flavor: big, gpus: 2}"))
    assert result.codes == ["CMP104"]
    finding = result.bundle.findings[0]
    assert finding.primary.origin.path == ("spec", "queues", 0, "quota", "lab", 1, "flavor")
    assert finding.related[0].origin.path == ("spec", "queues", 0, "quota", "lab", 0, "flavor")
    found, _ = resources(result.get("ClusterQueue", "blue-train"), "big")
    assert found["example.com/gpu"]["nominalQuota"] == "8"


def test_what_cannot_be_derived_is_one_finding_and_the_other_lines_stay(compile_repo):
    result = compile_repo(change=("{flavor: big, gpus: 8", "{flavor: bigg, gpus: 8"))
    assert result.codes == ["SRC121"]
    flavors = result.get("ClusterQueue", "blue-train").get("spec", "resourceGroups", 0, "flavors")
    assert [f["name"] for f in flavors] == ["cpu"]


OTHER = """
# file: teams/{team}/team.yaml
apiVersion: kohort.dev/v1alpha1
kind: Team
metadata: {{name: {team}}}
spec:
  namespaces: [{namespace}]
  queues: [{{name: {queue}, class: batch, quota: {{lab: [{{flavor: cpu, nodes: 1}}]}}}}]
"""


def test_two_queues_with_one_name_are_a_finding_with_both_places(compile_repo):
    more = OTHER.format(team="blue-a", queue="b", namespace="x")
    result = compile_repo(more=more + OTHER.format(team="blue-a-b", queue="main", namespace="y"))
    assert result.codes == ["CMP101"]
    finding = result.bundle.findings[0]
    assert finding.subject == "ClusterQueue blue-a-b"
    assert finding.primary.origin.file == "teams/blue-a-b/team.yaml"
    assert finding.related[0].origin.file == "teams/blue-a/team.yaml"
    assert result.names("ClusterQueue").count("blue-a-b") == 1


def test_a_namespace_belongs_to_the_first_team(compile_repo):
    result = compile_repo(more=OTHER.format(team="green", queue="main", namespace="blue"))
    assert result.codes == ["CMP102"]
    finding = result.bundle.findings[0]
    assert finding.message == "team green claims namespace blue, which is team blue's"
    assert finding.primary.origin == Origin("teams/green/team.yaml", 0, ("spec", "namespaces", 0))
    assert result.get("Namespace", "blue").labels()["kohort.dev/team"] == "blue"
    # the queue that is left without a namespace is still one that the server would take: one defect, one finding
    selector = result.get("ClusterQueue", "green").get("spec", "namespaceSelector")
    assert selector["matchExpressions"][0]["values"] == ["blue"]


def test_checks_name_flavors_only_where_they_do_not_guard_all(compile_repo):
    check = """
# file: queues/check.yaml
apiVersion: kohort.dev/v1alpha1
kind: AdmissionCheck
metadata: {name: nodes}
spec: {provisioning: {class: check-capacity.autoscaling.x-k8s.io, managedResources: [example.com/gpu]}}
"""
    guarded = ("metadata: {name: big}\nspec: {", "metadata: {name: big}\nspec: {checks: [nodes], ")
    result = compile_repo(change=guarded, more=check)
    strategy = result.get("ClusterQueue", "blue-train").get("spec", "admissionChecksStrategy")
    assert strategy == {"admissionChecks": [{"name": "nodes", "onFlavors": ["big"]}]}
    config = result.get("ProvisioningRequestConfig", "nodes").data["spec"]
    assert config["retryStrategy"] == {
        "backoffBaseSeconds": 60,
        "backoffLimitCount": 3,
        "backoffMaxSeconds": 1800,
    }
    assert result.get("AdmissionCheck", "nodes").data["spec"] == {
        "controllerName": "kueue.x-k8s.io/provisioning-request",
        "parameters": {"apiGroup": "kueue.x-k8s.io", "kind": "ProvisioningRequestConfig", "name": "nodes"},
    }


GUARDED = ("metadata: {name: cpu}\nspec: {}", "metadata: {name: cpu}\nspec: {checks: [far]}")
MULTI = """
# file: queues/check.yaml
apiVersion: kohort.dev/v1alpha1
kind: AdmissionCheck
metadata: {name: far}
spec: {multiKueue: {clusters: [west, east]}}
"""


def test_workers_are_reached_by_a_secret_and_unused_checks_are_left_out(compile_repo):
    assert "AdmissionCheck" not in {o.kind for some in compile_repo(more=MULTI).files.values() for o in some}
    result = compile_repo(change=GUARDED, more=MULTI)
    assert result.get("MultiKueueConfig", "far").data["spec"] == {"clusters": ["west", "east"]}
    for worker in ("east", "west"):
        assert result.get("MultiKueueCluster", worker).data["spec"] == {
            "clusterSource": {"kubeConfig": {"location": f"{worker}-kubeconfig", "locationType": "Secret"}}
        }


def test_a_check_on_all_flavors_names_none(compile_repo):
    result = compile_repo(change=GUARDED, more=MULTI)
    assert result.get("ClusterQueue", "blue-train").get("spec", "admissionChecksStrategy") == {
        "admissionChecks": [{"name": "far", "onFlavors": ["cpu"]}]
    }
    more = MULTI + OTHER.format(team="green", queue="main", namespace="green")
    strategy = (
        compile_repo(change=GUARDED, more=more)
        .get("ClusterQueue", "green")
        .get("spec", "admissionChecksStrategy")
    )
    assert strategy == {"admissionChecks": [{"name": "far"}]}


def test_a_hand_written_worker_wins(compile_repo):
    own = {
        "apiVersion": "kueue.x-k8s.io/v1beta2",
        "kind": "MultiKueueCluster",
        "metadata": {"name": "west"},
        "spec": {"clusterSource": {"clusterProfileRef": {"name": "west"}}},
    }
    result = compile_repo(change=GUARDED, more=MULTI, raw=[own])
    assert result.codes == []
    assert result.get("MultiKueueCluster", "west").data["spec"] == own["spec"]
    assert result.names("MultiKueueCluster") == ["east", "west"]
