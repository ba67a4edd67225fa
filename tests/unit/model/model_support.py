"""Repositories from text, read by the real reader, with findings shown as file:line:column."""

from __future__ import annotations

import re

from kohort.diagnostics import Finding
from kohort.model.load import load
from kohort.model.repo import Repo
from kohort.objects.intake import take_in
from kohort.source.positions import Positions
from kohort.source.reader import read_file

FILE = re.compile(r"^# file: (\S+)\n", re.MULTILINE)
HEAD = "apiVersion: kohort.dev/v1alpha1\n"

CLUSTER = """\
# file: clusters/lab/cluster.yaml
apiVersion: kohort.dev/v1alpha1
kind: Cluster
metadata: {name: lab}
spec:
  versions: {kubernetes: 1.36.2, kueue: 0.19.1}
  rackLabel: example.com/rack
  nodePools:
  - name: gpu
    flavor: gpu
    nodes: 4
    accelerator: example.com/gpu
    labels: {pool: gpu}
    taints: [{key: example.com/gpu, effect: NoSchedule}]
    perNode: {cpu: 100, memory: 1000Gi, example.com/gpu: 8, example.com/nic: 3, pods: 110, ephemeral-storage: 1Ti}
    reserve: {cpu: 4, memory: 40Gi, pods: 10}
  - name: cpu
    flavor: cpu
    nodes: 2
    labels: {pool: cpu}
    perNode: {cpu: 64, memory: 256Gi}
  - name: part
    flavor: part
    nodes: 2
    perNode: {cpu: 96, memory: 700Gi, example.com/big: 8, example.com/small: 32}
    reserve: {cpu: 8}
    share: {example.com/big: 3/7, example.com/small: 1/7}
# file: queues/flavors.yaml
apiVersion: kohort.dev/v1alpha1
kind: Flavor
metadata: {name: gpu}
spec: {}
---
apiVersion: kohort.dev/v1alpha1
kind: Flavor
metadata: {name: cpu}
spec: {}
---
apiVersion: kohort.dev/v1alpha1
kind: Flavor
metadata: {name: part}
spec: {}
---
apiVersion: kohort.dev/v1alpha1
kind: Size
metadata: {name: m}
spec: {gpus: 4}
---
apiVersion: kohort.dev/v1alpha1
kind: QueueClass
metadata: {name: batch}
spec: {}
---
apiVersion: kohort.dev/v1alpha1
kind: Cohort
metadata: {name: all}
spec: {}
"""


def files_of(text: str) -> dict[str, str]:
    parts = FILE.split(text)
    return {parts[i]: parts[i + 1] for i in range(1, len(parts), 2)}


def repo_of(text: str) -> Repo:
    intake = take_in(read_file(file, body.encode()) for file, body in files_of(text).items())
    assert not intake.findings
    return load(intake.declarations, {}, intake.objects)


def team(spec: str, name: str = "blue") -> str:
    body = "".join(f"  {line}\n" for line in spec.splitlines())
    return f"# file: teams/{name}/team.yaml\n{HEAD}kind: Team\nmetadata: {{name: {name}}}\nspec:\n{body}"


def places(text: str, findings: tuple[Finding, ...]) -> list[tuple[str, str, str]]:
    """(code, file:line:column, message) of each finding."""
    files = files_of(text)
    positions = Positions(lambda file: files[file].encode() if file in files else None)
    shown = []
    for finding in findings:
        span = positions.span(finding.primary.origin)
        assert span is not None, finding
        place = f"{finding.primary.origin.file}:{span.line}:{span.column}"
        shown.append((finding.code, place, finding.message))
    return shown


def found(text: str) -> list[tuple[str, str, str]]:
    return places(text, repo_of(text).findings)
