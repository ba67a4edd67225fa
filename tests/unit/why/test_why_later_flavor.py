"""A flavor whose racks have no room does not end the search: Kueue comes back at once for the next one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from kohort.cli.simulate import command as simulate
from kohort.cli.why import command as why

QUEUE = """\
apiVersion: kueue.x-k8s.io/v1beta2
kind: Topology
metadata: {name: racks}
spec: {levels: [{nodeLabel: rack}, {nodeLabel: kubernetes.io/hostname}]}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: {name: q}
spec:
  namespaceSelector: {}
  resourceGroups:
  - coveredResources: [nvidia.com/gpu]
    flavors:
    - {name: small, resources: [{name: nvidia.com/gpu, nominalQuota: 8}]}
    - {name: large, resources: [{name: nvidia.com/gpu, nominalQuota: 8}]}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: LocalQueue
metadata: {name: lq, namespace: team}
spec: {clusterQueue: q}
---
apiVersion: v1
kind: Namespace
metadata: {name: team}
"""
JOB = """\
apiVersion: batch/v1
kind: Job
metadata: {name: x, namespace: team, labels: {kueue.x-k8s.io/queue-name: lq}}
spec:
  suspend: true
  template:
    metadata: {annotations: {kueue.x-k8s.io/podset-required-topology: rack}}
    spec:
      restartPolicy: Never
      containers: [{name: c, image: i, resources: {requests: {nvidia.com/gpu: GPUS}, limits: {nvidia.com/gpu: GPUS}}}]
"""
SCENARIO = """\
apiVersion: kohort.dev/v1alpha1
kind: Scenario
metadata: {name: s}
spec:
  manifests: [m.yaml]
  horizon: 1h
  jobs: [{name: x, namespace: team, queue: lq, at: 0s, duration: 1h, gpus: GPUS, topology: {required: rack}}]
"""


def node(flavor: str, gpus: int) -> str:
    room = f"{{nvidia.com/gpu: {gpus}, pods: 100}}"
    labels = f"{{pool: {flavor}, rack: {flavor}, kubernetes.io/hostname: {flavor}}}"
    ready = "conditions: [{type: Ready, status: 'True'}]"
    return (
        f"---\napiVersion: kueue.x-k8s.io/v1beta2\nkind: ResourceFlavor\nmetadata: {{name: {flavor}}}\n"
        f"spec: {{nodeLabels: {{pool: {flavor}}}, topologyName: racks}}\n"
        f"---\napiVersion: v1\nkind: Node\nmetadata: {{name: {flavor}, labels: {labels}}}\n"
        f"status: {{capacity: {room}, allocatable: {room}, {ready}}}\n"
    )


@pytest.mark.parametrize(("gpus", "flavor"), [(2, "small"), (4, "large"), (8, None)])
def test_the_answer_is_what_a_run_of_the_same_job_shows(tmp_path: Path, monkeypatch, gpus, flavor):
    monkeypatch.chdir(tmp_path)
    Path("m.yaml").write_text(QUEUE + node("small", 2) + node("large", 4), "utf-8")
    Path("job.yaml").write_text(JOB.replace("GPUS", str(gpus)), "utf-8")
    Path("s.yaml").write_text(SCENARIO.replace("GPUS", str(gpus)), "utf-8")
    asked = CliRunner().invoke(
        why,
        ["job.yaml", "--snapshot", "m.yaml", "--format", "json"],
        catch_exceptions=False,
        standalone_mode=False,
    )
    played = CliRunner().invoke(
        simulate, ["s.yaml", "--format", "timeline", "-q"], catch_exceptions=False, standalone_mode=False
    )
    answer = json.loads(asked.stdout)
    if flavor is None:
        assert (answer["verdict"], asked.return_value) == ("never", 1)
        assert "admitted" not in played.stdout
    else:
        assert (answer["verdict"], asked.return_value) == ("fits", 0)
        assert f"admitted   team/x-1  {flavor}" in played.stdout
