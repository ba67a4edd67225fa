"""Apply the safe fixes of a report to the files it points at."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from kohort.diagnostics import Edit, Finding
from kohort.source.edit import EditError, apply_edits


@dataclass(frozen=True, slots=True)
class FixedFile:
    """One file with its fixes applied, and what could not be done in it."""

    file: str
    before: bytes
    after: bytes
    titles: tuple[str, ...]
    failures: tuple[str, ...]


def fix_files(
    findings: Iterable[Finding], read: Callable[[str], bytes | None], *, unsafe: bool
) -> list[FixedFile]:
    """Apply fixes file by file; each fix is applied whole or not at all, two that touch one place only the first."""
    by_file: dict[str, list[tuple[str, tuple[Edit, ...]]]] = defaultdict(list)
    for finding in findings:
        fix = finding.fix
        if fix is None or not (fix.safe or unsafe):
            continue
        files = {edit.origin.file for edit in fix.edits}
        if len(files) == 1:
            by_file[files.pop()].append((fix.title, fix.edits))
    return [fixed for file in sorted(by_file) if (fixed := _fix_file(file, by_file[file], read)) is not None]


def _fix_file(
    file: str, fixes: list[tuple[str, tuple[Edit, ...]]], read: Callable[[str], bytes | None]
) -> FixedFile | None:
    before = read(file)
    if before is None:
        return None
    apart: list[tuple[str, tuple[Edit, ...]]] = []
    touched: set[object] = set()
    for title, edits in fixes:
        places = {(e.origin.document, e.origin.path, e.origin.part) for e in edits}
        if not places & touched:
            touched |= places
            apart.append((title, edits))
    try:
        after = apply_edits(before, file, [edit for _, edits in apart for edit in edits])
        return FixedFile(file, before, after, tuple(title for title, _ in apart), ())
    except EditError:
        return _one_by_one(file, before, apart)


def _one_by_one(file: str, before: bytes, fixes: list[tuple[str, tuple[Edit, ...]]]) -> FixedFile:
    """The fixes that can be applied, when not all can."""
    chosen: list[Edit] = []
    titles, failures, after = [], [], before
    for title, edits in fixes:
        try:
            after = apply_edits(before, file, (*chosen, *edits))
        except EditError as error:
            failures.append(f"{title}: {error}")
            continue
        chosen += edits
        titles.append(title)
    return FixedFile(file, before, after, tuple(titles), tuple(failures))
