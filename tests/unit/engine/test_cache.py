from __future__ import annotations

import os
import pickle
from pathlib import Path

import pytest

from kohort.diagnostics import Report
from kohort.engine import cache as caches
from kohort.engine import reading
from kohort.engine import repository as engine
from kohort.engine.cache import Cache, cache_folder, fingerprint
from kohort.engine.checking import check_paths
from kohort.engine.memory import Memory
from kohort.engine.outcome import Settings

CLUSTER = """\
apiVersion: kohort.dev/v1alpha1
kind: Cluster
metadata: {name: lab}
spec:
  versions: {kubernetes: 1.36.2, kueue: 0.19.1}
  nodePools:
  - {name: h100, flavor: h100, nodes: 2, accelerator: nvidia.com/gpu,
     perNode: {cpu: 96, memory: 1Ti, nvidia.com/gpu: 8, pods: 250}}
"""
TEAM = """\
apiVersion: kohort.dev/v1alpha1
kind: Team
metadata: {name: blue}
spec:
  namespaces: [blue]
  access: {admins: {groups: [leads]}, members: {groups: [devs]}}
  queues:
  - {name: train, class: batch, quota: {lab: [{flavor: h100, gpus: 8}]}}
"""
FILES = {
    "kohort.yaml": "apiVersion: kohort.dev/v1alpha1\nkind: Organisation\nmetadata: {name: o}\nspec: {}\n",
    "clusters/lab/cluster.yaml": CLUSTER,
    "clusters/lab/inventory.yaml": "apiVersion: kohort.dev/v1alpha1\nkind: Inventory\nmetadata: {name: lab}\n"
    "spec: {observed: 2026-01-01, nodes: [{name: n1, pool: h100}, {name: n2, pool: h100}]}\n",
    "queues/flavors.yaml": "apiVersion: kohort.dev/v1alpha1\nkind: Flavor\nmetadata: {name: h100}\nspec: {}\n",
    "queues/classes.yaml": "apiVersion: kohort.dev/v1alpha1\nkind: QueueClass\nmetadata: {name: batch}\nspec: {}\n",
    "teams/blue/team.yaml": TEAM,
}


@pytest.fixture(autouse=True)
def _user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "user"))
    monkeypatch.delenv("KOHORT_CACHE", raising=False)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    root = tmp_path / "repository"
    for name, text in FILES.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, "utf-8")
    return root


def check(root: Path, *, cached: bool = True) -> Report:
    return check_paths([str(root)], [], Settings(cached=cached)).report


def cache_files(root: Path) -> list[str]:
    folder = root / ".kohort" / "cache"
    return sorted(path.name for path in folder.iterdir()) if folder.is_dir() else []


def ask_for(root: Path, gpus: int) -> None:
    (root / "teams/blue/team.yaml").write_text(TEAM.replace("gpus: 8", f"gpus: {gpus}"), "utf-8")


def test_a_cached_answer_is_the_fresh_one_whatever_changes(repository: Path) -> None:
    for gpus in (8, 8, 99, 8):
        ask_for(repository, gpus)
        fresh = check(repository, cached=False)
        assert ("CAP901" in {finding.code for finding in fresh.findings}) == (gpus == 99)
        assert check(repository) == fresh
        assert check(repository) == fresh, "also when nothing has changed"
    (repository / "teams/blue/team.yaml").unlink()
    assert check(repository) == check(repository, cached=False)


def test_what_is_known_is_neither_parsed_nor_compiled_again(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    check(repository)
    parsed: list[str] = []
    built: list[str] = []
    real_read, real_build = reading.read_file, engine.build_cluster

    def read_file(file: str, data: bytes) -> object:
        parsed.append(file)
        return real_read(file, data)

    def build_cluster(repo: object, name: str) -> object:
        built.append(name)
        return real_build(repo, name)

    monkeypatch.setattr(reading, "read_file", read_file)
    monkeypatch.setattr(engine, "build_cluster", build_cluster)
    check(repository)
    assert (parsed, built) == ([], [])
    ask_for(repository, 9)
    check(repository)
    assert (parsed, built) == (["teams/blue/team.yaml"], ["lab"])


def test_without_cache_nothing_is_written(repository: Path, tmp_path: Path) -> None:
    check(repository, cached=False)
    assert not (repository / ".kohort").exists()
    assert not (tmp_path / "user").exists()


@pytest.mark.parametrize("value", ["off", "0", ""])
def test_the_variable_switches_it_off(repository: Path, monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("KOHORT_CACHE", value)
    assert cache_folder(repository) is None
    check(repository)
    assert not (repository / ".kohort").exists()


def test_the_variable_moves_it(repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KOHORT_CACHE", str(tmp_path / "elsewhere"))
    check(repository)
    assert not (repository / ".kohort").exists()
    assert (tmp_path / "elsewhere" / f"{fingerprint()}.base").is_file()


def test_links_out_of_the_repository_are_not_followed(repository: Path, tmp_path: Path) -> None:
    (repository / ".kohort").symlink_to(tmp_path)
    assert cache_folder(repository) is None


class Boom:
    """Unpickling one makes a file: nothing that was not written by this user may get so far."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> object:
        return Path.touch, (self.path,)


@pytest.mark.parametrize("fault", ["cut", "flipped", "foreign", "empty", "other key"])
def test_foreign_or_damaged_content_is_not_looked_at(
    repository: Path, tmp_path: Path, fault: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    fresh = check(repository)
    path = repository / ".kohort" / "cache" / f"{fingerprint()}.base"
    data, ran = path.read_bytes(), tmp_path / "ran"
    start = len(caches._MAGIC) + caches._MAC
    payload = pickle.dumps(Boom(ran))
    foreign = {
        "cut": data[: len(data) // 2],
        "flipped": data[:-9] + bytes([data[-9] ^ 1]) + data[-8:],
        "foreign": data[:start] + payload,
        "empty": b"",
        "other key": caches._MAGIC + caches._mac(payload, b"k" * 32) + payload,
    }
    path.write_bytes(foreign[fault])
    loaded = Cache(path.parent).load()
    assert (loaded.files, loaded.clusters) == ({}, {})
    assert check(repository) == fresh
    assert not ran.exists()


def test_the_boom_of_that_test_would_go_off(tmp_path: Path) -> None:
    pickle.loads(pickle.dumps(Boom(tmp_path / "ran")))
    assert (tmp_path / "ran").exists()


def test_a_key_that_others_may_write_is_no_key(repository: Path, tmp_path: Path) -> None:
    check(repository)
    (tmp_path / "user/kohort/key").chmod(0o666)
    assert Cache(repository / ".kohort/cache").load() == Memory()


def test_a_cache_that_cannot_be_written_costs_only_time(repository: Path) -> None:
    (repository / ".kohort").mkdir()
    (repository / ".kohort/cache").write_text("a file in its place", "utf-8")
    assert check(repository) == check(repository, cached=False)


def test_a_small_change_is_kept_beside_the_base(repository: Path) -> None:
    for number in range(12):
        text = TEAM.replace("blue", f"t{number}").replace("gpus: 8", "gpus: 1")
        (repository / f"teams/t{number}").mkdir()
        (repository / f"teams/t{number}/team.yaml").write_text(text, "utf-8")
    check(repository)
    assert cache_files(repository) == [".gitignore", f"{fingerprint()}.base"]
    ask_for(repository, 2)
    check(repository)
    assert cache_files(repository) == [".gitignore", f"{fingerprint()}.base", f"{fingerprint()}.changed"]
    assert check(repository) == check(repository, cached=False)


def test_other_versions_are_forgotten(repository: Path) -> None:
    folder = repository / ".kohort" / "cache"
    folder.mkdir(parents=True)
    (folder / "0123.base").write_bytes(b"old")
    check(repository)
    assert cache_files(repository) == [".gitignore", f"{fingerprint()}.base"]


def test_the_fingerprint_follows_the_sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "engine").mkdir()
    source = tmp_path / "rules.py"
    source.write_text("a = 1\n", "utf-8")
    monkeypatch.setattr(caches, "__file__", str(tmp_path / "engine" / "cache.py"))
    first = fingerprint()
    os.utime(source, ns=(1, 1))
    second = fingerprint()
    source.write_text("a = 12\n", "utf-8")
    os.utime(source, ns=(1, 1))
    assert len({first, second, fingerprint()}) == 3
