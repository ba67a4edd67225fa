"""Mutation testing: `mutants.py [--sample 200] [--seed 7] [--all] [--jobs 2] [--only TEXT]`; exit 1 below 85 % killed.

One pytest process collects the tests once and stays warm. For each mutant it forks: the child swaps the code of the
changed function in place (every reference to it sees the change) and runs the tests that reach its line until one
fails. What is outside of functions cannot be swapped: such a mutant gets a fresh process whose import of that one
module is changed. More than 60 s is counted as survived.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from mutant_tests import LEFT_OUT, PATHS, Relevance, root_of
from mutant_worker import Hook, Measured, measure, run_items, swap, watch
from mutations import Mutant, mutants

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "validator" / "kohort"
FOLDERS = ("rules", "semantics", "capacity")
LIMIT = 60.0  # seconds for one mutant
GOAL = 0.85
# No reporter, no shared state between processes, the same order of tests in each.
OPTIONS = (
    "-o", "addopts=--strict-markers", "--capture=sys", "-p", "no:terminal", "-p", "no:randomly", "-p", "no:xdist",
    "-p", "no:cacheprovider", "-p", "no:cov",
)  # fmt: skip


@dataclass
class Running:
    """One child process."""

    mutant: Mutant
    started: float
    seconds: float = 0.0


class SameExamples:
    """A pytest plugin: Hypothesis makes the same examples in each run, and remembers none from a mutant."""

    def pytest_configure(self) -> None:
        """Before any test file is imported."""
        from hypothesis import HealthCheck, settings

        settings.register_profile(
            "mutants", derandomize=True, database=None, deadline=None, suppress_health_check=list(HealthCheck)
        )
        settings.load_profile("mutants")


@dataclass
class Campaign:
    """A pytest plugin that runs mutants instead of tests."""

    chosen: list[Mutant]
    jobs: int
    killed: list[Running] = field(default_factory=list)
    survived: list[tuple[Running, str]] = field(default_factory=list)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Find out which tests pass and how long they take, then run the mutants."""
        items = [item for item in session.items if not item.nodeid.startswith(LEFT_OUT)]
        measured = baseline(items)
        passing = measured["seconds"]
        skipped = [item.nodeid for item in items if item.nodeid not in passing]
        if skipped:
            say(
                f"{len(skipped)} tests take no part, since they do not pass unchanged: {', '.join(skipped[:5])}"
            )
        say(
            f"{len(passing)} tests pass unchanged in {sum(passing.values()):.0f} s; {len(self.chosen)} mutants"
        )
        relevance = Relevance(items, measured)
        running: dict[int, Running] = {}
        for mutant in self.chosen:
            while len(running) >= self.jobs:
                self.wait(running)
            chosen = relevance.items(mutant)
            if not chosen:
                self.take(Running(mutant, 0), "not run by any test")
                continue
            started = Running(mutant, time.monotonic())
            pid = os.fork()
            if pid == 0:
                child(mutant, chosen)
            running[pid] = started
        while running:
            self.wait(running)
        return True

    def wait(self, running: dict[int, Running]) -> None:
        """Take in what has ended and end what takes too long; only processes that were started here."""
        for pid, each in list(running.items()):
            done, status = os.waitpid(pid, os.WNOHANG)
            each.seconds = time.monotonic() - each.started
            if done == 0 and each.seconds > LIMIT:
                os.killpg(pid, 9)
                os.waitpid(pid, 0)
                self.take(each, "timeout")
            elif done == 0:
                continue
            else:
                code = os.waitstatus_to_exitcode(status)
                self.take(each, {0: "survived", 1: ""}.get(code, f"the test process ended with {code}"))
            del running[pid]
        time.sleep(0.02)

    def take(self, each: Running, why: str) -> None:
        """Print and count one result; an empty `why` means killed."""
        if why:
            self.survived.append((each, why))
        else:
            self.killed.append(each)
        say(f"{why or 'killed':9} {each.seconds:5.1f} s  {label(each.mutant)}")


def child(mutant: Mutant, items: list[pytest.Item]) -> None:
    """In the forked process: never returns."""
    os.setsid()
    devnull = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(devnull, stream)
    if mutant.function and not root_of(mutant.file) and swap(mutant):
        os._exit(run_items(items))
    files = list(dict.fromkeys(item.nodeid.partition("::")[0] for item in items))
    name = f"{mutant.file}:{mutant.index}"
    command = [sys.executable, str(Path(__file__)), "--one", name, *files]
    os.execv(sys.executable, command)


def baseline(items: list[pytest.Item]) -> Measured:
    """What the unchanged tests do, measured in a forked process so that this one stays untouched."""
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(reading)
        measured = measure(items, [PACKAGE / folder for folder in FOLDERS])
        with os.fdopen(writing, "w") as pipe:
            json.dump(measured, pipe)
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        measured: Measured = json.load(pipe)
    os.waitpid(pid, 0)
    return measured


def label(mutant: Mutant) -> str:
    """`validator/kohort/rules/quota/weight_zero.py:63: == → != in …`."""
    return f"{mutant.file.relative_to(ROOT)}:{mutant.line}: {mutant.what}"


def say(line: str) -> None:
    """Whole lines, at once, also into files."""
    print(line, flush=True)


def every_mutant() -> Iterator[Mutant]:
    """All mutants of the three layers, in order of files."""
    for folder in FOLDERS:
        for file in sorted((PACKAGE / folder).rglob("*.py")):
            yield from mutants(file)


def run_one(name: str, files: list[str]) -> int:
    """Run test files with the module changed at import: for what lies outside of functions."""
    file, _, index = name.rpartition(":")
    sys.meta_path.insert(0, Hook(mutants(Path(file))[int(index)], PACKAGE))
    return 1 if pytest.main([*OPTIONS, "-x", *files], plugins=[SameExamples()]) else 0


def main() -> int:
    """Choose, run, count."""
    parser = argparse.ArgumentParser(prog="ci/mutants", description=__doc__)
    parser.add_argument("--sample", type=int, default=200)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--all", action="store_true", help="every mutant, for a nightly run")
    parser.add_argument("--jobs", type=int, default=max(1, (os.cpu_count() or 2) // 2))
    parser.add_argument("--only", default="", help="only mutants whose file and line contain this text")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    parser.add_argument("files", nargs="*", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    os.chdir(ROOT)
    if arguments.one:
        return run_one(arguments.one, arguments.files)
    chosen = [each for each in every_mutant() if arguments.only in label(each)]
    total = len(chosen)
    if not arguments.all and total > arguments.sample:
        chosen = random.Random(arguments.seed).sample(chosen, arguments.sample)
    watch()
    campaign = Campaign(chosen, arguments.jobs)
    code = pytest.main([*OPTIONS, *PATHS], plugins=[SameExamples(), campaign])
    if code or not chosen:
        say(f"mutants: the tests cannot be collected, or there is no mutant (pytest says {int(code)})")
        return 2
    return summary(campaign, total)


def summary(campaign: Campaign, total: int) -> int:
    """The survivors once more and the closing line."""
    say("")
    for each, why in sorted(campaign.survived, key=lambda pair: label(pair[0].mutant)):
        say(f"{why}: {label(each.mutant)}")
    count = len(campaign.killed) + len(campaign.survived)
    share = len(campaign.killed) / count
    late = sum(why == "timeout" for _, why in campaign.survived)
    say(
        f"mutants {count} of {total}, killed {len(campaign.killed)}, survived {len(campaign.survived)} "
        f"({late} by time), {share:.1%}"
    )
    return 0 if share >= GOAL else 1


if __name__ == "__main__":
    sys.exit(main())
