"""Findings of the rules that stand for kinds of schema violations: one sentence, advice and repair for all of them."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from kohort.diagnostics import Finding
from kohort.objects.cluster import Cluster
from kohort.objects.kube import KubeObject
from kohort.objects.schema import Violation
from kohort.rules.base import Rule
from kohort.rules.refused.hints import advice, repair
from kohort.rules.refused.violations import sentence, violations


def schema_findings(
    rule: Rule, reasons: Collection[str], obj: KubeObject, cluster: Cluster
) -> Iterator[Finding]:
    """One finding per place of an object whose violation has one of these reasons."""
    found = [violation for violation in violations(obj, cluster) if violation.reason in reasons]
    return _findings(rule, found, obj, cluster) if found else iter(())  # nearly every object is right


def _findings(rule: Rule, found: list[Violation], obj: KubeObject, cluster: Cluster) -> Iterator[Finding]:
    for violation in found:
        yield rule.at(
            obj,
            violation.path,
            sentence(obj, violation),
            cluster=cluster,
            help=advice(obj, violation),
            fix=repair(obj, violation),
        )
