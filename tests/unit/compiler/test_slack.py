"""Slack on three nodes of 80 usable cores and 8 GPUs each, of which a team holds 8 GPUs."""

import pytest

NODES = """
# file: clusters/lab/inventory.yaml
apiVersion: kohort.dev/v1alpha1
kind: Inventory
metadata: {name: lab}
spec:
  observed: 2026-03-30
  nodes:
  - {prefix: big-, count: 2, pool: big}
  - {name: big-2, pool: big, %s}
  - {prefix: plain-, count: 2, pool: plain}
"""
DOWN = """
# file: clusters/lab/maintenance/x.yaml
apiVersion: kohort.dev/v1alpha1
kind: Maintenance
metadata: {name: firmware}
spec: {cluster: lab, node: big-1, reason: firmware, state: %s}
"""
FIXED = ("amount: remainder", "amount: %d")


def quota(result, name="slack-root-big"):
    queue = result.get("ClusterQueue", name)
    entries = queue.get("spec", "resourceGroups", 0, "flavors", 0, "resources")
    return {e["name"]: (e["nominalQuota"], e.get("lendingLimit")) for e in entries}


def test_remainder_is_all_nodes_less_all_guarantees(base):
    assert quota(base) == {
        "cpu": ("160", None),
        "example.com/gpu": ("16", None),
        "memory": ("2000Gi", None),
        "pods": ("160", None),
    }


def test_a_slack_queue_takes_no_work(base):
    queue = base.get("ClusterQueue", "slack-root-big")
    assert queue.get("spec", "namespaceSelector") is None
    assert queue.get("spec", "preemption") == {
        "borrowWithinCohort": {"policy": "Never"},
        "reclaimWithinCohort": "Any",
        "withinClusterQueue": "LowerOrNewerEqualPriority",
    }
    assert base.bundle.clusters["lab"].cluster.slack_queues == {"slack-root-big"}
    assert all(
        q.get("spec", "clusterQueue") != queue.name
        for q in base.files["clusters/lab/manifests/teams/blue.yaml"]
    )


def test_a_lost_node_lowers_lending_not_quota(compile_repo):
    result = compile_repo(more=NODES % "cordoned: true")
    assert quota(result)["example.com/gpu"] == ("16", "8")
    assert quota(result)["cpu"] == ("160", "80")
    queue = result.get("ClusterQueue", "slack-root-big")
    path = ("spec", "resourceGroups", 0, "flavors", 0, "resources", 1, "lendingLimit")
    assert queue.provenance.arithmetic(path) == (
        "16 healthy − 8 guaranteed, at most 16; lost: 8 on big-2 (spec.unschedulable)"
    )


def test_a_lost_device_lowers_only_its_own_resource(compile_repo):
    result = compile_repo(more=NODES % "allocatable: {example.com/gpu: 7}")
    assert quota(result)["example.com/gpu"] == ("16", "15")
    assert quota(result)["cpu"] == ("160", None)


@pytest.mark.parametrize(("state", "lends"), [("active", "8"), ("planned", None), ("done", None)])
def test_only_active_maintenance_counts(compile_repo, state, lends):
    assert quota(compile_repo(more=DOWN % state))["example.com/gpu"] == ("16", lends)


@pytest.mark.parametrize(
    ("amount", "lost", "lends"),
    # 24 GPUs, 8 guaranteed: with slack 8 there are 8 spare, so one lost node takes nothing from lending.
    [(8, 1, "8"), (16, 1, "8"), (12, 1, "8"), (4, 2, "0")],
)
def test_spare_capacity_is_used_before_slack(compile_repo, amount, lost, lends):
    more = (NODES % "cordoned: true") + (DOWN % "active" if lost > 1 else "")
    result = compile_repo(change=("amount: remainder", f"amount: {amount}"), more=more)
    assert quota(result)["example.com/gpu"] == (str(amount), lends)


def test_loss_beyond_slack_lends_nothing_and_never_less(compile_repo):
    result = compile_repo(
        change=("gpus: 8, borrow", "gpus: 20, borrow"), more=(NODES % "ready: false") + DOWN % "active"
    )
    assert quota(result)["example.com/gpu"] == ("4", "0")


def test_more_promised_than_there_is_leaves_zero(compile_repo):
    assert quota(compile_repo(change=("gpus: 8, borrow", "gpus: 30, borrow")))["example.com/gpu"] == (
        "0",
        None,
    )


def test_fixed_slack_is_counted_before_the_remainder(compile_repo):
    result = compile_repo(
        change=(
            "slack: [{cohort: root, flavor: big, amount: remainder}]",
            "slack: [{cohort: root, flavor: big}, {cohort: leaf, flavor: big, amount: 6}]",
        )
    )
    assert quota(result)["example.com/gpu"] == ("10", None)
    assert quota(result, "slack-leaf-big") == {
        "cpu": ("60", None),
        "example.com/gpu": ("6", None),
        "memory": ("750Gi", None),
        "pods": ("60", None),
    }


def test_slack_of_a_cpu_flavor_counts_nodes(compile_repo):
    result = compile_repo(change=("flavor: big, amount: remainder", "flavor: cpu, amount: 1"))
    assert quota(result, "slack-root-cpu")["cpu"] == ("64", None)


def test_two_remainders_are_a_finding(compile_repo):
    result = compile_repo(
        change=(
            "slack: [{cohort: root, flavor: big, amount: remainder}]",
            "slack: [{cohort: root, flavor: big}, {cohort: leaf, flavor: big}]",
        )
    )
    assert result.codes == ["CMP105"]
    assert result.bundle.findings[0].primary.origin.path == ("spec", "slack", 1, "amount")
    assert "slack-leaf-big" not in result.names("ClusterQueue")


def test_slack_of_an_unknown_flavor_is_a_finding(compile_repo):
    result = compile_repo(change=("flavor: big, amount: remainder", "flavor: huge, amount: 1"))
    assert result.codes == ["CMP108"]
    assert result.names("ClusterQueue") == ["blue-train"]


def test_an_external_writer_gets_a_shell(compile_repo):
    result = compile_repo(change=("amount: remainder", "amount: remainder, writer: external"))
    queue = result.get("ClusterQueue", "slack-root-big")
    assert "resourceGroups" not in queue.data["spec"]
    assert queue.get("spec", "cohortName") == "root"
