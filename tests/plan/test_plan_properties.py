"""What holds for every plan: it is empty between equals, turns around, knows no order of files, and leaves nothing out.

The plans are of random edits of the wide world, in which every field of every kind of declaration stands.
"""

from __future__ import annotations

import copy
import json
import random
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from wide_edits import DOCUMENTS, Files, files_of, organisations, rename
from wide_world import WIDE

import kohort
from kohort.engine.outcome import Settings
from kohort.engine.planning import plan_repositories
from kohort.objects.quantity import Quantity
from kohort.planner.plan import Effect, FieldChange, Measure, ObjectChange, Plan
from kohort.source.tree import MemoryTree
from kohort.spans import show_path

CALM = settings(
    max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)
SCHEMAS = Path(__file__).parents[2] / "ci" / "schemas"
# What nobody compares: notes about where an object comes from, and in which order it is applied.
NOTES = {"kohort.dev/source", "argocd.argoproj.io/sync-wave", "argocd.argoproj.io/sync-options"}
TURNED = {
    "added": "removed",
    "removed": "added",
    "changed": "changed",
    "reordered": "reordered",
    "raised": "lowered",
    "lowered": "raised",
    "": "",
}
Identity = tuple[str, str, str, str, str]


@cache
def plan(before: Files, after: Files) -> Plan:
    return plan_repositories(MemoryTree(dict(before)), MemoryTree(dict(after)), Settings()).plan


def identity(one: ObjectChange) -> Identity:
    return (one.cluster, one.ref.group, one.ref.kind, one.ref.namespace, one.ref.name)


@cache
def compiled(files: Files) -> dict[Identity, Any]:
    """Every object of every cluster as it would be written."""
    bundle = kohort.build(kohort.load(MemoryTree(dict(files))))
    return {
        (name, obj.group, obj.kind, obj.namespace, obj.name): obj.data
        for name, built in bundle.clusters.items()
        for some in built.files.values()
        for obj in some
    }


def schema_fields(schema: dict[str, Any], node: dict[str, Any], path: str, above: tuple[str, ...] = ()):
    """`.spec.queues[].quota{}[].flavor`: every field that the schema of a kind names."""
    if "$ref" in node:
        name = node["$ref"].rpartition("/")[2]
        if name not in above:
            yield from schema_fields(schema, schema["$defs"][name], path, (*above, name))
        return
    for each in (*node.get("anyOf", ()), *node.get("oneOf", ())):
        yield from schema_fields(schema, each, path, above)
    for name, each in node.get("properties", {}).items():
        yield f"{path}.{name}"
        yield from schema_fields(schema, each, f"{path}.{name}", above)
    for key, mark in (("items", "[]"), ("additionalProperties", "{}")):
        if isinstance(node.get(key), dict):
            yield from schema_fields(schema, node[key], f"{path}{mark}", above)


def typed_fields(fields: set[str], value: Any, path: str):
    """The fields of a schema that a document states."""
    if isinstance(value, list):
        for each in value:
            yield from typed_fields(fields, each, f"{path}[]")
    elif isinstance(value, dict):
        for key, each in value.items():
            named = f"{path}.{key}"
            inner = named if named in fields else f"{path}{{}}"
            yield inner
            yield from typed_fields(fields, each, inner)


# Scenarios change no cluster: what they do to a plan has tests of its own (test_plan_played).
KINDS = sorted(
    {path.name for path in SCHEMAS.glob("*.schema.json")}
    - {f"{name}.schema.json" for name in ("answer-v1", "kohort", "plan-v1", "report-v1", "scenario")}
)


@pytest.mark.parametrize("name", KINDS)
def test_the_world_states_every_field_of_every_kind(name):
    schema = json.loads((SCHEMAS / name).read_text("utf-8"))
    fields = set(schema_fields(schema, schema["properties"]["spec"], ".spec"))
    kind = schema["title"].partition(" ")[0]
    mine = [each for some in DOCUMENTS.values() for each in some if each["kind"] == kind]
    stated = {field for each in mine for field in typed_fields(fields, each["spec"], ".spec")}
    assert mine
    assert fields - stated == set()


def test_the_world_can_be_read_and_compiled_whole():
    found = plan((), tuple(sorted(WIDE.items())))
    assert found.head_errors == ()
    assert {one.cluster for one in found.objects} == {"pokprod", "vela", "tiny"}


@CALM
@given(organisations())
def test_nothing_changes_between_equals(files):
    found = plan(files, files)
    assert found.empty
    assert (found.objects, found.runbooks, found.findings, found.new, found.fixed) == ((), (), (), (), ())
    assert found.approvals in {(), None}
    assert found.self_service == ()


def turned(field: FieldChange) -> tuple[Any, ...]:
    return (
        field.pattern,
        TURNED[field.how],
        repr(field.after),
        repr(field.before),
        field.flavor,
        field.resource,
        TURNED[field.direction],
        field.rule,
    )


def straight(field: FieldChange) -> tuple[Any, ...]:
    values = (repr(field.before), repr(field.after))
    return (field.pattern, field.how, *values, field.flavor, field.resource, field.direction, field.rule)


@CALM
@given(organisations(), organisations())
def test_a_plan_and_its_inverse_cancel(before, after):
    there, back = plan(before, after), plan(after, before)
    renamed = {name for one in (*there.renames, *back.renames) for name in (one.before, one.after)}

    def lasting(effects: tuple[Effect, ...]) -> list[Effect]:
        """A team's new name is its old one on one way only."""
        return [e for e in effects if e.key.kind != "team" or e.key.name not in renamed]

    assert {(e.key, e.before or 0, e.after or 0) for e in lasting(there.effects)} == {
        (e.key, e.after or 0, e.before or 0) for e in lasting(back.effects)
    }
    assert sum(e.delta for e in there.effects) + sum(e.delta for e in back.effects) == 0
    assert {
        (m.team, m.cluster, m.circle, m.subject, m.joined) for m in there.members if m.team not in renamed
    } == {
        (m.team, m.cluster, m.circle, m.subject, not m.joined) for m in back.members if m.team not in renamed
    }
    assert {(a.cluster, a.subject, a.ability, a.where, a.queues, a.gained) for a in there.access} == {
        (a.cluster, a.subject, a.ability, a.where, a.queues, not a.gained) for a in back.access
    }
    assert {(identity(o), o.how) for o in there.objects} == {
        (identity(o), TURNED[o.how]) for o in back.objects
    }
    other = {identity(o): o for o in back.objects}
    for one in there.objects:
        assert Counter(map(straight, one.fields)) == Counter(map(turned, other[identity(one)].fields)), (
            one.ref
        )
    own = {(f.code, f.message) for f in there.new if not f.code.startswith("POL")}
    assert own == {(f.code, f.message) for f in back.fixed}


@CALM
@given(organisations(), st.randoms(use_true_random=False))
def test_the_order_and_the_names_of_files_say_nothing(after, rng: random.Random):
    base = tuple(sorted(WIDE.items()))
    moved = []
    for name, text in after:
        split = (
            text.split("---\n") if name.startswith(("queues/", "teams/")) and rng.random() < 0.5 else [text]
        )
        for place, part in enumerate(split):
            folder, _, file = name.rpartition("/")
            moved.append((f"{folder}/{rng.randrange(9)}-{place}-{file}" if len(split) > 1 else name, part))
    rng.shuffle(moved)
    one, other = (
        plan(base, after),
        plan_repositories(MemoryTree(dict(base)), MemoryTree(dict(moved)), Settings()).plan,
    )

    def essence(found: Plan):
        return (
            [(e.key, e.before, e.after) for e in found.effects],
            [(m.team, m.cluster, m.circle, m.subject, m.joined) for m in found.members],
            found.access,
            sorted((identity(o), o.how, o.disruption) for o in found.objects if not o.only_notes),
            [book.title for book in found.runbooks],
            [(r.kind, r.before, r.after) for r in found.renames],
        )

    assert essence(one) == essence(other)


def leaves(value: Any, pattern: str = "") -> Counter[tuple[str, str]]:
    """Every value of an object with the pattern of its path; items of lists are alike, notes left out."""
    found: Counter[tuple[str, str]] = Counter()
    inner: list[tuple[str, Any]] = []
    if isinstance(value, dict):
        for key, each in value.items():
            step = show_path((key,))
            if not (pattern == "metadata.annotations" and key in NOTES):
                inner.append(
                    (f"{pattern}{step}" if step.startswith("[") or not pattern else f"{pattern}.{step}", each)
                )
    elif isinstance(value, list):
        inner = [(f"{pattern}[*]", each) for each in value]
    else:
        found[pattern, repr(value)] += 1
    for path, each in inner:
        found += leaves(each, path)
    return found


@CALM
@given(organisations(), organisations())
def test_every_difference_of_compiled_output_is_told_and_nothing_else(before, after):
    found = plan(before, after)
    old, new = compiled(before), compiled(after)
    told = {identity(one): one for one in found.objects}
    assert old.keys() ^ new.keys() == {key for key, one in told.items() if one.how != "changed"}
    for key in old.keys() & new.keys():
        was, now = leaves(old[key]), leaves(new[key])
        patterns = {pattern for pattern, _ in (was - now) + (now - was)}
        fields = [field for field in told[key].fields if not field.is_note] if key in told else []
        for pattern in patterns:
            assert any(related(pattern, field.pattern) for field in fields), (key, pattern)
        for field in fields:
            assert field.how == "reordered" or any(related(p, field.pattern) for p in patterns), (
                key,
                field.path,
            )
    seen = {
        "amounts": found.effects,
        "access": found.access,
        "behaviour": found.objects,
        "work": found.objects,
    }
    for one in found.objects:
        assert one.shows.startswith("no effect: ") or seen[one.shows], one.ref
        assert one.why, one.ref
        assert one.rule, one.ref
        assert all(field.rule for field in one.fields), one.ref


def related(one: str, other: str) -> bool:
    return one.startswith(other) or other.startswith(one)


def promised(objects: dict[Identity, Any], kind: str) -> Counter[tuple[str, str, str, str]]:
    """Cluster, team or cohort, flavor and resource of every nominalQuota with the sum, in Kueue's units."""
    found: Counter[tuple[str, str, str, str]] = Counter()
    for (cluster, _, object_kind, _, name), data in objects.items():
        holder = data["metadata"].get("labels", {}).get("kohort.dev/team") if kind == "ClusterQueue" else name
        for group in data["spec"].get("resourceGroups", ()) if object_kind == kind and holder else ():
            for flavor, resource in ((f["name"], r) for f in group["flavors"] for r in f["resources"]):
                size = 10**6 if resource["name"] == "cpu" else 10**9
                units = Quantity.parse(resource["nominalQuota"]).nano // size
                found[cluster, holder, flavor, resource["name"]] += units
    return found


def looped(objects: dict[Identity, Any]) -> set[str]:
    """Clusters with cohorts whose parents run in a circle: Kueue leaves them out, and so do the amounts."""
    parents = {
        (key[0], key[4]): data["spec"].get("parentName")
        for key, data in objects.items()
        if key[2] == "Cohort"
    }
    found = set()
    for cluster, name in parents:
        above, steps = name, 0
        while above and steps <= len(parents):
            above, steps = parents.get((cluster, above)), steps + 1
        if above:
            found.add(cluster)
    return found


@CALM
@given(organisations(), organisations())
def test_every_guarantee_that_differs_is_an_effect_with_its_numbers_and_no_other_is(before, after):
    found = plan(before, after)
    old, new = compiled(before), compiled(after)
    left_out = looped(old) | looped(new)
    teams = {one.before: one.after for one in found.renames if one.kind == "Team"}
    for kind, holder, measure in (
        ("ClusterQueue", "team", Measure.GUARANTEE),
        ("Cohort", "cohort", Measure.POOL),
    ):
        was = {
            (cluster, teams.get(name, name) if holder == "team" else name, *pair): units
            for (cluster, name, *pair), units in promised(old, kind).items()
        }
        now = promised(new, kind)
        assert {
            (e.key.cluster, e.key.name, e.key.flavor, e.key.resource): (e.before or 0, e.after or 0)
            for e in found.effects
            if (e.key.kind, e.key.measure) == (holder, measure) and e.key.cluster not in left_out
        } == {
            key: (was.get(key, 0), now[key])
            for key in was.keys() | now.keys()
            if was.get(key, 0) != now[key] and key[0] not in left_out
        }


def test_a_team_and_a_flavor_that_say_their_old_names_change_no_amount():
    documents = copy.deepcopy({**DOCUMENTS, "ci/policies/people.yaml": []})
    base = files_of(documents)
    for kind, old, new in (("Team", "red", "crimson"), ("Flavor", "mig", "parts")):
        rename(documents, kind, old, new)
    found = plan(base, files_of(documents))
    assert [(one.kind, one.before, one.after) for one in found.renames] == [
        ("Flavor", "mig", "parts"),
        ("Team", "red", "crimson"),
    ]
    assert found.effects == ()
    assert found.disruption.value == "nothing"
