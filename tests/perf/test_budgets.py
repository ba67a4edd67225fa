"""Ratios within one process, by processor time and with generous limits: what they catch is a lost order of magnitude.

The real figures are measured by `ci/bench` and stored in docs/bench.md.
"""

from __future__ import annotations

import gc
import importlib.util
import json
import subprocess
import sys
import time
from pathlib import Path

import pytest

from kohort.compiler.emit import render_files
from kohort.engine.outcome import Settings
from kohort.engine.repository import check_repository
from kohort.engine.session import Session
from kohort.source.tree import MemoryTree

ROOT = Path(__file__).parents[2]


def organisation(folder, teams, clusters):
    spec = importlib.util.spec_from_file_location("generate", ROOT / "ci" / "generate.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.write(folder, teams, clusters, 0)
    return MemoryTree({p.relative_to(folder).as_posix(): p.read_bytes() for p in folder.rglob("*.yaml")})


def seconds(work, times=3):
    """The least processor time of a few runs."""
    found = []
    for _ in range(times):
        started = time.process_time()
        work()
        found.append(time.process_time() - started)
    return min(found)


@pytest.fixture(scope="module")
def tree(tmp_path_factory):
    return organisation(tmp_path_factory.mktemp("organisation"), 100, 10)


def test_an_update_costs_a_fraction_of_the_whole(tree):
    session = Session(tree)
    name = "teams/team-00007/team.yaml"
    contents = iter([tree[name] + b"# %d\n" % number for number in range(9)])
    whole = seconds(lambda: check_repository(tree, Settings()))
    assert seconds(lambda: session.update(name, next(contents))) < whole / 2


def test_cost_per_team_stays(tmp_path, tree):
    larger = organisation(tmp_path, 300, 30)

    def compiled(files):
        return lambda: render_files(check_repository(files, Settings())[1])

    assert seconds(compiled(larger), 2) < 6 * seconds(compiled(tree), 2), "three times the teams and clusters"


def test_collection_is_off_only_while_judging(tree):
    assert gc.isenabled()
    few = MemoryTree({name: data for name, data in tree.items() if not name.startswith("teams/")})
    check_repository(few, Settings())
    assert gc.isenabled()


@pytest.mark.slow
def test_the_bench_runs():
    done = subprocess.run(
        [sys.executable, ROOT / "ci" / "bench.py", "--quick", "--json"],
        capture_output=True,
        text=True,
        check=False,
        timeout=280,
    )
    assert done.returncode == 0, done.stderr
    ratios = json.loads(done.stdout)
    assert set(ratios) == {
        "check, new process, one file changed",
        "check, new process, nothing changed",
        "Session.update, one file changed",
        "kohort --help",
        "plan, one quota changed",
        "plan, one quota changed, files in the cache",
        "plan, 40 files changed",
    }
    assert ratios["check, new process, nothing changed"] < 1
    assert ratios["kohort --help"] < 3
