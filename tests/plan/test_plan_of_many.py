"""A change to hundreds of queues in one tree costs as much per queue as a change to one: nothing is asked of all by each."""

from __future__ import annotations

from plan_world import FILES

from kohort.engine.outcome import Settings
from kohort.engine.planning import plan_repositories
from kohort.semantics import TreeNode
from kohort.source.tree import MemoryTree

RED = FILES["teams/red/team.yaml"]


def asked_of_nodes(monkeypatch, count: int) -> int:
    """How often a plan with so many new teams, none with a guarantee, asks a node of the tree what it lends."""
    files = dict(FILES)
    for number in range(count):
        name = f"new-{number}"
        text = (
            RED.replace("name: red", f"name: {name}")
            .replace("[red]", f"[{name}]")
            .replace("gpus: 6", "gpus: 0")
        )
        files[f"teams/{name}/team.yaml"] = text
    calls = 0
    lends = TreeNode.lends

    def counted(node, pair):
        nonlocal calls
        calls += 1
        return lends(node, pair)

    with monkeypatch.context() as patch:
        patch.setattr(TreeNode, "lends", counted)
        done = plan_repositories(MemoryTree(FILES), MemoryTree(files), Settings()).plan
    assert sum(1 for one in done.objects if one.ref.kind == "ClusterQueue") == count
    return calls


def test_what_is_asked_of_the_tree_grows_with_the_queues_and_not_with_their_square(monkeypatch):
    few, many = (asked_of_nodes(monkeypatch, count) for count in (20, 60))
    assert many < 4 * few
