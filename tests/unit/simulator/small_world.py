"""A small cluster of plain manifests, and scenarios on it, prepared and played as the command does it."""

from __future__ import annotations

from pathlib import Path

from kohort.engine.outcome import Settings
from kohort.engine.simulating import Asked, Staged, stage
from kohort.simulator.play import play
from kohort.simulator.record import JobRecord, Run

KEY = "autopilot.ibm.com/gpuhealth"


def queue(name: str, gpus: int, more: str = "") -> str:
    return f"""\
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: {{name: {name}}}
spec:
  cohortName: all
  namespaceSelector: {{}}
  preemption: {{reclaimWithinCohort: Any, withinClusterQueue: LowerPriority}}
  resourceGroups:
  - coveredResources: [nvidia.com/gpu]
    flavors: [{{name: gpu, resources: [{{name: nvidia.com/gpu, nominalQuota: {gpus}}}]}}]
{more}---
apiVersion: kueue.x-k8s.io/v1beta2
kind: LocalQueue
metadata: {{name: lq, namespace: {name}}}
spec: {{clusterQueue: {name}}}
"""


def node(name: str, gpus: int = 8) -> str:
    return f"""\
---
apiVersion: v1
kind: Node
metadata: {{name: {name}}}
status: {{capacity: {{nvidia.com/gpu: {gpus}}}, allocatable: {{nvidia.com/gpu: {gpus}}}}}
"""


FLAVOR = "apiVersion: kueue.x-k8s.io/v1beta2\nkind: ResourceFlavor\nmetadata: {name: gpu}\n"
CLASS = "---\napiVersion: kueue.x-k8s.io/v1beta2\nkind: WorkloadPriorityClass\nmetadata: {name: high}\nvalue: 10\n"
QUOTA = FLAVOR + CLASS + queue("blue", 16) + queue("red", 8)
NODES = "".join(node(f"n{i}") for i in range(3))
WORLD = QUOTA + NODES


def scenario(spec: str, horizon: str = "4h") -> str:
    lines = "".join(f"  {line}\n" for line in spec.splitlines())
    return (
        "apiVersion: kohort.dev/v1alpha1\nkind: Scenario\nmetadata: {name: small}\n"
        f"spec:\n  manifests: [kueue.yaml]\n  horizon: {horizon}\n{lines}"
    )


def staged(folder: Path, spec: str, world: str = WORLD, horizon: str = "4h") -> Staged:
    (folder / "kueue.yaml").write_text(world, "utf-8")
    file = folder / "small.yaml"
    file.write_text(scenario(spec, horizon), "utf-8")
    return stage(Asked(str(file)), Settings())


def played(folder: Path, spec: str, world: str = WORLD, horizon: str = "4h") -> Run:
    found = staged(folder, spec, world, horizon)
    assert found.ready is not None, [f.message for f in found.outcome.report.findings]
    return play(found.ready)


def jobs_of(run: Run) -> dict[str, JobRecord]:
    return {job.key: job for job in run.jobs}


def told(found: Staged, file: Path) -> list[tuple[str, str, str]]:
    """Code, the source text from the finding's line and column on, and message."""
    shown = []
    for finding in found.outcome.report.findings:
        span = found.outcome.places.span(finding.primary.origin)
        assert span is not None, finding
        lines = Path(finding.primary.origin.file).read_text("utf-8").splitlines()
        shown.append((finding.code, lines[span.line - 1][span.column - 1 :], finding.message))
    del file
    return shown
