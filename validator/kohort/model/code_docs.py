"""The rows of the codes that this layer reports."""

from __future__ import annotations

from kohort.diagnostics import Consequence, Severity
from kohort.diagnostics.codes import CodeDoc

_TEAM = """\
# file: teams/blue/team.yaml
apiVersion: kohort.dev/v1alpha1
kind: Team
metadata: {name: blue}
spec:
  namespaces: [blue]
  class: batch
"""
_CLUSTER = """\
# file: clusters/lab/cluster.yaml
apiVersion: kohort.dev/v1alpha1
kind: Cluster
metadata: {name: lab}
spec:
  versions: {kubernetes: 1.36.2, kueue: 0.19.1}
  nodePools:
  - name: h100
    flavor: h100
    nodes: 1
    accelerator: nvidia.com/gpu
    perNode: {cpu: 64, memory: 1Ti, nvidia.com/gpu: 8}
"""
_FLAVOR = """\
# file: queues/flavors.yaml
apiVersion: kohort.dev/v1alpha1
kind: Flavor
metadata: {name: h100}
spec: {}
"""


def _row(code: str, name: str, summary: str, why: str, bad: str, good: str) -> CodeDoc:
    return CodeDoc(code, name, Severity.ERROR, Consequence.INVALID, summary, why, bad, good)


_COHORT = """\
# file: queues/cohorts.yaml
apiVersion: kohort.dev/v1alpha1
kind: Cohort
metadata: {name: all}
spec: {}
"""
_OTHER = _FLAVOR.replace("h100", "a100").replace("flavors.yaml", "a100.yaml")
_CLASS = """\
# file: queues/classes.yaml
apiVersion: kohort.dev/v1alpha1
kind: QueueClass
metadata: {name: batch}
spec: {}
"""


def _quota(line: str, cluster: str = "lab") -> str:
    """A whole organisation around one line of quota."""
    return f"{_CLUSTER}{_FLAVOR}{_CLASS}{_TEAM}  quota: {{{cluster}: [{line}]}}\n"


_TEMPLATE = """\
# file: workloads/templates/one-pod.yaml
apiVersion: kohort.dev/v1alpha1
kind: WorkloadTemplate
metadata: {name: one-pod}
spec:
  description: A pod.
  parameters:
  - {name: cores, type: integer, description: Its cores., default: 1, maximum: 8}
  body:
    apiVersion: batch/v1
    kind: Job
    spec:
      template:
        spec:
          restartPolicy: Never
          containers:
          - {name: main, image: example.com/job, resources: {requests: {cpu: {param: cores}, memory: 1Gi}}}
"""
_RUN = """\
# file: teams/blue/run.yaml
apiVersion: kohort.dev/v1alpha1
kind: Workload
metadata: {name: run}
spec: {template: one-pod, cluster: lab, queue: blue, values: {cores: 2}}
"""


RULES: tuple[CodeDoc, ...] = (
    _row(
        "SRC101",
        "unknown-field",
        "A declaration has a field that its kind does not know.",
        "A misspelt field would otherwise be dropped in silence, and with it what its author wanted.",
        _TEAM.replace("namespaces:", "namespaces: [blue]\n  namespace:"),
        _TEAM,
    ),
    _row(
        "SRC102",
        "wrong-type",
        "A field has a value of another type than it takes.",
        "YAML reads `yes`, `12` and `1e3` as something other than text; Kohort never converts in silence.",
        _TEAM.replace("[blue]", "blue"),
        _TEAM,
    ),
    _row(
        "SRC103",
        "missing-field",
        "A declaration lacks a field without which it says nothing.",
        "What is not written would have to be guessed.",
        _TEAM.replace("  namespaces: [blue]\n", ""),
        _TEAM,
    ),
    _row(
        "SRC104",
        "not-allowed",
        "A field has a value outside the few that it takes.",
        "Only the listed words have a meaning.",
        _TEAM + "  stop: Halt\n",
        _TEAM + "  stop: Hold\n",
    ),
    _row(
        "SRC105",
        "bad-value",
        "A value is out of range, badly written or contradicts the field next to it.",
        "No amount, date or limit can be made of it.",
        _quota("{flavor: h100, gpus: -8}"),
        _quota("{flavor: h100, gpus: 8}"),
    ),
    _row(
        "SRC106",
        "bad-name",
        "A name is not one that Kubernetes would accept.",
        "Objects on the cluster get this name, so the server would refuse them.",
        _TEAM.replace("teams/blue", "teams/Blue_Team").replace("name: blue", "name: Blue_Team"),
        _TEAM,
    ),
    _row(
        "SRC107",
        "declared-twice",
        "Two declarations, or two entries of one list, have the same name.",
        "Only one of them can count, and which one would depend on the order of files.",
        _TEAM + _TEAM.replace("team.yaml", "again.yaml"),
        _TEAM,
    ),
    _row(
        "SRC108",
        "unknown-kind",
        "A document of kohort.dev has a kind or version that this Kohort does not know.",
        "Nothing of it is read; it may be a misspelling or meant for another version.",
        _TEAM.replace("kind: Team", "kind: Teem"),
        _TEAM,
    ),
    _row(
        "SRC109",
        "wrong-place",
        "A document stands in a file where its kind does not belong, or under a folder with another name.",
        "Folders say who owns what: reviewers and code owners go by them.",
        _TEAM.replace("teams/blue", "teams/red"),
        _TEAM,
    ),
    _row(
        "SRC110",
        "no-organisation",
        "kohort.yaml declares no Organisation.",
        "It makes the folder a repository and holds the settings that every run needs; an empty one is most likely a "
        "mistake, and compiling would go on without admins and severities.",
        "# file: kohort.yaml\n# to be written\n",
        "# file: kohort.yaml\napiVersion: kohort.dev/v1alpha1\nkind: Organisation\nmetadata: {name: example}\n"
        "spec: {access: {admins: {groups: [platform]}}}\n",
    ),
    _row(
        "SRC121",
        "no-such-flavor",
        "A line of quota names a flavor that is not declared.",
        "Nothing says which nodes it means.",
        _quota("{flavor: h1000, gpus: 8}"),
        _quota("{flavor: h100, gpus: 8}"),
    ),
    _row(
        "SRC122",
        "no-nodes-for-flavor",
        "A line of quota names a flavor of which the cluster has no node pool.",
        "cpu, memory and the rest follow from the pool's shape; without nodes there is nothing to promise.",
        _quota("{flavor: a100, gpus: 8}") + _OTHER,
        _quota("{flavor: h100, gpus: 8}") + _OTHER,
    ),
    _row(
        "SRC123",
        "unit-without-nodes",
        "A line of quota counts in a unit that the flavor's nodes do not have.",
        "GPUs cannot be counted on nodes without an accelerator, nor devices that no pool offers.",
        _quota("{flavor: h100, devices: {nvidia.com/mig-1g.10gb: 8}}"),
        _quota("{flavor: h100, gpus: 8}"),
    ),
    _row(
        "SRC124",
        "no-such-size",
        "A line of quota names a size that is not declared.",
        "Sizes are numbers that admins gave a name; this one has none.",
        _quota("{flavor: h100, size: xl}"),
        _quota("{flavor: h100, gpus: 8}"),
    ),
    _row(
        "SRC125",
        "resource-not-covered",
        "A line of quota overrides a resource that the flavor's quota does not cover.",
        "All lines of a flavor cover the same resources; this one is not among those of the flavor or its pools.",
        _quota("{flavor: h100, gpus: 8, resources: {ephemeral-storage: 1Ti}}"),
        _quota("{flavor: h100, gpus: 8, resources: {cpu: 32}}"),
    ),
    _row(
        "SRC126",
        "share-not-stated",
        "A line of quota counts devices of which no pool says what part of a GPU they take.",
        "cpu and memory follow from that part; without it there is nothing to derive them from.",
        _quota("{flavor: h100, devices: {example.com/part: 8}}").replace(
            "8}\n# file", "8, example.com/part: 16}\n# file", 1
        ),
        _quota("{flavor: h100, gpus: 8}").replace("8}\n# file", "8, example.com/part: 16}\n# file", 1),
    ),
    _row(
        "SRC131",
        "no-such-declaration",
        "A declaration names a cluster, flavor, namespace, node or rack that is not there.",
        "What hangs on the name would be left out in silence: quota on a misspelt cluster reaches none.",
        _quota("{flavor: h100, gpus: 8}", cluster="labb"),
        _quota("{flavor: h100, gpus: 8}"),
    ),
    _row(
        "SRC132",
        "isolated-queue-in-cohort",
        "A queue stands in a cohort although its class is for queues that share nothing.",
        "Admins made the class for work whose hardware is never lent; in a cohort it would be.",
        _quota("{flavor: h100, gpus: 8}").replace(
            "spec: {}\n# file: teams", "spec: {isolated: true}\n# file: teams"
        )
        + "  cohort: all\n"
        + _COHORT,
        _quota("{flavor: h100, gpus: 8}") + "  cohort: all\n" + _COHORT,
    ),
    _row(
        "SRC133",
        "namespace-counts-what-kueue-counts",
        "A bound on namespaces names a resource that quota of queues covers.",
        "Kueue would admit the work and the namespace's quota refuse its pods, so it would wait with its quota held.",
        _quota("{flavor: h100, gpus: 8}").replace(
            "  nodePools:", "  namespaces: {atMost: {requests.cpu: 64}}\n  nodePools:"
        ),
        _quota("{flavor: h100, gpus: 8}").replace(
            "  nodePools:", "  namespaces: {atMost: {services: 20}}\n  nodePools:"
        ),
    ),
    _row(
        "SRC141",
        "template-cannot-render",
        "A workload template gives no object whatever its values are, or a default breaks its own rules.",
        "Every workload of the template would fail; it is reported once, where the template stands.",
        _TEMPLATE.replace("default: 1", "default: 9"),
        _TEMPLATE,
    ),
    _row(
        "SRC142",
        "value-does-not-fit",
        "A workload gives a value that its template does not take, or lacks one that it needs.",
        "The workload is left out of the compiled output, so nothing would run.",
        _quota("{flavor: h100, gpus: 8}") + _TEMPLATE + _RUN.replace("cores: 2", "cores: 16"),
        _quota("{flavor: h100, gpus: 8}") + _TEMPLATE + _RUN,
    ),
)
