"""Codes that turning documents into objects can report."""

from __future__ import annotations

from kohort.diagnostics import Consequence, Severity
from kohort.diagnostics.codes import CodeDoc


def _quota(number: str) -> str:
    return (
        "apiVersion: kueue.x-k8s.io/v1beta2\nkind: ResourceFlavor\nmetadata: {name: h100}\n---\n"
        "apiVersion: kueue.x-k8s.io/v1beta2\nkind: ClusterQueue\nmetadata: {name: train}\nspec:\n"
        "  namespaceSelector: {}\n  resourceGroups:\n  - coveredResources: [cpu]\n    flavors:\n"
        f"    - name: h100\n      resources: [{{name: cpu, nominalQuota: {number}}}]\n"
    )


RULES = (
    CodeDoc(
        code="OBJ001",
        name="document-without-kind",
        severity=Severity.ERROR,
        consequence=Consequence.INVALID,
        summary="A document is not a Kubernetes object: no apiVersion or kind, or not a mapping at all.",
        why="kubectl and Argo CD stop at such a document, so nothing after it in the same file is applied.",
        bad="apiVersion: kueue.x-k8s.io/v1beta2\nmetadata: {name: h100}\n",
        good="apiVersion: kueue.x-k8s.io/v1beta2\nkind: ResourceFlavor\nmetadata: {name: h100}\n",
    ),
    CodeDoc(
        code="UNT690",
        name="odd-number-notation",
        severity=Severity.WARNING,
        consequence=Consequence.UNSAFE,
        summary="A number is written in a notation that YAML reads otherwise than it looks: 0x10, 010, 1_000.",
        why="kubectl reads 0x10 as 16, 010 as 8 and 1_000 as 1000; other tools read text or other numbers, so two"
        " programs disagree about one file.",
        bad=_quota("010"),
        good=_quota('"8"'),
    ),
)
