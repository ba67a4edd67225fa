"""Texts of a new repository, team, cluster or workload: valid from the first check, with comments that explain."""

from __future__ import annotations

from collections.abc import Mapping

from kohort.compiler.scalar import text_scalar
from kohort.model.repo import WorkloadTemplate

_SCHEMA = "# yaml-language-server: $schema={up}ci/schemas/{kind}.schema.json\napiVersion: kohort.dev/v1alpha1\nkind: {Kind}\n"


def _head(kind: str, depth: int) -> str:
    return _SCHEMA.format(up="../" * depth, kind=kind.lower(), Kind=kind)


def repository(name: str) -> Mapping[str, str]:
    """The files of a new, minimal repository: one cluster with three GPU nodes, one team, slack."""
    return {
        "kohort.yaml": f'{_head("Organisation", 0)}metadata:\n  name: {text_scalar(name)}\nspec:\n  requiredVersion: ">=0.1,<1"\n'
        "  access:\n    admins: {groups: [cluster-admins]}\n",
        "queues/flavors.yaml": f"{_head('Flavor', 1)}metadata:\n  name: gpu\nspec: {{}}  # labels and taints follow from the node pools of each cluster\n",
        "queues/classes.yaml": f"{_head('QueueClass', 1)}metadata:\n  name: batch\nspec:\n"
        "  # the lender gets its guarantee back at once, and newer work yields inside a queue\n"
        "  preemption:\n    reclaimWithinCohort: Any\n    withinClusterQueue: LowerOrNewerEqualPriority\n",
        "queues/cohorts.yaml": f"{_head('Cohort', 1)}metadata:\n  name: all-teams\nspec: {{}}\n",
        "queues/priorities.yaml": f"{_head('Priority', 1)}metadata:\n  name: default-priority\nspec:\n  value: 5\n  default: true\n",
        **cluster("main", "gpu"),
        **team("first", "main", "gpu", 8),
    }


def cluster(name: str, flavor: str) -> Mapping[str, str]:
    """A cluster with one pool; the numbers are to be replaced by what `kubectl get nodes -o yaml` shows."""
    return {
        f"clusters/{name}/cluster.yaml": f"{_head('Cluster', 2)}metadata:\n  name: {text_scalar(name)}\nspec:\n"
        "  versions: {kubernetes: 1.36.2, kueue: 0.19.1, appwrapper: 1.2.2}\n"
        "  nodePools:\n"
        f"  - name: {text_scalar(flavor)}\n    flavor: {text_scalar(flavor)}\n    nodes: 3\n"
        "    accelerator: nvidia.com/gpu  # any vendor's resource name\n"
        f"    labels: {{pool: {text_scalar(flavor)}}}\n"
        "    perNode: {cpu: 96, memory: 1Ti, nvidia.com/gpu: 8, pods: 250}\n"
        "    reserve: {cpu: 8, memory: 64Gi, pods: 50}  # daemons: what no quota may promise\n"
        "  slack:\n"
        f"  - {{cohort: all-teams, flavor: {text_scalar(flavor)}, amount: remainder}}  # absorbs failures\n"
        "  argo:\n    repoURL: https://git.example.com/platform/kohort.git\n",
    }


def team(name: str, cluster_name: str, flavor: str, gpus: int) -> Mapping[str, str]:
    """A team with one queue."""
    return {
        f"teams/{name}/team.yaml": f"{_head('Team', 2)}metadata:\n  name: {text_scalar(name)}\nspec:\n  namespaces: [{text_scalar(name)}]\n"
        f"  access:\n    admins: {{groups: [{name}-leads]}}\n    members: {{groups: [{name}-devs]}}\n"
        "  class: batch\n  cohort: all-teams\n  default: true\n  quota:\n"
        "    # one number; cpu, memory and pods follow from the node pool (see `kohort explain "
        f"teams/{name}`)\n    {text_scalar(cluster_name)}: [{{flavor: {text_scalar(flavor)}, gpus: {gpus}}}]\n",
    }


def workload(
    name: str, team_name: str, template: WorkloadTemplate, cluster_name: str, queue: str, namespace: str
) -> Mapping[str, str]:
    """A declared run of a template; what the template requires is asked for line by line."""
    needed = [p for p in template.parameters if p.required]
    values = "".join(f"    {p.name}:  # needed: {p.type}. {p.description}\n" for p in needed)
    return {
        f"teams/{team_name}/{name}.yaml": f"{_head('Workload', 2)}metadata:\n  name: {text_scalar(name)}\nspec:\n  team: {text_scalar(team_name)}\n"
        f"  template: {text_scalar(template.name)}\n  cluster: {text_scalar(cluster_name)}\n"
        f"  queue: {text_scalar(queue)}\n  namespace: {text_scalar(namespace)}\n"
        "  run: 1  # a changed workload needs the next number: objects on the cluster are immutable\n"
        + (f"  values:\n{values}" if values else "  values: {}\n"),
    }
