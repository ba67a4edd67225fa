"""The table of disruption covers every field of Kueue's schemas and of everything that is compiled, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

import kohort
from kohort.objects.schema import kinds, table_for
from kohort.planner.disruption.rule import ACCESS, AMOUNTS, BEHAVIOUR, FACTS, WORK
from kohort.planner.disruption.table import ANY, all_rules, rule_for

ROOT = Path(__file__).resolve().parents[2]
# What nobody declares: Workloads are made by Kueue, and what runs is no part of a change.
_NOT_DECLARED = {"Workload", "AppWrapper"}


def schema_fields(kind: str):
    """(pattern, node) of every field of a kind of Kueue, `status` and the header left out."""
    root = table_for("kueue.x-k8s.io/v1beta2", kind, "0.19.1")
    waiting = [("", root)]
    while waiting:
        pattern, node = waiting.pop()
        for name, inner in node.fields.items():
            if not pattern and name in {"apiVersion", "kind", "metadata", "status"}:
                continue
            here = f"{pattern}.{name}" if pattern else name
            yield here
            waiting.append((here, inner))
        if node.items is not None:
            yield f"{pattern}[*]"
            waiting.append((f"{pattern}[*]", node.items))


@pytest.mark.parametrize("kind", [kind for kind in kinds("0.19.1") if kind not in _NOT_DECLARED])
def test_every_field_of_kueues_schema_has_a_rule_of_its_kind(kind):
    fields = [field for field in schema_fields(kind) if field != "spec"]
    assert len(fields) >= 1
    missing = [field for field in fields if rule_for(kind, field) is None]
    assert missing == []


def compiled_patterns(data):
    waiting = [("", data)]
    while waiting:
        pattern, value = waiting.pop()
        if isinstance(value, dict):
            for key, inner in value.items():
                if not pattern and key in {"apiVersion", "kind"}:
                    continue
                waiting.append((f"{pattern}.{key}" if pattern else key, inner))
        elif isinstance(value, list):
            waiting += [(f"{pattern}[*]", inner) for inner in value]
        elif pattern not in {"metadata.name", "metadata.namespace"}:
            yield pattern


def test_every_field_and_every_kind_that_the_shipped_organisation_compiles_to_has_a_rule():
    bundle = kohort.build(kohort.load(ROOT))
    missing, seen = set(), 0
    for built in bundle.clusters.values():
        for objects in built.files.values():
            for obj in objects:
                if rule_for(obj.kind, "") is None:
                    missing.add((obj.kind, ""))
                for pattern in compiled_patterns(obj.data):
                    seen += 1
                    if rule_for(obj.kind, pattern) is None:
                        missing.add((obj.kind, pattern))
    assert missing == set()
    assert seen > 2000


def test_facts_are_known_and_the_last_case_always_holds():
    for rule in all_rules():
        assert rule.cases[-1].when == "", rule.name
        for case in rule.cases:
            unknown = {
                fact for fact in case.when.split() if fact not in FACTS and fact[:3] not in {"to:", "fro"}
            }
            assert not unknown, rule.name
            assert case.why, rule.name
        assert len({case.when for case in rule.cases}) == len(rule.cases), (
            f"{rule.name}: a case can never hold"
        )


def test_rules_say_where_a_change_shows_or_why_it_has_no_effect():
    for rule in all_rules():
        known = {AMOUNTS, ACCESS, BEHAVIOUR, WORK}
        assert rule.shows in known or rule.shows.removeprefix("no effect: ") not in {"", rule.shows}, (
            rule.name
        )
        assert rule.source, rule.name


def test_the_file_of_a_rule_has_its_name():
    from kohort.planner.disruption import rules

    files = {path.stem for path in Path(rules.__path__[0]).glob("*.py")} - {"__init__"}
    assert files == {rule.name.replace("-", "_") for rule in all_rules()}


@pytest.mark.parametrize(
    ("kind", "pattern", "name"),
    [
        ("ClusterQueue", "spec.resourceGroups[*].flavors[*].resources[*].nominalQuota", "quota"),
        ("Cohort", "spec.resourceGroups[*].flavors[*].resources[*].nominalQuota", "quota"),
        ("Cohort", "spec.resourceGroups[*].flavors[*]", "cohort-quota"),
        ("ClusterQueue", "spec.resourceGroups[*].flavors", "flavor-order"),
        ("ClusterQueue", "spec.resourceGroups[*].coveredResources[*]", "covered-resources"),
        ("ClusterQueue", "spec.preemption.borrowWithinCohort.maxPriorityThreshold", "preemption-threshold"),
        ("LocalQueue", "spec.fairSharing.weight", "local-queue-weight"),
        ("Namespace", "metadata.labels[kohort.dev/team]", "ownership"),
        ("Namespace", "metadata.labels[pod-security.kubernetes.io/enforce]", "namespace-labels"),
        ("ClusterQueue", "metadata.labels.app", "labels"),
        ("Widget", "metadata.annotations[kohort.dev/source]", "provenance"),
    ],
)
def test_the_longest_pattern_counts(kind, pattern, name):
    assert rule_for(kind, pattern).name == name


def test_unknown_kinds_have_no_rule_but_for_their_labels():
    assert rule_for("Widget", "spec.size") is None
    assert rule_for("Widget", "") is None
    assert ANY == "*"
