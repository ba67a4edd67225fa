"""Write a generated organisation for benchmarks and scale tests: distinct numbers, three cohort levels, several flavors.

`generate.py OUT [--teams 1000] [--clusters 20] [--faults 0]`; the same arguments give the same bytes.
"""

from __future__ import annotations

import argparse
import random
from pathlib import Path

HEAD = "apiVersion: kohort.dev/v1alpha1\nkind: {kind}\nmetadata:\n  name: {name}\nspec:\n"
FLAVORS = ("a100", "h100", "l40s", "cpu")
CLUSTERS_PER_TEAM = 2


def document(kind: str, name: str, body: str) -> str:
    """One declaration."""
    return HEAD.format(kind=kind, name=name) + body


def cluster(name: str, teams: int) -> str:
    """A cluster whose pools hold what its teams are promised, and a little more."""
    pools = ""
    for flavor, per_team, cpu in (("a100", 14, 96), ("h100", 7, 192), ("l40s", 5, 128)):
        nodes = max(8, teams * per_team // 8)
        pools += (
            f"  - name: {flavor}\n    flavor: {flavor}\n    nodes: {nodes}\n    accelerator: nvidia.com/gpu\n"
            f"    labels: {{pool: {flavor}}}\n"
            f"    perNode: {{cpu: {cpu}, memory: 1Ti, nvidia.com/gpu: 8, pods: 250}}\n"
            "    reserve: {cpu: 8, memory: 64Gi, pods: 50}\n"
        )
    pools += (
        f"  - name: cpu\n    flavor: cpu\n    nodes: {max(8, teams * 3 // 2)}\n    labels: {{pool: cpu}}\n"
        "    perNode: {cpu: 64, memory: 256Gi, pods: 250}\n    reserve: {cpu: 4, memory: 16Gi, pods: 50}\n"
    )
    return document(
        "Cluster",
        name,
        "  versions: {kubernetes: 1.36.2, kueue: 0.19.1, appwrapper: 1.2.2, schedulerPlugins: 0.34.7}\n"
        f"  nodePools:\n{pools}"
        "  slack:\n  - {cohort: org, flavor: a100, amount: 16}\n"
        "  argo:\n    repoURL: https://git.example.com/platform/kohort.git\n",
    )


def team(name: str, index: int, clusters: list[str], cohort: str, rng: random.Random) -> str:
    """A team with two queues on two clusters."""
    first = rng.randrange(len(clusters))
    chosen = [
        clusters[(first + step * 7) % len(clusters)] for step in range(min(CLUSTERS_PER_TEAM, len(clusters)))
    ]
    train, serve = "", ""
    for place in dict.fromkeys(chosen):
        gpus, more = 1 + (index * 3 + rng.randrange(4)) % 12, 1 + rng.randrange(4)
        borrow = rng.choice(("", ", borrow: 8", ", borrow: none", ", lend: 1", ", lend: any"))
        train += f"      {place}:\n      - {{flavor: a100, gpus: {gpus}{borrow}}}\n      - {{flavor: l40s, gpus: {more}}}\n"
        train += "      - {flavor: cpu, nodes: 1}\n"
        serve += f"      {place}: [{{flavor: h100, gpus: {1 + rng.randrange(6)}}}]\n"
    return document(
        "Team",
        name,
        f"  namespaces: [{name}]\n  access:\n    admins: {{groups: [{name}-leads]}}\n    members: {{groups: [{name}-devs]}}\n"
        "  queues:\n"
        f"  - name: train\n    class: batch\n    cohort: {cohort}\n    default: true\n    quota:\n{train}"
        f"  - name: serve\n    class: production\n    quota:\n{serve}",
    )


def write(root: Path, teams: int, clusters: int, faults: int) -> None:
    """All files; `faults` teams ask for a flavor that does not exist."""
    rng = random.Random(7)
    names = [f"c{i:02d}" for i in range(clusters)]
    files = {
        "kohort.yaml": document(
            "Organisation",
            "generated",
            '  requiredVersion: ">=0.1"\n  access:\n    admins: {groups: [admins]}\n',
        ),
        "queues/flavors.yaml": "---\n".join(document("Flavor", f, "  {}\n") for f in FLAVORS),
        "queues/classes.yaml": document(
            "QueueClass",
            "batch",
            "  preemption: {reclaimWithinCohort: Any, withinClusterQueue: LowerOrNewerEqualPriority}\n",
        )
        + "---\n"
        + document(
            "QueueClass",
            "production",
            "  preemption: {withinClusterQueue: LowerPriority}\n  isolated: true\n",
        ),
        "queues/priorities.yaml": document("Priority", "default-priority", "  value: 5\n  default: true\n"),
    }
    leaves = [f"group-{i:02d}" for i in range(max(1, min(40, teams // 10)))]
    branches = [f"area-{i}" for i in range(max(1, min(8, len(leaves) // 4)))]
    cohorts = [document("Cohort", "org", "  {}\n")]
    cohorts += [document("Cohort", b, f"  parent: org\n  weight: {1 + i}\n") for i, b in enumerate(branches)]
    cohorts += [
        document("Cohort", leaf, f"  parent: {branches[i % len(branches)]}\n")
        for i, leaf in enumerate(leaves)
    ]
    files["queues/cohorts.yaml"] = "---\n".join(cohorts)
    share = teams * CLUSTERS_PER_TEAM // max(1, clusters) + 1
    for name in names:
        files[f"clusters/{name}/cluster.yaml"] = cluster(name, share)
    for i in range(teams):
        name = f"team-{i:05d}"
        text = team(name, i, names, leaves[i % len(leaves)], rng)
        if i < faults:
            text = text.replace("flavor: l40s", "flavor: l40", 1)
        files[f"teams/{name}/team.yaml"] = text
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, "utf-8")


def main() -> None:
    """Parse and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--teams", type=int, default=1000)
    parser.add_argument("--clusters", type=int, default=20)
    parser.add_argument("--faults", type=int, default=0)
    arguments = parser.parse_args()
    write(arguments.out, arguments.teams, arguments.clusters, arguments.faults)


if __name__ == "__main__":
    main()
