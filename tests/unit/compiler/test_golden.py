"""The compiled form of one small cluster with everything on, reviewed as a whole.

After a wanted change: KOHORT_UPDATE_GOLDENS=1 pytest tests/unit/compiler/test_golden.py, and read the diff.
"""

import os
from pathlib import Path

from kohort.compiler import render_files

GOLDEN = Path(__file__).parents[2] / "golden" / "compiler"
SETTINGS = """  scheduling: {scheduler: second, packing: true, gangs: true}
  kueue: {fairSharing: [LessThanOrEqualToFinalShare, LessThanInitialShare]}
  appwrapper: {wrappedKinds: [Secret], retryLimit: 2, grace: {warmupGracePeriod: 600}}
  argo: {repoURL: 'https://git.example.com/platform.git'}
  slack:"""
MORE = """
# file: queues/more.yaml
apiVersion: kohort.dev/v1alpha1
kind: Priority
metadata: {name: high}
spec: {value: 10, pods: true, description: "Work with a deadline: ask first."}
---
apiVersion: kohort.dev/v1alpha1
kind: Topology
metadata: {name: racks}
spec: {levels: [gen, kubernetes.io/hostname]}
---
apiVersion: kohort.dev/v1alpha1
kind: AdmissionCheck
metadata: {name: nodes}
spec: {provisioning: {class: check-capacity.autoscaling.x-k8s.io, retry: {limit: 5}}}
# file: clusters/lab/maintenance/firmware.yaml
apiVersion: kohort.dev/v1alpha1
kind: Maintenance
metadata: {name: firmware}
spec: {cluster: lab, node: big-1, reason: firmware, state: active}
"""


def test_golden(compile_repo, base_text):
    text = base_text.replace("  slack:", SETTINGS)
    text = text.replace("spec: {tolerations:", "spec: {topology: racks, checks: [nodes], tolerations:")
    files = render_files(compile_repo(text, more=MORE).bundle)
    if os.environ.get("KOHORT_UPDATE_GOLDENS"):
        for path, data in files.items():
            (GOLDEN / path).parent.mkdir(parents=True, exist_ok=True)
            (GOLDEN / path).write_bytes(data)
    kept = {p.relative_to(GOLDEN).as_posix(): p.read_bytes() for p in GOLDEN.rglob("*.yaml")}
    assert sorted(kept) == sorted(files)
    for path, data in files.items():
        assert data.decode() == kept[path].decode(), path
