"""The organisation that the plan's scenarios change, with numbers that are easy to check by hand.

pokprod, sharing fairly: 4 nodes of 8 H100 (32) and 2 nodes of 4 A100 (8); a GPU of either comes with 10 cpu, 128Gi and
25 pods. vela, not sharing fairly: 3 nodes of 32 cpu, and 1 node of 8 small MIG devices.

    org (slack: 4 H100)
    ├── research, weight 3, pool of 2 A100: blue (8 H100, 2 A100), red (6 H100)
    └── products: green (4 H100, borrows 4, lends 2)
    gold: 4 H100 of its own

H100 of the tree: 8 + 6 + 2 (green lends no more) + 4 slack = 20 at the root. So blue may borrow 20 − 8 = 12, red 14 and
green 4. When all want all, the 4 of slack go 3 to 1: research gets 17, of which blue 8 + 1 and red 6 + 1 (3 halves,
rounded down), green 4 + 1.
"""

from __future__ import annotations

import textwrap

API = "apiVersion: kohort.dev/v1alpha1\n"


def _doc(kind: str, name: str, spec: str = "", title: str = "") -> str:
    titled = f"  title: {title}\n" if title else ""
    body = textwrap.indent(textwrap.dedent(spec).strip("\n"), "  ")
    rest = f"\n{body}" if body else " {}"
    return f"{API}kind: {kind}\nmetadata:\n  name: {name}\n{titled}spec:{rest}\n"


def _docs(*documents: str) -> str:
    return "---\n".join(documents)


FILES = {
    "kohort.yaml": _doc(
        "Organisation",
        "example",
        """
        access:
          admins: {groups: [platform-admins]}
          viewers: {groups: [finance]}
        """,
    ),
    "clusters/pokprod/cluster.yaml": _doc(
        "Cluster",
        "pokprod",
        """
        versions: {kubernetes: 1.36.2, kueue: 0.19.1}
        rackLabel: topology.example.com/rack
        nodePools:
        - name: h100
          flavor: h100
          nodes: 4
          accelerator: nvidia.com/gpu
          labels: {pool: h100}
          perNode: {cpu: 84, memory: 1040Gi, nvidia.com/gpu: 8, pods: 208}
          reserve: {cpu: 4, memory: 16Gi, pods: 8}
        - name: a100
          flavor: a100
          nodes: 2
          accelerator: nvidia.com/gpu
          labels: {pool: a100}
          perNode: {cpu: 44, memory: 528Gi, nvidia.com/gpu: 4, pods: 108}
          reserve: {cpu: 4, memory: 16Gi, pods: 8}
          racks: {rack-1: [a100-0, a100-1]}
        slack:
        - {cohort: org, flavor: h100, amount: 4}
        kueue:
          fairSharing: [LessThanOrEqualToFinalShare, LessThanInitialShare]
          frameworks: [batch/job]
        access: {admins: {groups: [pokprod-admins]}}
        """,
    ),
    "clusters/vela/cluster.yaml": _doc(
        "Cluster",
        "vela",
        """
        versions: {kubernetes: 1.36.2, kueue: 0.19.1}
        nodePools:
        - name: cpu
          flavor: cpu
          nodes: 3
          labels: {pool: cpu}
          perNode: {cpu: 36, memory: 144Gi, pods: 108}
          reserve: {cpu: 4, memory: 16Gi, pods: 8}
        - name: mig
          flavor: mig
          nodes: 1
          gpusPerNode: 2
          labels: {pool: mig}
          perNode: {cpu: 36, memory: 144Gi, nvidia.com/mig-1g.10gb: 8, pods: 108}
          reserve: {cpu: 4, memory: 16Gi, pods: 8}
          share: {nvidia.com/mig-1g.10gb: 1/4}
        kueue: {frameworks: [batch/job]}
        """,
    ),
    "queues/cohorts.yaml": _docs(
        _doc("Cohort", "org"),
        _doc(
            "Cohort",
            "research",
            """
            parent: org
            weight: 3
            clusters:
              pokprod:
                pool: [{flavor: a100, gpus: 2}]
            """,
        ),
        _doc("Cohort", "products", "parent: org"),
    ),
    "queues/flavors.yaml": _docs(
        _doc("Flavor", "h100"),
        _doc("Flavor", "a100", "topology: racks"),
        _doc("Flavor", "cpu"),
        _doc("Flavor", "mig"),
    ),
    "queues/topologies.yaml": _doc(
        "Topology", "racks", "levels: [topology.example.com/rack, kubernetes.io/hostname]"
    ),
    "queues/classes.yaml": _docs(
        _doc(
            "QueueClass",
            "batch",
            """
            strategy: BestEffortFIFO
            preemption: {reclaimWithinCohort: Any, withinClusterQueue: LowerPriority}
            """,
        ),
        _doc("QueueClass", "calm", "strategy: BestEffortFIFO"),
        _doc("QueueClass", "production", "strategy: StrictFIFO\nisolated: true"),
    ),
    "queues/priorities.yaml": _docs(
        _doc("Priority", "low", "value: 10\ndescription: may wait"),
        _doc("Priority", "high", "value: 100\ndescription: has a deadline\npods: true"),
    ),
    "teams/blue/team.yaml": _doc(
        "Team",
        "blue",
        """
        namespaces: [blue]
        access:
          admins: {groups: [blue-leads]}
          members: {groups: [blue-devs], users: [alice]}
        queues:
        - name: train
          class: batch
          cohort: research
          default: true
          quota:
            pokprod:
            - {flavor: h100, gpus: 8}
            - {flavor: a100, gpus: 2}
        """,
    ),
    "teams/red/team.yaml": _doc(
        "Team",
        "red",
        """
        namespaces: [red]
        access: {members: {groups: [red-devs]}}
        class: batch
        cohort: research
        quota:
          pokprod: [{flavor: h100, gpus: 6}]
        """,
    ),
    "teams/green/team.yaml": _doc(
        "Team",
        "green",
        """
        namespaces: [green, green-test]
        access: {members: {groups: [green-devs]}, viewers: {groups: [auditors]}}
        queues:
        - name: main
          class: calm
          cohort: products
          quota:
            pokprod: [{flavor: h100, gpus: 4, borrow: 4, lend: 2}]
        - name: lab
          class: calm
          cohort: products
          namespaces: [green-test]
          quota:
            vela: [{flavor: cpu, nodes: 1}, {flavor: mig, devices: {nvidia.com/mig-1g.10gb: 4}}]
        """,
    ),
    "teams/gold/team.yaml": _doc(
        "Team",
        "gold",
        """
        namespaces: [gold]
        access: {members: {groups: [gold-devs]}}
        class: production
        quota:
          pokprod: [{flavor: h100, gpus: 4}]
        """,
    ),
}


def changed(edits: dict[str, object]) -> dict[str, str]:
    """The files after edits: a text is the new file, None removes it, pairs of texts are replaced once each."""
    files = dict(FILES)
    for name, edit in edits.items():
        if edit is None:
            del files[name]
        elif isinstance(edit, str):
            files[name] = edit
        else:
            for old, new in edit:  # type: ignore[attr-defined]
                assert files[name].count(old) == 1, f"{name}: {old!r} stands {files[name].count(old)} times"
                files[name] = files[name].replace(old, new)
    return files
