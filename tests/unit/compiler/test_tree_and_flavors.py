from kohort.spans import Origin


def test_every_cohort_above_a_queue_is_an_object_parents_in_earlier_waves(base):
    assert sorted(base.names("Cohort")) == ["leaf", "root"]
    assert base.get("Cohort", "root").data["spec"] == {"fairSharing": {"weight": "1"}}  # never an empty spec
    leaf = base.get("Cohort", "leaf")
    assert leaf.data["spec"] == {"parentName": "root"}
    waves = [base.get("Cohort", n).annotations()["argocd.argoproj.io/sync-wave"] for n in ("root", "leaf")]
    assert waves == ["-20", "-19"]


def test_unused_cohorts_are_left_out(compile_repo):
    lonely = "\n# file: queues/x.yaml\napiVersion: kohort.dev/v1alpha1\nkind: Cohort\nmetadata: {name: alone}\nspec: {}\n"
    assert "alone" not in compile_repo(more=lonely).names("Cohort")


def test_a_cohorts_pool_and_limits(compile_repo):
    result = compile_repo(
        change=(
            "spec: {parent: root}",
            (
                "spec: {parent: root, weight: 3, clusters: {lab: {pool: [{flavor: cpu, nodes: 1}],"
                " borrow: {big: 12, cpu: none}, lend: {cpu: any}}}}"
            ),
        )
    )
    leaf = result.get("Cohort", "leaf")
    assert leaf.get("spec", "fairSharing") == {"weight": "3"}
    group = leaf.get("spec", "resourceGroups", 0)
    assert [f["name"] for f in group["flavors"]] == ["cpu", "big"]
    cpu, big = ({r["name"]: r for r in f["resources"]} for f in group["flavors"])
    assert cpu["cpu"] == {"name": "cpu", "nominalQuota": "64", "borrowingLimit": "0"}
    assert big["example.com/gpu"] == {"name": "example.com/gpu", "nominalQuota": "0", "borrowingLimit": "12"}
    assert big["cpu"]["borrowingLimit"] == "120"
    at = leaf.at("spec", "resourceGroups", 0, "flavors", 1, "resources", 0, "borrowingLimit")
    assert at == Origin("queues/all.yaml", 3, ("spec", "clusters", "lab", "borrow", "big"))


def test_a_limit_on_a_flavor_without_nodes_is_a_finding(compile_repo):
    result = compile_repo(
        change=("spec: {parent: root}", "spec: {parent: root, clusters: {lab: {borrow: {bigg: 1}}}}")
    )
    assert result.codes == ["CMP108"]
    assert (
        result.bundle.findings[0].message
        == "cluster lab has no node pool of flavor bigg; did you mean `big`?"
    )


def test_a_cycle_ends(compile_repo):
    result = compile_repo(
        change=("metadata: {name: root}\nspec: {}", "metadata: {name: root}\nspec: {parent: leaf}")
    )
    assert sorted(result.names("Cohort")) == ["leaf", "root"]


def test_flavor_takes_what_all_its_pools_share(compile_repo):
    second = """  - name: big2
    flavor: big
    nodes: 1
    accelerator: example.com/gpu
    labels: {pool: big2, gen: "4"}
    taints: [{key: spare, value: "x", effect: NoExecute}]
    perNode: {cpu: 100, memory: 1000Gi, example.com/gpu: 8, pods: 110}
  - name: plain
"""
    result = compile_repo(change=("  - name: plain\n", second))
    spec = result.get("ResourceFlavor", "big").data["spec"]
    assert spec["nodeLabels"] == {"gen": "4"}
    # the taint `gpu` is tolerated by the flavor itself: as a taint of the flavor it would keep nobody away
    assert spec["nodeTaints"] == [{"key": "spare", "value": "x", "effect": "NoExecute"}]
    assert spec["tolerations"] == [{"operator": "Exists", "key": "gpu"}]


def test_an_absent_operator_is_written_as_equal(compile_repo):
    result = compile_repo(change=("{key: gpu, operator: Exists}", '{key: gpu, value: "y"}'))
    tolerations = result.get("ResourceFlavor", "big").get("spec", "tolerations")
    assert tolerations == [{"operator": "Equal", "key": "gpu", "value": "y"}]


def test_flavor_labels_are_added_and_topologies_follow(compile_repo):
    topology = "\n# file: queues/t.yaml\napiVersion: kohort.dev/v1alpha1\nkind: Topology\nmetadata: {name: racks}\nspec: {levels: [rack, kubernetes.io/hostname]}\n"
    change = (
        "metadata: {name: cpu}\nspec: {}",
        "metadata: {name: cpu}\nspec: {topology: racks, nodeLabels: {spot: 'true'}}",
    )
    result = compile_repo(change=change, more=topology)
    flavor = result.get("ResourceFlavor", "cpu")
    assert flavor.data["spec"] == {"nodeLabels": {"pool": "plain", "spot": "true"}, "topologyName": "racks"}
    assert flavor.at("spec", "nodeLabels", "pool").file == "clusters/lab/cluster.yaml"
    assert flavor.at("spec", "nodeLabels", "spot").file == "queues/all.yaml"
    levels = result.get("Topology", "racks").get("spec", "levels")
    assert levels == [{"nodeLabel": "rack"}, {"nodeLabel": "kubernetes.io/hostname"}]


PRIORITY = """
# file: queues/p.yaml
apiVersion: kohort.dev/v1alpha1
kind: Priority
metadata: {name: high}
spec: {value: 10, pods: true, default: true, description: "soon"}
"""


def test_priorities(compile_repo):
    result = compile_repo(more=PRIORITY)
    assert result.get("WorkloadPriorityClass", "high").data["value"] == 10
    pods = result.get("PriorityClass", "high").data
    assert (pods["value"], pods["preemptionPolicy"], "globalDefault" in pods) == (10, "Never", False)
