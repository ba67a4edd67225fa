"""A small repository on disk with the shipped templates: one cluster with accelerators, RDMA and plain nodes."""

import re
import shutil
from pathlib import Path

import pytest

SHIPPED = Path(__file__).parents[3] / "workloads" / "templates"
REPOSITORY = """
# file: kohort.yaml
apiVersion: kohort.dev/v1alpha1
kind: Organisation
metadata: {name: org}
spec: {access: {admins: {groups: [admins]}}}
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
    labels: {pool: big}
    perNode: {cpu: 100, memory: 1000Gi, example.com/gpu: 8, example.com/rdma_shared: 8, pods: 110}
    reserve: {cpu: 20, memory: 200Gi, pods: 30}
  - {name: plain, flavor: cpu, nodes: 2, labels: {pool: plain}, perNode: {cpu: 64, memory: 256Gi, pods: 110}}
  scheduling: {scheduler: second, packing: true, gangs: true}
  kueue:
    frameworks: [batch/job, kubeflow.org/pytorchjob, workload.codeflare.dev/appwrapper]
    waitForPodsReadySeconds: 3600
# file: queues/all.yaml
apiVersion: kohort.dev/v1alpha1
kind: Flavor
metadata: {name: big}
spec: {}
---
apiVersion: kohort.dev/v1alpha1
kind: Flavor
metadata: {name: cpu}
spec: {}
---
apiVersion: kohort.dev/v1alpha1
kind: QueueClass
metadata: {name: batch}
spec: {}
---
apiVersion: kohort.dev/v1alpha1
kind: Priority
metadata: {name: normal}
spec: {value: 5, default: true}
---
apiVersion: kohort.dev/v1alpha1
kind: Priority
metadata: {name: urgent}
spec: {value: 9}
# file: teams/blue/team.yaml
apiVersion: kohort.dev/v1alpha1
kind: Team
metadata: {name: blue}
spec:
  namespaces: [blue, blue-dev]
  access: {members: {groups: [blue-devs]}}
  queues:
  - name: train
    class: batch
    default: true
    quota:
      # asked for in spring
      lab: [{flavor: big, gpus: 16}]
  - name: prepare
    class: batch
    quota:
      lab:
      - flavor: cpu
        nodes: 1
"""


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    for part in re.split(r"^# file: ", REPOSITORY, flags=re.MULTILINE)[1:]:
        file, _, text = part.partition("\n")
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).write_text(text)
    shutil.copytree(SHIPPED, tmp_path / "workloads" / "templates")
    return tmp_path
