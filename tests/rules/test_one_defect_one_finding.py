"""One defect is one finding: no two rules of a family speak about one place, unless they say different things of it.

Looked for over everything that a real Kueue was asked about, every bad example, and a matrix of spellings of amounts.
"""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import pytest
import yaml
from test_examples import DOCS, ENCODED, OF_CHANGES, OF_FILES, run

from kohort.engine.outcome import Settings
from kohort.engine.plain import check_plain
from kohort.source.tree import MemoryTree

WEBHOOKS = sorted((Path(__file__).parents[1] / "conformance/webhooks").glob("*.yaml"))
# Different facts at one place, each true and to be acted on by itself.
BOTH = {
    (
        "AWR812",
        "AWR815",
    ): "a wait that cannot be read, and what the retries may cost with the one that counts",
    (
        "AWR813",
        "AWR815",
    ): "a number that cannot be read, and what the retries may cost with the one that counts",
    ("AWR819", "AWR820"): "the controller may not make the component, and nobody counts its pods",
    ("UNT604", "UNT606"): "the form drifts, and the amount is as good as none: the latter may be meant",
}

AMOUNTS = [
    "0",
    "1",
    "8",
    '"8"',
    "12000m",
    "1024Mi",
    "1000",
    "1024",
    "1G",
    "1Gi",
    "512M",
    "1000k",
    "100m",
    "1500m",
    "0.5",
    "1.5",
    "2.0",
    "1e3",
    "1E3",
    "8Ei",
    "16E",
    "1e400",
    "100u",
    "1n",
    "1024k",
    "64Ki",
    "1Mi",
    "128974848m",
    "10000Gi",
    "1T",
    "0.1",
    "+5",
    "05",
    "8.000",
    "1e-3",
    "400G",
    "-1",
    "many",
    "0x10",
    "1_000",
    "12:30",
]
RESOURCES = [
    "cpu",
    "memory",
    "ephemeral-storage",
    "nvidia.com/gpu",
    "pods",
    "example.com/foo",
    "hugepages-2Mi",
]
FLAVOR = "apiVersion: kueue.x-k8s.io/v1beta2\nkind: ResourceFlavor\nmetadata: {name: f}\n---\n"
HOLDERS = {
    "ClusterQueue": FLAVOR
    + """\
apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: {name: q}
spec:
  namespaceSelector: {}
  resourceGroups:
  - coveredResources: [RESOURCE]
    flavors: [{name: f, resources: [{name: RESOURCE, nominalQuota: AMOUNT}]}]
""",
    "Cohort": FLAVOR
    + """\
apiVersion: kueue.x-k8s.io/v1beta2
kind: Cohort
metadata: {name: c}
spec:
  resourceGroups:
  - coveredResources: [RESOURCE]
    flavors: [{name: f, resources: [{name: RESOURCE, nominalQuota: AMOUNT}]}]
""",
    "Job": """\
apiVersion: batch/v1
kind: Job
metadata: {name: j, namespace: n, labels: {kueue.x-k8s.io/queue-name: q}}
spec:
  template:
    spec:
      restartPolicy: Never
      containers:
      - {name: c, image: i, resources: {requests: {RESOURCE: AMOUNT}, limits: {RESOURCE: AMOUNT}}}
""",
}


def doubles(report) -> dict[tuple[str, ...], set[str]]:
    """Codes of one family that stand at one place, with their consequences."""
    places = defaultdict(list)
    for finding in report.findings:
        origin = finding.primary.origin
        places[origin.file, origin.document, origin.path, finding.code[:3]].append(finding)
    found = {}
    for findings in places.values():
        codes = tuple(sorted({f.code for f in findings}))
        if len(codes) > 1:
            found[codes] = {f.consequence.value for f in findings}
    return found


def judged(text: str):
    return check_plain([MemoryTree({"a.yaml": text.encode()})], Settings(kueue="0.19.1")).report


def wrong(report) -> list[tuple[str, ...]]:
    return [codes for codes, said in doubles(report).items() if codes not in BOTH or len(said) < len(codes)]


@pytest.mark.parametrize("path", WEBHOOKS, ids=lambda path: path.stem)
def test_over_what_a_server_was_asked(path):
    for each in yaml.load(path.read_text("utf-8"), yaml.CSafeLoader)["verdicts"]:
        text = yaml.dump(each["object"], Dumper=getattr(yaml, "CSafeDumper", yaml.SafeDumper))
        assert wrong(judged(text)) == [], each["id"]


@pytest.mark.parametrize("code", sorted(DOCS.keys() - OF_FILES - OF_CHANGES))
def test_over_the_examples(code):
    assert wrong(run(DOCS[code].bad, ENCODED.get(code, "utf-8"))) == []


@pytest.mark.parametrize("holder", HOLDERS)
@pytest.mark.parametrize("resource", RESOURCES)
def test_over_spellings_of_amounts(holder, resource):
    for amount in AMOUNTS:
        text = HOLDERS[holder].replace("RESOURCE", resource).replace("AMOUNT", amount)
        assert wrong(judged(text)) == [], amount


def test_an_amount_that_is_doubtful_is_not_spelled_anew():
    text = HOLDERS["ClusterQueue"].replace("RESOURCE", "memory").replace("AMOUNT", "1000")
    (found,) = [f for f in judged(text).findings if f.code.startswith("UNT")]
    assert (found.code, found.message) == (
        "UNT602",
        "ClusterQueue q: memory nominalQuota 1000 = 1000 bytes; did you mean 1000Mi or 1000Gi?",
    )
    assert found.fix is None


def test_what_may_stand_together_really_does():
    """An entry that no longer happens would hide the next double."""
    happens = set()
    for path in WEBHOOKS:
        for each in yaml.load(path.read_text("utf-8"), yaml.CSafeLoader)["verdicts"]:
            if each["id"] in {"aw-retry-days", "aw-retry-limit-text", "cq-nominal-8-ei"}:
                happens |= doubles(judged(yaml.dump(each["object"]))).keys()
    assert happens | doubles(run(DOCS["AWR820"].bad)).keys() == BOTH.keys()
