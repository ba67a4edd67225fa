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
    chosen: list[Edit] = []
    titles, failures = [], []
    touched: set[object] = set()
    for title, edits in fixes:
        places = {(e.origin.document, e.origin.path, e.origin.part) for e in edits}
        if places & touched:
            continue
        try:
            apply_edits(before, file, (*chosen, *edits))
        except EditError as error:
            failures.append(f"{title}: {error}")
            continue
        chosen += edits
        touched |= places
        titles.append(title)
    after = apply_edits(before, file, chosen) if chosen else before
    return FixedFile(file, before, after, tuple(titles), tuple(failures))
