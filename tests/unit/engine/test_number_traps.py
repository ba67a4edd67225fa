"""Numbers in odd notations are found one by one: a plain number is not odd for standing in a file with an odd one."""

import pytest

from kohort.engine.outcome import Settings
from kohort.engine.plain import check_plain
from kohort.source.tree import MemoryTree

FILE = """apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: {{name: q, labels: {{mode: 0x10}}}}
spec:
  namespaceSelector: {{}}
  resourceGroups:
  - coveredResources: [cpu]
    flavors: [{{name: f, resources: [{{name: cpu, nominalQuota: {}}}]}}]
"""


def findings(number):
    report = check_plain([MemoryTree({"q.yaml": FILE.format(number)})], Settings()).report
    return {f.code: f for f in report.findings if f.field.endswith("nominalQuota")}


@pytest.mark.parametrize("number", ["8", "0", "1.5", "0.5", "10.25", '"010"'])
def test_plain_numbers_beside_an_odd_one(number):
    assert "UNT690" not in findings(number)


@pytest.mark.parametrize(
    ("number", "value"), [("0x10", "16"), ("010", "8"), ("1_000", "1000"), ("0b11", "3"), ("+0x1", "1")]
)
def test_odd_numbers(number, value):
    found = findings(number)["UNT690"]
    assert found.message == (
        f"ClusterQueue q: spec.resourceGroups[0].flavors[0].resources[0].nominalQuota: {number} reads as {value} "
        "in YAML 1.1; other parsers read it otherwise"
    )
    assert found.fix is not None
    assert found.fix.edits[0].text == f'"{value}"'


def test_a_fraction_beside_an_odd_number_is_made_canonical_at_once():
    found = findings("1.5")["UNT604"]
    assert found.fix is not None
    assert found.fix.edits[0].text == "1500m"
