"""kubeconform with schemas from the Go modules, as one function from objects or folders to complaints."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from oracle_scripts import load_script

from kohort.lab.build import build, missing
from kohort.lab.failure import LabError


@pytest.fixture(scope="session")
def kube_schemas() -> Path:
    if shutil.which("go") is None:
        pytest.skip("schemas come from Go modules: `go` is not on PATH")
    try:
        return load_script("kube_schemas").schemas()
    except LabError as error:
        if os.environ.get("KOHORT_LAB"):  # where the lab is wanted, its absence is a failure
            raise
        pytest.skip(f"a Go module cannot be had: {error}")


@pytest.fixture(scope="session")
def kubeconform(kube_schemas: Path) -> Callable[[Path], tuple[int, list[str]]]:
    """From a folder to the number of objects that were judged and what is wrong with some."""
    if missing(["kubeconform"]):
        try:
            build(["kubeconform"], report=lambda _: None)
        except LabError as error:
            if os.environ.get("KOHORT_LAB"):
                raise
            pytest.skip(f"kubeconform cannot be built: {error}")
    program = build(["kubeconform"])["kubeconform"]
    location = f"{kube_schemas}/{load_script('kube_schemas').LOCATION}"

    def judge(folder: Path) -> tuple[int, list[str]]:
        done = subprocess.run(
            [
                program,
                "-strict",
                "-summary",
                "-verbose",
                "-output=json",
                "-n=2",
                f"-schema-location={location}",
                folder,
            ],
            capture_output=True,
            text=True,
            check=False,
            timeout=240,
        )
        # Files begin with a comment and `---`: an empty document, which has no status.
        judged = [each for each in json.loads(done.stdout)["resources"] if each["status"]]
        wrong = [
            f"{Path(r['filename']).name} {r['kind']} {r['name']}: {r.get('msg', '')}"
            for r in judged
            if r["status"] != "statusValid"
        ]
        assert (done.returncode == 0) == (not wrong), done.stderr
        return len(judged), wrong

    return judge
