"""Codes that turning documents into objects can report."""

from __future__ import annotations

from kohort.diagnostics import Consequence, Severity
from kohort.diagnostics.codes import CodeDoc

RULES = (
    CodeDoc(
        code="OBJ001",
        name="not-an-object",
        severity=Severity.ERROR,
        consequence=Consequence.INVALID,
        summary="A document is not a Kubernetes object: no apiVersion or kind, or not a mapping at all.",
        why="kubectl and Argo CD stop at such a document, so nothing after it in the same file is applied.",
        bad='apiVersion: kueue.x-k8s.io/v1beta2\nkind: ResourceFlavor\nmetadata: {name: h100}\n---\n"just text"\n',
        good="apiVersion: kueue.x-k8s.io/v1beta2\nkind: ResourceFlavor\nmetadata: {name: h100}\n",
    ),
)
