"""Plans of the generated organisation: one quota changed, with and without the cache, and 200 files changed.

Beside each stands a full check of the same files, and what other tools need for their part of the answer: `diff -r` of the
two compiled trees, and dyff (github.com/homeport/dyff) of each cluster's objects in one file per side.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

from bench_measures import Cost, Row, interleaved, run

if TYPE_CHECKING:
    from bench import Bench

_WHO = ("-c", "user.name=bench", "-c", "user.email=bench@example.com")
_MANY = 200


def plan_rows(bench: Bench) -> list[Row]:
    """The rows of plans of the working tree against a commit."""
    root, cache = bench.organisation("planned", bench.teams, bench.clusters), bench.work / "plan-cache"
    for arguments in (("init", "-q", "-b", "main"), ("add", "-A"), (*_WHO, "commit", "-q", "-m", "base")):
        run(("git", "-C", root, *arguments), bench.environment)
    bench.kohort("check", root, "-q", cache=cache, codes=(0, 1))
    files = sorted((root / "teams").glob("*/team.yaml"))
    known = {file: file.read_text("utf-8") for file in files[: min(_MANY, len(files))]}

    def change(number: int) -> None:
        for file, text in list(known.items())[:number]:
            file.write_text(re.sub(r"gpus: \d+", "gpus: 7", text, count=1), "utf-8")

    def planned(number: int, **cached: Path) -> Cost:
        change(number)
        try:
            return bench.kohort("plan", "-q", folder=root, codes=(0, 1), **cached)
        finally:
            _restore(known)

    trees = {}
    for number in (0, 1, len(known)):
        change(number)
        trees[number] = _compiled(bench, root, f"planned-{number}")
        _restore(known)
    measures = [
        lambda: planned(1),
        lambda: planned(1, cache=cache),
        lambda: planned(len(known)),
        lambda: bench.kohort("check", root, "-q", "--no-cache", codes=(0, 1)),
    ]
    others = [(number, name) for number in (1, len(known)) for name in _others(bench)]
    measures += [
        lambda number=number, name=name: _compare(bench, name, trees[0], trees[number])
        for number, name in others
    ]
    one, warm, many, whole, *compared = interleaved(bench.rounds, *measures)
    rows = [
        Row("plan, one quota changed", one, "check without cache", whole, 0.5),
        Row("plan, one quota changed, files in the cache", warm, "check without cache", whole, 0.25),
        Row(f"plan, {len(known)} files changed", many, "check without cache", whole, 2.0),
    ]
    return rows + [
        Row(
            rows[0 if number == 1 else 2].what,
            one if number == 1 else many,
            f"{name} of the compiled trees",
            cost,
            None,
        )
        for (number, name), cost in zip(others, compared, strict=True)
    ]


def _restore(known: dict[Path, str]) -> None:
    for file, text in known.items():
        file.write_text(text, "utf-8")


def _compiled(bench: Bench, root: Path, name: str) -> Path:
    """What the files compile to, and all objects of each cluster in one file `<name>-all/<cluster>.yaml`."""
    out, whole = bench.work / name, bench.work / f"{name}-all"
    bench.kohort("compile", root, "--out", out, "-q", codes=(0, 1))
    whole.mkdir()
    for cluster in sorted((out / "clusters").iterdir()):
        texts = [file.read_bytes() for file in sorted(cluster.rglob("*.yaml"))]
        (whole / f"{cluster.name}.yaml").write_bytes(b"".join(texts))
    return out


def _others(bench: Bench) -> tuple[str, ...]:
    return ("diff -r", "dyff") if bench.dyff is not None else ("diff -r",)


def _compare(bench: Bench, name: str, one: Path, other: Path) -> Cost:
    if name == "diff -r":
        return run(("diff", "-r", one, other), bench.environment, codes=(0, 1))
    assert bench.dyff is not None, "only asked for where it could be built"
    whole = [Path(f"{os.fspath(side)}-all") for side in (one, other)]
    costs = [
        run((bench.dyff, "between", "--omit-header", file, whole[1] / file.name), bench.environment)
        for file in sorted(whole[0].iterdir())
    ]
    return Cost(sum(c.cpu for c in costs), sum(c.wall for c in costs), max(c.memory for c in costs))
