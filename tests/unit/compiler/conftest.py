"""Small repositories from text: documents of files, each begun by a line `# file: PATH`."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
import yaml

from kohort.compiler import Bundle, build
from kohort.model.load import load
from kohort.objects.kube import KubeObject, Typed

BASE = """
# file: kohort.yaml
apiVersion: kohort.dev/v1alpha1
kind: Organisation
metadata: {name: org}
spec:
  access: {admins: {groups: [admins]}, viewers: {users: [auditor]}}
# file: clusters/lab/cluster.yaml
apiVersion: kohort.dev/v1alpha1
kind: Cluster
metadata: {name: lab}
spec:
  versions: {kubernetes: 1.36.2, kueue: 0.19.1, appwrapper: 1.2.2}
  nodePools:
  - name: big
    flavor: big
    nodes: 3
    accelerator: example.com/gpu
    labels: {pool: big, gen: "4"}
    taints: [{key: gpu, effect: NoSchedule}]
    perNode: {cpu: 100, memory: 1000Gi, example.com/gpu: 8, pods: 110}
    reserve: {cpu: 20, pods: 30}
  - name: plain
    flavor: cpu
    nodes: 2
    labels: {pool: plain}
    perNode: {cpu: 64, memory: 256Gi, pods: 110}
  slack: [{cohort: root, flavor: big, amount: remainder}]
# file: queues/all.yaml
apiVersion: kohort.dev/v1alpha1
kind: Flavor
metadata: {name: big}
spec: {tolerations: [{key: gpu, operator: Exists}]}
---
apiVersion: kohort.dev/v1alpha1
kind: Flavor
metadata: {name: cpu}
spec: {}
---
apiVersion: kohort.dev/v1alpha1
kind: Cohort
metadata: {name: root}
spec: {}
---
apiVersion: kohort.dev/v1alpha1
kind: Cohort
metadata: {name: leaf}
spec: {parent: root}
---
apiVersion: kohort.dev/v1alpha1
kind: QueueClass
metadata: {name: batch}
spec: {preemption: {reclaimWithinCohort: Any, withinClusterQueue: LowerPriority}}
# file: teams/blue/team.yaml
apiVersion: kohort.dev/v1alpha1
kind: Team
metadata: {name: blue}
spec:
  namespaces: [blue, blue-dev]
  access: {admins: {groups: [blue-leads]}, members: {groups: [blue-devs], users: [alice]}}
  queues:
  - name: train
    class: batch
    cohort: leaf
    quota:
      lab: [{flavor: big, gpus: 8, borrow: 4, lend: none}, {flavor: cpu, nodes: 1}]
"""


@dataclass
class Document:
    file: str
    index: int
    value: Any


def documents(text: str) -> list[Document]:
    found = []
    for part in re.split(r"^# file: ", text, flags=re.MULTILINE)[1:]:
        file, _, body = part.partition("\n")
        found += [Document(file, i, value) for i, value in enumerate(yaml.load_all(body, yaml.CSafeLoader))]
    return found


@dataclass
class Result:
    bundle: Bundle

    @property
    def files(self) -> dict[str, tuple[KubeObject, ...]]:
        return dict(self.bundle.clusters["lab"].files)

    @property
    def codes(self) -> list[str]:
        return [finding.code for finding in self.bundle.findings]

    def get(self, kind: str, name: str, namespace: str = "") -> KubeObject:
        found = [
            obj
            for objects in self.files.values()
            for obj in objects
            if (obj.kind, obj.name, obj.namespace) == (kind, name, namespace)
        ]
        assert len(found) == 1, f"{kind} {namespace}/{name}: {len(found)} objects"
        return found[0]

    def names(self, kind: str) -> list[str]:
        return [obj.name for objects in self.files.values() for obj in objects if obj.kind == kind]


def compiled(
    text: str = BASE,
    *,
    raw: list[dict[str, Any]] | None = None,
    change: tuple[str, str] | None = None,
    more: str = "",
    **options: Any,
) -> Result:
    """Compile BASE (or another text) with one replacement and more documents; loading must find nothing."""
    if change is not None:
        assert change[0] in text, f"nothing to replace: {change[0]}"
        text = text.replace(*change)
    objects = [
        KubeObject(
            r["apiVersion"],
            r["kind"],
            r["metadata"]["name"],
            r["metadata"].get("namespace", ""),
            r,
            Typed("clusters/lab/raw/hand.yaml", i),
        )
        for i, r in enumerate(raw or [])
    ]
    repo = load(documents(text + more), {"lab": objects} if objects else {})
    assert [f"{f.code} {f.message}" for f in repo.findings] == []
    return Result(build(repo, **options))


@pytest.fixture
def compile_repo() -> Callable[..., Result]:
    return compiled


@pytest.fixture
def base() -> Result:
    return compiled()


@pytest.fixture
def base_text() -> str:
    return BASE


@pytest.fixture
def documents_of() -> Callable[[str], list[Document]]:
    return documents
