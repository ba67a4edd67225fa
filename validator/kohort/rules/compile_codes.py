"""Documentation of the codes that compiling reports (`CMP1xx`): declarations that cannot become objects.

It stands here, below the compiler, so that the catalogue knows every code. The examples are repositories that the tests
compile; a comment `# file: PATH` says where a document stands.
"""

from __future__ import annotations

from typing import Final

from kohort.diagnostics import Consequence, Severity
from kohort.diagnostics.codes import CodeDoc

_CLUSTER = """\
# file: kohort.yaml
apiVersion: kohort.dev/v1alpha1
kind: Organisation
metadata: {name: example}
spec: {}
# file: clusters/lab/cluster.yaml
apiVersion: kohort.dev/v1alpha1
kind: Cluster
metadata: {name: lab}
spec:
  versions: {kubernetes: 1.36.2, kueue: 0.19.1}
  nodePools:
  - {name: cpu, flavor: cpu, nodes: 4, labels: {pool: cpu}, perNode: {cpu: 64, memory: 256Gi}}
# file: queues/all.yaml
apiVersion: kohort.dev/v1alpha1
kind: Flavor
metadata: {name: cpu}
spec: {}
---
apiVersion: kohort.dev/v1alpha1
kind: QueueClass
metadata: {name: batch}
spec: {preemption: {reclaimWithinCohort: Any}}
---
apiVersion: kohort.dev/v1alpha1
kind: Cohort
metadata: {name: org}
spec: {}
"""


def _team(
    name: str, queue: str, *, namespace: str = "", line: str = "{flavor: cpu, nodes: 1}", more: str = ""
) -> str:
    return f"""\
# file: teams/{name}/team.yaml
apiVersion: kohort.dev/v1alpha1
kind: Team
metadata: {{name: {name}}}
spec:
  namespaces: [{namespace or name}]
  queues:
  - {{name: {queue}, class: batch, cohort: org, quota: {{lab: [{line}]}}{more}}}
"""


def _work(cluster: str) -> str:
    return f"""\
# file: workloads/templates/job.yaml
apiVersion: kohort.dev/v1alpha1
kind: WorkloadTemplate
metadata: {{name: job}}
spec:
  description: A batch job.
  body:
    apiVersion: batch/v1
    kind: Job
    spec:
      template:
        spec:
          restartPolicy: Never
          containers: [{{name: main, image: example.com/job:1, resources: {{requests: {{cpu: 1, memory: 1Gi}}}}}}]
# file: teams/blue/work.yaml
apiVersion: kohort.dev/v1alpha1
kind: Workload
metadata: {{name: fit}}
spec: {{template: job, cluster: {cluster}, queue: train}}
"""


def _slack(entries: str) -> str:
    return _CLUSTER.replace("  nodePools:", f"  slack: [{entries}]\n  nodePools:") + _team("blue", "train")


def _row(code: str, name: str, summary: str, why: str, bad: str, good: str) -> CodeDoc:
    return CodeDoc(code, name, Severity.ERROR, Consequence.INVALID, summary, why, bad, good)


_ONE = _CLUSTER + _team("blue", "train")

COLLISION: Final = _row(
    "CMP101",
    "name-collision",
    "Two declarations compile to one object.",
    "Only the first is written. Team blue-a with queue b and team blue-a-b both mean ClusterQueue blue-a-b.",
    _CLUSTER + _team("blue-a", "b") + _team("blue-a-b", "main"),
    _CLUSTER + _team("blue-a", "bees") + _team("blue-a-b", "main"),
)
NAMESPACE_TAKEN: Final = _row(
    "CMP102",
    "namespace-claimed-twice",
    "Two teams claim one namespace.",
    "Whoever owns the namespace owns its work and its access, so the second claim is left out.",
    _ONE + _team("red", "train", namespace="blue"),
    _ONE + _team("red", "train"),
)
CLASS_MISSING: Final = _row(
    "CMP103",
    "queue-class-missing",
    "A queue names a class that is not declared.",
    "Kohort does not guess who may preempt whom, so the queue is left out.",
    _ONE.replace("class: batch", "class: btach"),
    _ONE,
)
FLAVOR_TWICE: Final = _row(
    "CMP104",
    "flavor-listed-twice",
    "A queue or cohort lists one flavor in two lines on one cluster.",
    "Kueue takes one quota per flavor, so only the first line is compiled.",
    _CLUSTER + _team("blue", "train", line="{flavor: cpu, nodes: 1}, {flavor: cpu, nodes: 2}"),
    _CLUSTER + _team("blue", "train", line="{flavor: cpu, nodes: 3}"),
)
SECOND_REMAINDER: Final = _row(
    "CMP105",
    "remainder-given-twice",
    "Two slack entries of one cluster ask for the remainder of one flavor.",
    "What is left over can be given once; the second entry is left out.",
    _slack("{cohort: org, flavor: cpu}, {cohort: org, flavor: cpu}"),
    _slack("{cohort: org, flavor: cpu}"),
)
NOT_RENDERED: Final = _row(
    "CMP106",
    "workload-not-compiled",
    "A declared workload cannot become an object.",
    "Its team, cluster, queue, template or values do not fit, so nothing would run.",
    _ONE + _work("lba"),
    _ONE + _work("lab"),
)
OLD_KUEUE: Final = _row(
    "CMP107",
    "kueue-too-old",
    "A cluster declares a Kueue older than 0.15.",
    "Kohort writes kueue.x-k8s.io/v1beta2, which that server does not know.",
    _ONE.replace("kueue: 0.19.1", "kueue: 0.14.8"),
    _ONE,
)
NO_NODES: Final = _row(
    "CMP108",
    "flavor-not-on-cluster",
    "Slack or a limit of a cohort names a flavor that has no node pool on the cluster.",
    "There is nothing of it to keep, lend or borrow; a misspelt name looks the same.",
    _slack("{cohort: org, flavor: cpus}"),
    _slack("{cohort: org, flavor: cpu}"),
)

RULES: Final = (
    COLLISION,
    NAMESPACE_TAKEN,
    CLASS_MISSING,
    FLAVOR_TWICE,
    SECOND_REMAINDER,
    NOT_RENDERED,
    OLD_KUEUE,
    NO_NODES,
)
