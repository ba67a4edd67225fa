"""One shared case judged for capacity: its findings, their places and the assessment behind them."""

from __future__ import annotations

from pathlib import Path

from kohort.capacity import assess
from kohort.diagnostics import Severity
from kohort.engine.outcome import Settings, silent
from kohort.engine.plain import check_plain
from kohort.engine.reading import TreeSet, read_all
from kohort.objects.cluster import Cluster
from kohort.objects.intake import take_in
from kohort.objects.slack import slack_queues
from kohort.source.tree import MemoryTree

SHARED = Path(__file__).parents[3] / "shared" / "cases"


GPU = "nvidia.com/gpu"


class Case:
    """One judged case."""

    def __init__(self, number, *files, edit=lambda name, text: text):
        folder = next(SHARED.glob(f"{number}-*"))
        tree = MemoryTree({name: edit(name, (folder / name).read_text()) for name in files})
        self.outcome = check_plain([tree], Settings())
        self.findings = self.outcome.report.findings
        cluster = Cluster(take_in(read_all(TreeSet([tree]), silent)).objects)
        cluster.slack_queues = slack_queues(cluster)
        self.assessment = assess(cluster)

    def code(self, code):
        return [f for f in self.findings if f.code == code]

    def only(self, code):
        found = self.code(code)
        assert len(found) == 1, [f.message for f in found]
        return found[0]

    def errors(self):
        return [f.code for f in self.findings if f.severity is Severity.ERROR]

    def line(self, finding):
        return finding.primary.origin.file, self.outcome.places.span(finding.primary.origin).line


def table(finding):
    return [(t.sign, t.amount, t.text) for t in finding.terms]
