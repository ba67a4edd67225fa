"""What holds for every plan: it is empty between equals, turns around, knows no order of files, and leaves nothing out."""

from __future__ import annotations

import random
from functools import cache

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from plan_world import FILES
from planned import planned

from kohort.engine.outcome import Settings
from kohort.engine.planning import plan_repositories
from kohort.planner.plan import Plan
from kohort.source.tree import MemoryTree

CALM = settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)
BLUE, RED, GREEN, GOLD = (f"teams/{name}/team.yaml" for name in ("blue", "red", "green", "gold"))
# Single edits that can be combined: (file, old text, new texts).
EDITS = [
    (BLUE, "{flavor: h100, gpus: 8}", ["{flavor: h100, gpus: 7}", "{flavor: h100, gpus: 12, lend: 3}", ""]),
    (BLUE, "- {flavor: a100, gpus: 2}", ["", "- {flavor: a100, gpus: 1, borrow: none}"]),
    (BLUE, "users: [alice]", ["users: []", "users: [alice, bob]"]),
    (BLUE, "default: true", ["default: false"]),
    (RED, "gpus: 6", ["gpus: 0", "gpus: 1", "gpus: 9, lend: none"]),
    (RED, "cohort: research", ["cohort: products", "cohort: org"]),
    (RED, "class: batch", ["class: calm", "class: batch\n  weight: 4", "class: batch\n  stop: Hold"]),
    (RED, "[red]", ["[red, red-two]", "[scarlet]"]),
    (GREEN, "borrow: 4", ["borrow: none", "borrow: any"]),
    (GREEN, "lend: 2", ["lend: none", "lend: 4"]),
    (GREEN, "nodes: 1", ["nodes: 2", "nodes: 3"]),
    (GREEN, "class: calm\n    cohort: products\n    quota", ["class: batch\n    cohort: org\n    quota"]),
    (GOLD, "gpus: 4", ["gpus: 2", "gpus: 5"]),
    ("queues/cohorts.yaml", "weight: 3", ["weight: 1", "weight: 5"]),
    (
        "queues/cohorts.yaml",
        "{flavor: a100, gpus: 2}",
        ["{flavor: a100, gpus: 3}", "{flavor: h100, gpus: 1}"],
    ),
    ("queues/classes.yaml", "reclaimWithinCohort: Any, ", ["", "reclaimWithinCohort: LowerPriority, "]),
    ("queues/priorities.yaml", "value: 100\n", ["value: 200\n"]),
    ("clusters/pokprod/cluster.yaml", "amount: 4", ["amount: 2", "amount: 6"]),
    ("clusters/pokprod/cluster.yaml", "flavor: h100\n    nodes: 4", ["flavor: h100\n    nodes: 5"]),
    ("clusters/pokprod/cluster.yaml", "[batch/job]", ["[batch/job, jobset.x-k8s.io/jobset]"]),
    ("kohort.yaml", "[platform-admins]", ["[]", "[platform-admins, more]"]),
]


@st.composite
def organisations(draw) -> tuple[tuple[str, str], ...]:
    files = dict(FILES)
    for number in draw(st.sets(st.integers(0, len(EDITS) - 1), max_size=5)):
        file, old, new = EDITS[number]
        files[file] = files[file].replace(old, draw(st.sampled_from(new)))
    if draw(st.booleans()) and draw(st.booleans()):
        del files[draw(st.sampled_from([RED, GOLD]))]
    return tuple(sorted(files.items()))


@cache
def plan(before: tuple, after: tuple) -> Plan:
    return planned(dict(after), dict(before)).plan


@CALM
@given(organisations())
def test_nothing_changes_between_equals(files):
    found = plan(files, files)
    assert found.empty
    assert (found.objects, found.runbooks, found.findings, found.new, found.fixed) == ((), (), (), (), ())


@CALM
@given(organisations(), organisations())
def test_a_plan_and_its_inverse_cancel(before, after):
    there, back = plan(before, after), plan(after, before)
    assert {(e.key, e.before or 0, e.after or 0) for e in there.effects} == {
        (e.key, e.after or 0, e.before or 0) for e in back.effects
    }
    assert sum(e.delta for e in there.effects) + sum(e.delta for e in back.effects) == 0
    assert {(m.team, m.cluster, m.circle, m.subject, m.joined) for m in there.members} == {
        (m.team, m.cluster, m.circle, m.subject, not m.joined) for m in back.members
    }
    assert {(a.cluster, a.subject, a.ability, a.where, a.queues, a.gained) for a in there.access} == {
        (a.cluster, a.subject, a.ability, a.where, a.queues, not a.gained) for a in back.access
    }
    turned = {"added": "removed", "removed": "added", "changed": "changed"}
    assert {(o.cluster, o.ref, o.how) for o in there.objects} == {
        (o.cluster, o.ref, turned[o.how]) for o in back.objects
    }


@CALM
@given(organisations(), st.randoms(use_true_random=False))
def test_the_order_and_the_names_of_files_say_nothing(after, rng: random.Random):
    renamed = {
        f"teams/zz-{rng.randrange(99)}-{name.split('/')[1]}.yaml" if name.startswith("teams/") else name: text
        for name, text in dict(after).items()
    }
    shuffled = list(renamed.items())
    rng.shuffle(shuffled)
    other = plan_repositories(MemoryTree(FILES), MemoryTree(dict(shuffled)), Settings()).plan
    one = plan(tuple(sorted(FILES.items())), after)

    def essence(found: Plan):
        return (
            [(e.key, e.before, e.after) for e in found.effects],
            [(m.team, m.circle, m.subject, m.joined) for m in found.members],
            found.access,
            [
                (o.cluster, o.ref, o.how, o.disruption)
                for o in found.objects
                if not all(f.rule == "provenance" for f in o.fields) or not o.fields
            ],
            [book.title for book in found.runbooks],
        )

    assert essence(one) == essence(other)


@CALM
@given(organisations(), organisations())
def test_every_difference_shows_in_an_effect_or_says_why_it_has_none(before, after):
    found = plan(before, after)
    amounts = {(e.key.cluster, e.key.name) for e in found.effects}
    flavors = {(e.key.cluster, e.key.flavor) for e in found.effects}
    opened = {a.cluster for a in found.access}
    for one in found.objects:
        assert one.shows, one.ref
        assert one.why, one.ref
        for field in one.fields:
            assert field.rule, (one.ref, field.path)
        if one.shows == "amounts" and any(field.rule == "quota" for field in one.fields):
            names = {name for cluster, name in amounts if cluster == one.cluster}
            if one.ref.name.startswith("slack-"):
                assert any(e.key.measure.value == "slack" for e in found.effects)
            else:
                assert one.ref.name in names
            touched = {field.flavor for field in one.fields if field.rule == "quota"}
            assert touched <= {flavor for cluster, flavor in flavors if cluster == one.cluster}
        if one.shows == "access" and any(field.rule == "binding-subjects" for field in one.fields):
            assert one.cluster in opened
