"""One shared case judged by every rule, and the register of the clauses that tests assert."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

from kohort.diagnostics import Severity
from kohort.engine.fixing import fix_files
from kohort.engine.outcome import Settings, silent
from kohort.engine.plain import check_plain
from kohort.engine.reading import TreeSet, read_all
from kohort.objects.cluster import Cluster
from kohort.objects.intake import take_in
from kohort.rules.references.unchecked import unchecked
from kohort.source.tree import MemoryTree

SHARED = Path(__file__).parents[3] / "shared" / "cases"


CASES = "06 11 12 14 15 16 18 21 25 29 31 32 34 35 38 40 41 42 44 45 47 48 51 54 55 57 59 60 80".split()  # noqa: SIM905


ASSERTED: dict[str, set[int]] = defaultdict(set)


def answers(case, *clauses):
    """Note which clauses of a case's answer a test asserts."""
    ASSERTED[case].update(clauses)
    return lambda test: test


class Case:
    """One judged case: its findings as (severity, file, line, message)."""

    def __init__(self, number, *, kueue="0.19.1", more="", edit=lambda text: text):
        folder = next(SHARED.glob(f"{number}-*"))
        self.files = {p.name: edit(p.read_text()).encode() for p in sorted(folder.glob("*.yaml"))}
        if more:
            self.files["more.yaml"] = more.encode()
        self.outcome = check_plain([MemoryTree(self.files)], Settings(kueue=kueue))
        self.findings = self.outcome.report.findings

    def said(self, severity):
        """(file, line, message) of every finding of a severity, in order."""
        return [(*self.place(f), f.message) for f in self.findings if f.severity is severity]

    @property
    def errors(self):
        return self.said(Severity.ERROR)

    @property
    def warnings(self):
        return self.said(Severity.WARNING)

    @property
    def notes(self):
        return self.said(Severity.INFO)

    def place(self, finding):
        return finding.primary.origin.file, self.outcome.places.span(finding.primary.origin).line

    def only(self, code):
        found = [f for f in self.findings if f.code == code]
        assert len(found) == 1, [f"{f.code} {f.message}" for f in self.findings]
        return found[0]

    def related(self, code):
        return [
            (place.origin.file, self.outcome.places.span(place.origin).line, place.text)
            for place in self.only(code).related
        ]

    def gaps(self):
        cluster = Cluster(take_in(read_all(TreeSet([MemoryTree(self.files)]), silent)).objects)
        return [f"{gap.what}; {gap.why}" for gap in unchecked(cluster)]


def fixed(case):
    """The files after all safe fixes."""
    done = fix_files(case.findings, case.files.get, unsafe=False)
    assert [failure for file in done for failure in file.failures] == []
    return {**case.files, **{file.file: file.after for file in done}}
