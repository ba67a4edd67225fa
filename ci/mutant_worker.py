"""How a mutant gets into a process: a function's code is swapped in place, or a module is changed at its import."""

from __future__ import annotations

import gc
import importlib.machinery
import importlib.util
import types
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TypedDict

import coverage
import pytest
from _pytest.runner import runtestprotocol

from mutations import Mutant, mutated


class Measured(TypedDict):
    """What the unchanged run tells: seconds by test that passes, and by file and line the numbers of its tests."""

    seconds: dict[str, float]
    lines: dict[str, dict[str, list[int]]]


def swap(mutant: Mutant) -> bool:
    """Give the live function the changed code; False where there is no such function in memory."""
    name = mutant.function
    new = {code.co_qualname: code for code in _codes(compile(mutated(mutant), str(mutant.file), "exec"))}.get(
        name
    )
    live = [
        each
        for each in gc.get_objects()
        if isinstance(each, types.FunctionType)
        and each.__code__.co_qualname == name
        and Path(each.__code__.co_filename) == mutant.file
    ]
    if new is None or not live or any(each.__code__.co_freevars != new.co_freevars for each in live):
        return False
    for each in live:
        each.__code__ = new
    return True


def _codes(code: types.CodeType) -> Iterator[types.CodeType]:
    for const in code.co_consts:
        if isinstance(const, types.CodeType):
            yield const
            yield from _codes(const)


class _Changed(importlib.machinery.SourceFileLoader):
    mutant: Mutant

    def get_code(self, fullname: str) -> types.CodeType:  # noqa: ARG002 - importlib's signature
        return compile(mutated(self.mutant), str(self.mutant.file), "exec")


class Hook:
    """A finder on `sys.meta_path` that knows one module: the changed one."""

    def __init__(self, mutant: Mutant, package: Path) -> None:
        self.mutant = mutant
        parts = mutant.file.relative_to(package.parent).with_suffix("").parts
        self.name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None = None,  # noqa: ARG002
        target: object = None,  # noqa: ARG002
    ) -> importlib.machinery.ModuleSpec | None:
        """The module with its change, or nothing for all others."""
        if fullname != self.name:
            return None
        loader = _Changed(fullname, str(self.mutant.file))
        loader.mutant = self.mutant
        return importlib.util.spec_from_file_location(fullname, self.mutant.file, loader=loader)


def run_items(items: list[pytest.Item]) -> int:
    """Run tests until one fails and return 1, else 0."""
    for item, following in zip(items, [*items[1:], None], strict=True):
        if any(report.failed for report in runtestprotocol(item, nextitem=following, log=False)):
            return 1
    return 0


def measure(items: list[pytest.Item], folders: list[Path]) -> Measured:
    """Run all tests unchanged and note which pass, how long they take, and which lines of `folders` they run."""
    tracer = coverage.Coverage(
        data_file=None, include=[f"{folder}/*" for folder in folders], config_file=False
    )
    seconds: dict[str, float] = {}
    tracer.start()
    for item, following in zip(items, [*items[1:], None], strict=True):
        tracer.switch_context(item.nodeid)
        reports = runtestprotocol(item, nextitem=following, log=False)
        if all(report.passed for report in reports):
            seconds[item.nodeid] = sum(report.duration for report in reports)
    tracer.stop()
    data = tracer.get_data()
    numbers = {item.nodeid: number for number, item in enumerate(items)}
    lines = {
        file: {
            str(line): sorted(numbers[test] for test in tests if test in seconds)
            for line, tests in data.contexts_by_lineno(file).items()
        }
        for file in data.measured_files()
    }
    return {"seconds": seconds, "lines": lines}


def watch() -> None:
    """Import what is mutated, so that every function is in memory before the first fork."""
    from kohort.rules.catalogue import codes

    codes()
