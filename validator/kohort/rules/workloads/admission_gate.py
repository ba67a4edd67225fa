"""The annotation with the gates of an admission holds something else than names of gates.

Why:
    A job with kueue.x-k8s.io/admission-gated-by waits until the named controllers take their gates away. Names are like
    `example.com/budget`, at most 63 bytes, each once, with commas between them; the webhooks refuse everything else.

Bad:
    apiVersion: batch/v1
    kind: Job
    metadata: {name: train, namespace: team-a, labels: {kueue.x-k8s.io/queue-name: main}, annotations: {kueue.x-k8s.io/admission-gated-by: budget}}
    spec:
      template:
        spec: {restartPolicy: Never, containers: [{name: main, image: example.com/train:1}]}

Good:
    apiVersion: batch/v1
    kind: Job
    metadata: {name: train, namespace: team-a, labels: {kueue.x-k8s.io/queue-name: main}, annotations: {kueue.x-k8s.io/admission-gated-by: example.com/budget}}
    spec:
      template:
        spec: {restartPolicy: Never, containers: [{name: main, image: example.com/train:1}]}

Source:
    Kueue 0.19, job webhooks (gate AdmissionGatedBy, off before); the names are those of a Job's managedBy
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from kohort.diagnostics import Audience, Consequence, Finding
from kohort.objects.cluster import Cluster
from kohort.objects.kube import KubeObject
from kohort.objects.names import dns_subdomain, visible
from kohort.objects.versions import version_key
from kohort.rules.appwrapper.webhook import is_appwrapper
from kohort.rules.base import Rule, Stage
from kohort.rules.workloads.job_metadata import JOB_KINDS, judged

RULE = Rule("WKL669", "admission-gate-refused", Consequence.REFUSED, audience=Audience.TEAM, stage=Stage.FORM)
_GATES: Final = "kueue.x-k8s.io/admission-gated-by"
_SINCE: Final = (0, 19)
_LONGEST: Final = 63
_PATH: Final = re.compile(r"[A-Za-z0-9/\-._~%!$&'()*+,;=:]+")


@RULE.each("AppWrapper", *JOB_KINDS)
def check(obj: KubeObject, cluster: Cluster) -> Iterator[Finding]:
    """One finding per job: the first gate that is wrong."""
    if version_key(cluster.kueue) < _SINCE or not (judged(obj) or is_appwrapper(obj)):
        return
    text = obj.annotations().get(_GATES, "")
    reason = _wrong([gate.strip() for gate in text.split(",")]) if text.strip() else ""
    if reason:
        message = f'{obj.ref}: annotation {_GATES} "{visible(text[:80])}" is refused: {reason}'
        yield RULE.at(obj, ("metadata", "annotations", _GATES), message, cluster=cluster)


def _wrong(gates: list[str]) -> str:
    for index, gate in enumerate(gates):
        domain, slash, path = gate.partition("/")
        if not gate:
            return "a name between two commas is empty"
        if gate in gates[:index]:
            return f"{visible(gate[:80])} stands twice"
        if not slash or not domain or not path:
            return f"{visible(gate[:80])} is not like example.com/budget"
        bad = dns_subdomain(domain)
        if bad:
            return f"{visible(domain[:80])} is no domain: {bad}"
        if not _PATH.fullmatch(path):
            return f"{visible(path[:80])} has characters that no path of an address has"
        if len(gate.encode()) > _LONGEST:
            return f"{visible(gate[:80])} has {len(gate.encode())} bytes, more than {_LONGEST}"
    return ""
