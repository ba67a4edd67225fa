"""Write the table of Kueue's feature gates from its Go modules: default, stage and lock of each gate per version.

Run at development time: `python ci/gate_tables.py`. It needs Go and its module proxy. Versions that the proxy does
not have are worked out from the next newer one, whose gates carry the version in which each stage began.
"""

from __future__ import annotations

import json
import re
import subprocess
import tempfile
from pathlib import Path
from typing import Any

TARGET = Path(__file__).parent.parent / "validator" / "kohort" / "objects" / "configuration" / "gates.json"
MODULES = {"0.15": "v0.15.2", "0.16": "v0.16.1", "0.17": "v0.17.1", "0.19": "v0.19.1"}
# The manager's gates share one registry with those of the API server library that serves its visibility API.
SERVER = ("k8s.io/apiserver", "v0.36.2", "pkg/features/kube_features.go")
_GATE = re.compile(r"^\t(?:genericfeatures\.)?(\w+): +\{\n(.*?)^\t\},", re.MULTILINE | re.DOTALL)
_SPEC = re.compile(
    r'MustParse\("([0-9.]+)"\), +Default: (true|false), +PreRelease: featuregate\.(\w+)(, +LockToDefault: true)?'
)
_STAGES = {"Alpha": "a", "Beta": "b", "GA": "g", "Deprecated": "d"}
Specs = dict[str, list[tuple[tuple[int, ...], str]]]


def module(path: str, version: str, file: str) -> str:
    """The text of a file of a Go module."""
    with tempfile.TemporaryDirectory() as empty:
        command = ["go", "mod", "download", "-json", f"{path}@{version}"]
        done = subprocess.run(command, cwd=empty, capture_output=True, text=True, check=True)
    return Path(json.loads(done.stdout)["Dir"], file).read_text(encoding="utf-8")


def gates(text: str) -> Specs:
    """Gate → its stages, oldest first, each as (version, words): `+b` on and beta, `-a` off and alpha, `!` locked."""
    names = dict(re.findall(r'^\t(\w+) +featuregate\.Feature = "(\w+)"', text, re.MULTILINE))
    found: Specs = {}
    for gate, body in _GATE.findall(text):
        if "LockToDefault" not in body and "PreRelease" not in body:
            continue
        specs = []
        for version, on, stage, lock in _SPEC.findall(body):
            words = ("+" if on == "true" else "-") + _STAGES[stage] + ("!" if lock else "")
            specs.append((tuple(map(int, version.split("."))), words))
        if specs:
            found[names.get(gate, gate)] = specs
    return found


def until(specs: Specs, version: tuple[int, ...]) -> dict[str, str]:
    """The gates that exist in a version, as they are in it."""
    known = {}
    for gate, stages in specs.items():
        reached = [words for since, words in stages if since <= version]
        if reached:
            known[gate] = reached[-1]
    return known


def main() -> None:
    """Write the table."""
    read = {
        minor: gates(module("sigs.k8s.io/kueue", version, "pkg/features/kube_features.go"))
        for minor, version in MODULES.items()
    }
    kueue: dict[str, Any] = {minor: until(specs, (99,)) for minor, specs in read.items()}
    kueue["0.18"] = {**until(read["0.17"], (0, 17)), **until(read["0.19"], (0, 18))}
    table = {"kueue": dict(sorted(kueue.items())), "server": until(gates(module(*SERVER)), (99,))}
    TARGET.write_text(json.dumps(table, indent=1, sort_keys=True) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
