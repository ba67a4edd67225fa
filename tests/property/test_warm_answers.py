"""What a run says with whatever earlier runs left is what a new run says: checks, compiled bytes and plans."""

from __future__ import annotations

import importlib.util
import re
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from kohort.compiler.emit import render_files
from kohort.engine import planning, repository
from kohort.engine.cache import Cache
from kohort.engine.judge import form_codes
from kohort.engine.memory import Memory
from kohort.engine.outcome import Settings
from kohort.engine.planning import plan_repositories
from kohort.engine.rendering_plan import render_plan
from kohort.engine.repository import check_repository, judge_repository
from kohort.source.tree import MemoryTree

ROOT = Path(__file__).parents[2]
NAME = "teams/team-00001/team.yaml"
RAW = "clusters/c02/raw/queue.yaml"
BAD = b"""\
apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: {name: by-hand}
spec:
  namespaceSelector: {}
  resourceGroups:
  - coveredResources: [cpu]
    flavors: [{name: cpu, resources: [{name: cpu, nominalQuota: -8}]}]
"""
POLICY = """\
apiVersion: kohort.dev/v1alpha1
kind: Policy
metadata: {name: small}
spec:
  about: team
  rules:
  - expression: team.quota.all(q, q.guarantee <= 8)
    message: at most eight
"""


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    root = tmp_path_factory.mktemp("organisation")
    spec = importlib.util.spec_from_file_location("generate", ROOT / "ci" / "generate.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.write(root, 5, 5, 1)  # more than four clusters: the capacity of each is not told
    return {p.relative_to(root).as_posix(): p.read_bytes() for p in sorted(root.rglob("*.yaml"))}


def clusters_of(text):
    return sorted(set(re.findall(rb"c0\d", text)))


QUOTA = st.tuples(
    st.sampled_from(
        ["gpus", "lend", "flavor", "cluster", "comment", "order", "class", "member", "line", "whole"]
    ),
    st.integers(0, 5),
    st.integers(0, 12),
)


def changed(text, change):
    """A team's file after somebody has worked on it; what stands there decides whether anything happens."""
    what, place, number = change
    if what == "gpus":
        found = list(re.finditer(rb"gpus: \d+", text))
        one = found[place % len(found)] if found else None
        return text if one is None else text[: one.start()] + b"gpus: %d" % number + text[one.end() :]
    if what == "cluster":
        here = clusters_of(text)
        return text.replace(here[place % len(here)], b"c0%d" % (number % 5)) if here else text
    return {
        "lend": lambda: text.replace(b", lend: any", b", lend: %d" % number, 1),
        "flavor": lambda: text.replace(b"flavor: a100", b"flavor: l40s", 1),
        "comment": lambda: b"# %d\n" % number + text,
        "order": lambda: text.replace(
            b"  - name: train", b"  - {name: extra, class: batch}\n  - name: train", 1
        ),
        "class": lambda: text.replace(b"class: batch", b"class: production", 1),
        "member": lambda: text.replace(b"devs]", b"devs, more-%d]" % number, 1),
        "line": lambda: text.replace(b"gpus: ", b"until: 2027-01-01, gpus: ", 1),
        "whole": lambda: text + b"---\n" + text.replace(b"team-0000", b"copy-0000"),
    }[what]()


STEPS = st.lists(st.tuples(st.sampled_from([0, 1, 2]), QUOTA), min_size=1, max_size=4)


def said(outcome):
    return outcome.report, [
        outcome.places.span(finding.primary.origin) for finding in outcome.report.findings
    ]


def stepped(files, steps):
    """The files after each step."""
    now = dict(files)
    for team, change in steps:
        name = f"teams/team-0000{team}/team.yaml"
        now = {**now, name: changed(now[name], change)}
        yield now


@settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=STEPS)
@example(steps=[(1, ("gpus", 0, 3)), (1, ("gpus", 0, 4)), (1, ("gpus", 3, 4))])
@example(steps=[(1, ("whole", 0, 0)), (1, ("gpus", 0, 4)), (1, ("order", 0, 4))])
def test_checks_and_bytes(files, steps, tmp_path_factory, monkeypatch):
    """Over memory in the process, and over files that are written and read again after each step."""
    folder = tmp_path_factory.mktemp("cache")
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder / "user"))
    kept = Memory()
    check_repository(MemoryTree(files), Settings(), kept)
    for now in stepped(files, steps):
        cold, bundle = check_repository(MemoryTree(now), Settings())
        warm, other = check_repository(MemoryTree(now), Settings(), kept)
        assert said(warm) == said(cold)
        assert render_files(other) == render_files(bundle)
        cache = Cache(folder / "cache")
        memory = cache.load()
        assert said(judge_repository(MemoryTree(now), Settings(), memory)) == said(cold)
        cache.save(memory)


def planned(base, head, memory=None):
    found = plan_repositories(MemoryTree(base), MemoryTree(head), Settings(), memory=memory)
    return found.plan, render_plan(found, "json", full=True), render_plan(found, "html")


@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=STEPS, policed=st.booleans())
@example(steps=[(1, ("gpus", 0, 3))], policed=False)
@example(steps=[(0, ("gpus", 0, 99)), (1, ("gpus", 1, 12)), (2, ("member", 1, 2))], policed=False)
def test_plans(files, steps, policed):
    """With what a check of the base, of the head or of something else left, as without any."""
    files = {**files, RAW: BAD, **({"ci/policies/small.yaml": POLICY.encode()} if policed else {})}
    states = [files, *stepped(files, steps)]
    head = states[-1]
    fresh = planned(files, head)
    back = planned(head, files)
    for state in (files, head, states[len(states) // 2]):
        memory = Memory()
        judge_repository(MemoryTree(state), Settings(), memory)
        assert planned(files, head, Memory(dict(memory.files), dict(memory.clusters))) == fresh
        assert planned(head, files, memory) == back


def test_a_team_s_number_on_one_cluster_is_nothing_to_the_others(files, monkeypatch):
    built, real = [], repository.build_cluster

    def build(repo, name):
        built.append(name)
        return real(repo, name)

    monkeypatch.setattr(repository, "build_cluster", build)
    text = files[NAME]
    first = re.search(rb"c0\d", text)[0]  # whose line of quota is the first one
    where = clusters_of(text)
    assert len(where) == 2
    memory = Memory()
    judge_repository(MemoryTree(files), Settings(), memory)
    for change, expected in (
        (text.replace(b"gpus: ", b"gpus: 1", 1), [first]),
        (text.replace(b"gpus: ", b"gpus: 2", 1) + b"# said once more\n", [first]),
        (text.replace(b"devs]", b"devs, others]"), where),
        (text, where),
        (text + b"# nothing\n", []),
    ):
        built.clear()
        judge_repository(MemoryTree({**files, NAME: change}), Settings(), memory)
        assert [name.encode() for name in built] == expected


def test_a_plan_does_once_what_both_sides_have_in_common(files, monkeypatch):
    built, judged = [], []
    real_build, real_judge = planning.build_cluster, planning.judge_cluster

    def build(repo, name, beside):
        built.append(name)
        return real_build(repo, name, beside)

    def judge(cluster, off):
        judged.append(cluster.name)
        return real_judge(cluster, off)

    monkeypatch.setattr(planning, "build_cluster", build)
    monkeypatch.setattr(planning, "judge_cluster", judge)
    text = files[NAME]
    here = re.search(rb"c0\d", text)[0].decode()
    (other,) = (name.decode() for name in clusters_of(text) if name.decode() != here)
    head = {**files, NAME: text.replace(b"gpus: ", b"gpus: 1", 1)}
    fresh = planned(files, head)
    assert (sorted(built), sorted(judged)) == (sorted([here, here, other]), sorted([here, here, other]))
    assert fresh[0].alike == 3, (
        "clusters that the file does not reach; the other one it reaches, and changes nothing"
    )
    for state, expected in ((files, [here]), (head, [here]), ({**files, NAME: b""}, [here, here, other])):
        memory = Memory()
        judge_repository(MemoryTree(state), Settings(), memory)
        built.clear()
        judged.clear()
        assert planned(files, head, memory) == fresh
        assert sorted(judged) == sorted(expected)
        assert sorted(built) == sorted([here, here] if len(expected) == 1 else [here, here, other])
    judged.clear()
    forms = Memory()
    judge_repository(MemoryTree(files), Settings(), forms)
    told = [
        f
        for f in check_repository(MemoryTree({**files, RAW: BAD}), Settings())[0].report.findings
        if f.code in form_codes()
    ]
    assert told, "a finding of form"
    forms.clusters = {
        name: replace(one, judging=(*one.judging, *told)) for name, one in forms.clusters.items()
    }
    assert planned(files, head, forms) == fresh
    assert sorted(judged) == sorted([here, here, other])
