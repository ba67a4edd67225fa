"""One decision at a time against Kueue's own packages, on random clusters: quota, shares, flavors, words, victims.

`KOHORT_DECISIONS=A..B` tries other seeds than those that always run.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest
from decision_model import decide
from decision_scenarios import scenario

from kohort.lab.build import cache_folder
from kohort.lab.families import FAMILIES

pytestmark = pytest.mark.go

SOURCE = Path(__file__).parent / "decisions" / "main.go"
REPEATS = 20  # of a scenario that differs: Go's map order decides some ties, so any of its answers will do


def built():
    """The program, built once per text of it with the module files of the lab's Kueue."""
    texts = {
        "main.go": SOURCE.read_text(),
        **{name: FAMILIES["kueue"].text(name) for name in ("go.mod", "go.sum")},
    }
    folder = cache_folder() / f"decisions-{hashlib.sha256(repr(texts).encode()).hexdigest()[:16]}"
    program = folder / "decisions"
    if program.is_file():
        return program
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        (folder / name).write_text(text)
    unfinished = folder / f".decisions.{os.getpid()}"
    done = subprocess.run(
        ["go", "build", "-mod=readonly", "-buildvcs=false", "-o", str(unfinished), "."],
        cwd=folder,
        env={**os.environ, "GOFLAGS": "", "GOWORK": "off", "GOTOOLCHAIN": "auto"},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        if os.environ.get("KOHORT_LAB"):  # where the lab is wanted, its absence is a failure
            pytest.fail(done.stderr[-2000:])
        pytest.skip(f"Kueue's packages cannot be built: {done.stderr[-300:]}")
    unfinished.rename(program)
    return program


@pytest.fixture(scope="module")
def kueue():
    if shutil.which("go") is None:
        pytest.skip("Kueue's own packages need `go`, which is not on PATH")
    with subprocess.Popen([built()], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as program:

        def ask(asked):
            program.stdin.write(json.dumps(asked) + "\n")
            program.stdin.flush()
            said = json.loads(program.stdout.readline())
            assert "error" not in said, said["error"]
            return said

        yield ask
        program.stdin.close()


def differences(theirs, ours):
    """What differs, by field: (theirs, ours). Go writes an empty list as null, and no share of an implicit cohort."""
    shares = {name: value for name, value in ours["shares"].items() if name in theirs["shares"]}
    ours = ours | {"shares": shares}
    return {key: (theirs[key], ours[key]) for key in ours if (theirs[key] or None) != (ours[key] or None)}


def seeds():
    first, _, last = os.environ.get("KOHORT_DECISIONS", "0..400").partition("..")
    return range(int(first), int(last))


@pytest.mark.timeout(0 if os.environ.get("KOHORT_DECISIONS") else 300)
def test_decisions_are_those_of_kueue(kueue):
    wrong, modes, several = {}, set(), 0
    for seed in seeds():
        asked = scenario(seed)
        ours = decide(asked)
        modes.add((ours["mode"], bool(ours["victims"])))
        several += len(ours["victims"]) > 1
        found = differences(kueue(asked), ours)
        if found and all(differences(kueue(asked), ours) for _ in range(REPEATS)):
            wrong[seed] = found
    assert not wrong, json.dumps(wrong, indent=1)[:4000]
    assert modes >= {("Fit", False), ("NoFit", False), ("Preempt", True), ("Preempt", False)}
    assert several >= 3
