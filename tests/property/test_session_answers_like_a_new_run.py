"""A session that has seen any edits says what a new run over the same files says: findings, order, summary, bytes."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kohort.compiler.emit import render_files
from kohort.engine.outcome import Settings
from kohort.engine.repository import check_repository
from kohort.engine.session import Session
from kohort.source.tree import MemoryTree

ROOT = Path(__file__).parents[2]
INVENTORY = """\
apiVersion: kohort.dev/v1alpha1
kind: Inventory
metadata: {name: c00}
spec:
  observed: 2026-01-01
  nodes:
  - {prefix: a100-, count: 4, pool: a100}
  - {prefix: h100-, count: 8, pool: h100}
  - {name: cpu-0, pool: cpu, ready: "False"}
"""
MAINTENANCE = """\
apiVersion: kohort.dev/v1alpha1
kind: Maintenance
metadata: {name: firmware}
spec: {cluster: c01, node: a100-1, reason: firmware, state: active}
"""
RAW = """\
apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: {name: by-hand}
spec:
  namespaceSelector: {}
  resourceGroups:
  - coveredResources: [cpu]
    flavors: [{name: cpu, resources: [{name: cpu, nominalQuota: -8}]}]
---
apiVersion: v1
kind: Node
metadata: {name: typed}
status: {capacity: {cpu: 64}, allocatable: {cpu: 64}}
"""
WORKLOAD = """\
apiVersion: kohort.dev/v1alpha1
kind: Workload
metadata: {name: run}
spec: {template: nowhere, cluster: c00, queue: train}
"""
EXCEPTION = """\
apiVersion: kohort.dev/v1alpha1
kind: Exception
metadata: {name: small}
spec: {codes: [QTA505], owner: admins, reason: trial, expires: 2027-01-01}
"""
BROKEN = ("", "a: [", "kind: Team\n", "{{ template }}", "apiVersion: kohort.dev/v2\nkind: Team\n", "- 1\n")


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    root = tmp_path_factory.mktemp("organisation")
    spec = importlib.util.spec_from_file_location("generate", ROOT / "ci" / "generate.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.write(root, 5, 3, 1)
    made = {p.relative_to(root).as_posix(): p.read_bytes() for p in sorted(root.rglob("*.yaml"))}
    more = {
        "clusters/c00/inventory.yaml": INVENTORY,
        "clusters/c01/maintenance/firmware.yaml": MAINTENANCE,
        "clusters/c02/raw/queue.yaml": RAW,
        "teams/team-00001/workloads/run.yaml": WORKLOAD,
        "ci/exceptions/small.yaml": EXCEPTION,
    }
    return {**made, **{name: text.encode() for name, text in more.items()}}


def edits(names):
    """(file, what to do with it); what is done depends on the file's present content."""
    swap = st.tuples(
        st.sampled_from(
            [b"gpus: ", b"a100", b"c00", b"c01", b"org", b"team-00001", b"train", b"8", b"active", b"cpu"]
        ),
        st.sampled_from(
            [b"gpus: 9", b"h100", b"c02", b"nowhere", b"team-00002", b"serve", b"0", b"-1", b"x: 1"]
        ),
        st.integers(1, 3),
    )
    change = st.one_of(
        swap,
        st.sampled_from([b"# kohort: allow QTA505: known\n", b"---\n", b"\nspec: {}\n"]),
        st.sampled_from([text.encode() for text in BROKEN]).map(lambda text: ("whole", text)),
        st.sampled_from(names).map(lambda other: ("like", other)),
        st.none(),
    )
    return st.lists(
        st.tuples(st.one_of(st.sampled_from(names), st.just("teams/new/team.yaml")), change), max_size=4
    )


def edited(change, name, now, first):
    """The new content of a file, None where it goes."""
    text = now.get(name, b"")
    if change is None:
        return None
    if isinstance(change, bytes):
        return text + change
    if change[0] == "whole":
        return change[1]
    if change[0] == "like":
        return first[change[1]]
    old, new, times = change
    return text.replace(old, new, times)


def said(outcome, bundle):
    report = outcome.report
    places = [outcome.places.span(finding.primary.origin) for finding in report.findings]
    return report, places, render_files(bundle), bundle.findings


@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_session_answers_like_a_new_run(files, data):
    session = Session(MemoryTree(files))
    now = dict(files)
    for name, change in data.draw(edits(sorted(files))):
        content = edited(change, name, now, files)
        outcome = session.update(name, content)
        if content is None:
            now.pop(name, None)
        else:
            now[name] = content
        assert said(outcome, session.bundle) == said(*check_repository(MemoryTree(now), Settings()))


def test_an_update_that_is_taken_back_restores_every_byte(files):
    session = Session(MemoryTree(files))
    before = said(session.outcome, session.bundle)
    name = "queues/cohorts.yaml"
    session.update(name, files[name].replace(b"org", b"other"))
    assert said(session.outcome, session.bundle) != before
    session.update(name, files[name])
    assert said(session.outcome, session.bundle) == before


def test_only_clusters_that_the_file_reaches_are_judged_again(files):
    session = Session(MemoryTree(files))
    before = dict(session.bundle.clusters)
    session.update("clusters/c01/maintenance/firmware.yaml", MAINTENANCE.replace("a100-1", "a100-2").encode())
    after = session.bundle.clusters
    assert [name for name in after if after[name] is not before[name]] == ["c01"]
    session.update("teams/new/notes.yaml", b"")
    assert [name for name in after if session.bundle.clusters[name] is not after[name]] == []
    name = "queues/flavors.yaml"
    session.update(name, files[name] + b"# every cluster has flavors\n")
    assert [name for name in after if session.bundle.clusters[name] is after[name]] == []


def test_a_file_that_could_not_be_read_is_forgiven_when_it_is_replaced(tmp_path, files):
    from kohort.source.tree import WorkDir

    for name, content in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(content)
    link = tmp_path / "teams" / "gone.yaml"
    link.symlink_to(tmp_path / "nowhere")
    session = Session(WorkDir(tmp_path))
    assert [f.code for f in session.outcome.report.findings if f.primary.origin.file == "teams/gone.yaml"]
    session.update("teams/gone.yaml", b"")
    assert (
        session.outcome.report
        == check_repository(MemoryTree({**files, "teams/gone.yaml": b""}), Settings())[0].report
    )
