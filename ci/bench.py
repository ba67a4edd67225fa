"""Measure Kohort's budgets as ratios: interleaved pairs, medians, one machine, one run.

`bench.py [--quick] [--at DATE]` prints the table; with `--at` it is stored in docs/bench.md. Times are processor time
(user and system) of whole processes, which other work on the machine disturbs least; the wall clock stands beside it.
kubeconform is the lab's, its schemas are made from Go modules; without Go those rows are left out.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import re
import subprocess
import sys
import tempfile
from datetime import date
from pathlib import Path

import generate
from bench_measures import Cost, Row, interleaved, median, run
from bench_page import store_top
from bench_plan import plan_rows

ROOT = Path(__file__).parents[1]
KOHORT = (sys.executable, "-m", "kohort.cli.main")
HELLO = (
    "import click\n@click.command()\ndef hello():\n    '''Say hello.'''\n    click.echo('hello')\nhello()\n"
)


class Bench:
    """All measurements of one run, below a temporary folder."""

    def __init__(self, work: Path, rounds: int, teams: int, clusters: int, *, go: bool) -> None:
        self.work, self.rounds, self.teams, self.clusters = work, rounds, teams, clusters
        self.kubeconform = kubeconform() if go else []
        self.dyff = dyff() if go else None
        self.environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
        self.environment |= {"KOHORT_CACHE": "off", "XDG_CACHE_HOME": str(work / "user")}
        self.objects: dict[str, int] = {}

    def kohort(
        self,
        *arguments: str | Path,
        cache: Path | None = None,
        codes: tuple[int, ...] = (0,),
        folder: Path | None = None,
    ) -> Cost:
        """One run of the command, in a folder where that matters."""
        environment = {**self.environment, **({"KOHORT_CACHE": str(cache)} if cache else {})}
        return run((*KOHORT, *arguments), environment, codes, folder)

    def organisation(self, name: str, teams: int, clusters: int, faults: int = 0) -> Path:
        """A generated organisation."""
        root = self.work / name
        if not root.is_dir():
            generate.write(root, teams, clusters, faults)
        return root

    def compiled(self, name: str, teams: int, clusters: int) -> Path:
        """The compiled output of a generated organisation."""
        out = self.work / f"{name}-out"
        if not out.is_dir():
            self.kohort("compile", self.organisation(name, teams, clusters), "--out", out, "-q")
            self.objects[name] = sum(
                text.read_bytes().count(b"\n---\n") for text in sorted(out.rglob("*.yaml"))
            )
        return out

    def compile_cold(self) -> list[Row]:
        """Compile into an empty folder, against kubeconform reading the result; and the peak of memory."""
        root = self.organisation("organisation", self.teams, self.clusters)
        out = self.compiled("organisation", self.teams, self.clusters)
        number = iter(range(1000))

        def ours() -> Cost:
            return self.kohort("compile", root, "--out", self.work / f"fresh-{next(number)}", "-q")

        if not self.kubeconform:
            return []
        mine, theirs = interleaved(self.rounds, ours, lambda: run((*self.kubeconform, out), self.environment))
        return [Row("compile, cold, with its check", mine, "kubeconform -n 1 on the result", theirs, 1.0)]

    def check_cached(self) -> list[Row]:
        """Check cold, with a cache where nothing changed, and with one changed file; a few files are faulty."""
        root = self.organisation("faulty", self.teams, self.clusters, faults=min(5, self.teams // 4))
        cache = self.work / "cache"
        file = root / "teams" / "team-00007" / "team.yaml"
        self.kohort("check", root, "-q", cache=cache, codes=(1,))
        text, number = file.read_text("utf-8"), iter(range(1, 1000))

        def changed() -> Cost:
            file.write_text(re.sub(r"gpus: \d+", f"gpus: {next(number) % 9 + 1}", text, count=1), "utf-8")
            return self.kohort("check", root, "-q", cache=cache, codes=(1,))

        cold, one, warm = interleaved(
            self.rounds,
            lambda: self.kohort("check", root, "-q", "--no-cache", codes=(1,)),
            changed,
            lambda: self.kohort("check", root, "-q", cache=cache, codes=(1,)),
        )
        return [
            Row("check, new process, one file changed", one, "check without cache", cold, 0.2),
            Row("check, new process, nothing changed", warm, "check without cache", cold, None),
        ]

    def session(self) -> list[Row]:
        """A session's answer after one file changed, against judging the whole in the same process."""
        root = self.organisation("organisation", self.teams, self.clusters)
        code = (
            "import json, sys, time\n"
            "from pathlib import Path\n"
            "from kohort.engine.outcome import Settings\n"
            "from kohort.engine.repository import check_repository\n"
            "from kohort.engine.session import Session\n"
            "from kohort.source.tree import WorkDir\n"
            "root, rounds, file = Path(sys.argv[1]), int(sys.argv[2]), 'teams/team-00007/team.yaml'\n"
            "def timed(work):\n"
            "    wall, cpu = time.perf_counter(), time.process_time()\n"
            "    work()\n"
            "    return time.process_time() - cpu, time.perf_counter() - wall\n"
            "import gc, re\n"
            "session, data = Session(WorkDir(root)), (root / file).read_bytes()\n"
            "pairs = []\n"
            "for number in range(rounds):\n"
            "    text = re.sub(rb'gpus: \\d+', b'gpus: %d' % (number % 9 + 1), data, count=1)\n"
            "    gc.collect()  # what the whole left behind is not the update's to sweep up\n"
            "    update = timed(lambda: session.update(file, text))\n"
            "    pairs.append((update, timed(lambda: check_repository(WorkDir(root), Settings()))))\n"
            "print(json.dumps(pairs))\n"
        )
        done = subprocess.run(
            [sys.executable, "-c", code, os.fspath(root), str(self.rounds)],
            env=self.environment,
            capture_output=True,
            check=True,
        )
        pairs = json.loads(done.stdout)
        mine = median([Cost(*update, 0) for update, _ in pairs])
        whole = median([Cost(*fresh, 0) for _, fresh in pairs])
        return [Row("Session.update, one file changed", mine, "the whole in the same process", whole, 0.1)]

    def plan(self) -> list[Row]:
        """Plans against a full check, `diff -r` and dyff."""
        return plan_rows(self)

    def help(self) -> list[Row]:
        """`kohort --help` against the smallest click program; many rounds, since both are short."""
        hello = self.work / "hello.py"
        hello.write_text(HELLO, "utf-8")
        mine, theirs = interleaved(
            self.rounds * 5,
            lambda: self.kohort("--help"),
            lambda: run((sys.executable, hello, "--help"), self.environment),
        )
        return [Row("kohort --help", mine, "click hello-world --help", theirs, 1.3)]

    def plain(self) -> list[Row]:
        """Plain mode on the objects of one large cluster, against kubeconform on the same files."""
        if not self.kubeconform:
            return []
        out = self.compiled("one-cluster", self.teams * 2, 1)
        mine, theirs = interleaved(
            max(1, self.rounds - 2),
            lambda: self.kohort("check", out, "-q", codes=(0, 1)),
            lambda: run((*self.kubeconform, out), self.environment),
        )
        return [Row("check of plain manifests", mine, "kubeconform -n 1 on them", theirs, None)]

    def growth(self, factors: tuple[int, ...]) -> list[tuple[int, Cost]]:
        """Compiling organisations of several sizes, the clusters growing with the teams."""
        found = []
        for factor in factors:
            teams = self.teams * factor
            root = self.organisation(f"growth-{factor}", teams, self.clusters * factor)
            costs = [
                self.kohort("compile", root, "--out", self.work / f"growth-{factor}-{i}", "-q")
                for i in range(2)
            ]
            found.append((teams, median(costs)))
        return found


def kubeconform() -> list[str]:
    """The command that validates against schemas of the Go modules; empty without Go."""
    from kohort.lab.build import build
    from kohort.lab.failure import LabError

    try:
        import kube_schemas

        program = build(["kubeconform"])["kubeconform"]
        schemas = kube_schemas.schemas()
    except (LabError, OSError) as error:
        print(f"bench: rows with kubeconform are left out: {error}", file=sys.stderr)
        return []
    return [str(program), "-n", "1", "-strict", "-schema-location", f"{schemas}/{kube_schemas.LOCATION}"]


def dyff() -> Path | None:
    """The program that compares YAML by its meaning; None without Go."""
    from kohort.lab.build import build
    from kohort.lab.failure import LabError

    try:
        return build(["dyff"])["dyff"]
    except (LabError, OSError) as error:
        print(f"bench: rows with dyff are left out: {error}", file=sys.stderr)
        return None


def table(rows: list[Row], growth: list[tuple[int, Cost]]) -> str:
    """The figures as Markdown."""
    lines = [
        "| what | CPU s | compared with | CPU s | ratio | wall ratio | budget | peak MiB |",
        "| --- | ---: | --- | ---: | ---: | ---: | ---: | ---: |",
    ]
    for row in rows:
        budget = (
            "" if row.budget is None else f"{row.budget:g}{'' if row.ratio <= row.budget else ', missed'}"
        )
        memory = f"{row.ours.memory:.0f}" if row.ours.memory else ""
        lines.append(
            f"| {row.what} | {row.ours.cpu:.2f} | {row.other_name} | {row.other.cpu:.2f} | {row.ratio:.2f} "
            f"| {row.ours.wall / row.other.wall:.2f} | {budget} | {memory} |"
        )
    if growth:
        lines += [
            "",
            "| teams | CPU s of compile | CPU ms per team | peak MiB |",
            "| ---: | ---: | ---: | ---: |",
        ]
        lines += [
            f"| {teams:,} | {cost.cpu:.2f} | {cost.cpu / teams * 1000:.2f} | {cost.memory:.0f} |"
            for teams, cost in growth
        ]
    return "\n".join(lines)


def page(text: str, bench: Bench, at: date, load: tuple[float, float]) -> str:
    """The top of docs/bench.md."""
    return (
        "# Speed and memory\n\n"
        f"Measured on {at} by `ci/bench` in one run: {bench.rounds} interleaved rounds, medians, Python "
        f"{platform.python_version()}, {os.cpu_count()} processors, load average {load[0]:.1f} at the start and "
        f"{load[1]:.1f} at the end. Only the ratios mean something elsewhere.\n\n"
        f"The organisation is generated (`ci/generate.py`): {bench.teams:,} teams, {bench.clusters} clusters, "
        f"{bench.objects.get('organisation', 0):,} compiled objects; plain manifests are "
        f"{bench.objects.get('one-cluster', 0):,} objects of one cluster. Times are processor time of whole processes; "
        "kubeconform's includes its garbage collector, which runs beside it on a second processor. `diff -r` and dyff "
        "(cluster by cluster, since it takes two files) compare trees that were compiled before; a plan reads the sources.\n\n"
        f"{text}\n"
    )


def main() -> int:
    """Measure, print, and store where a date is given."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--quick", action="store_true", help="a small organisation, one round: does it run at all"
    )
    parser.add_argument("--at", type=date.fromisoformat, help="date of the measurement: store docs/bench.md")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--teams", type=int, default=1000)
    parser.add_argument("--clusters", type=int, default=20)
    parser.add_argument("--json", action="store_true", help="the rows as JSON instead of a table")
    arguments = parser.parse_args()
    quick = arguments.quick
    began = os.getloadavg()[0]
    with tempfile.TemporaryDirectory(prefix="kohort-bench-") as folder:
        size = (40, 4) if quick else (arguments.teams, arguments.clusters)
        bench = Bench(Path(folder), 1 if quick else arguments.rounds, *size, go=not quick)
        bench.kohort("version")  # byte code is there before anything is timed
        rows: list[Row] = []
        for step in (
            bench.compile_cold,
            bench.check_cached,
            bench.session,
            bench.plan,
            bench.help,
            bench.plain,
        ):
            print(f"bench: {step.__name__.replace('_', ' ')}", file=sys.stderr)
            made = step()
            rows += made
            for row in made:
                print(f"bench:   {row.what}: {row.ratio:.2f} of {row.other_name}", file=sys.stderr)
        print("bench: growth", file=sys.stderr)
        growth = bench.growth((1, 2) if quick else (1, 2, 4))
        if arguments.json:
            print(json.dumps({row.what: row.ratio for row in reversed(rows)}))  # the first of a name counts
        else:
            print(table(rows, growth))
        if arguments.at:
            text = page(table(rows, growth), bench, arguments.at, (began, os.getloadavg()[0]))
            store_top(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
