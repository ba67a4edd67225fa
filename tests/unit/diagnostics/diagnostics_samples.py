"""A fixed report with everything a finding can hold, and places in memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from kohort.diagnostics import (
    Audience,
    Consequence,
    Edit,
    Finding,
    Fix,
    Hidden,
    HiddenBy,
    Label,
    Report,
    Severity,
    Term,
    Unchecked,
)
from kohort.spans import Origin, Span

NLP = """\
apiVersion: kohort.dev/v1alpha1
kind: Team
metadata: {name: nlp}
spec:
  queues:
    - name: train
      quota:
        h100: 64
"""
NODES = """\
kind: Cluster
spec:
  pools:
    - name: h100
      gpus: {count: 128, reserved: 8}
"""
QUEUE = """\
kind: ClusterQueue
metadata:
  name: 推論キュー
spec:
\tcohort: 研究  # renamed
  resources: [{name: memory, nominalQuota: 100G}]
"""


class Memory:
    """Places over texts, with spans by origin. An unknown origin has no span."""

    def __init__(self, texts: Mapping[str, str], spans: Mapping[Origin, Span] | None = None) -> None:
        self.texts = texts
        self.spans = dict(spans or {})

    def span(self, origin: Origin) -> Span | None:
        return self.spans.get(origin)

    def lines(self, file: str) -> Sequence[str]:
        return self.texts.get(file, "").splitlines()

    def mark(self, file: str, line: int, text: str, path: tuple[str | int, ...]) -> Origin:
        """An origin whose span is the first `text` of the line."""
        start = self.texts[file].splitlines()[line - 1].index(text) + 1
        origin = Origin(file, 0, path)
        self.spans[origin] = Span(line, start, line, start + len(text))
        return origin


def finding(message: str = "it is wrong", origin: Origin | None = None, **changes: object) -> Finding:
    """A finding with a few defaults."""
    values: dict[str, object] = {
        "code": "CAP901",
        "name": "promise-beyond-hardware",
        "severity": Severity.ERROR,
        "consequence": Consequence.STUCK,
        "audience": Audience.ADMIN,
        "message": message,
        "primary": Label(origin or Origin("teams/nlp.yaml")),
    }
    return Finding(**{**values, **changes})  # type: ignore[arg-type]


def sample() -> tuple[Report, Memory]:
    """Findings of each severity: one with everything, one with wide text and a tab, one without a place."""
    places = Memory({"teams/nlp.yaml": NLP, "clusters/vela/nodes.yaml": NODES, "raw/queue.yaml": QUEUE})
    typed = places.mark("teams/nlp.yaml", 8, "64", ("spec", "queues", 0, "quota", "h100"))
    queue = places.mark("teams/nlp.yaml", 6, "train", ("spec", "queues", 0, "name"))
    nodes = places.mark("clusters/vela/nodes.yaml", 5, "count: 128", ("spec", "pools", 0, "gpus"))
    cohort = places.mark("raw/queue.yaml", 5, "研究", ("spec", "cohort"))
    amount = places.mark("raw/queue.yaml", 6, "100G", ("spec", "resources", 0, "nominalQuota"))
    promise = finding(
        'cohort "research" promises 136 H100, cluster "vela" has 120',
        typed,
        primary=Label(typed, "nlp raises its guarantee by 16 in this change"),
        subject="ClusterQueue nlp-train",
        field="spec.resourceGroups[0].flavors[0].resources[0].nominalQuota",
        related=(Label(nodes, "120 H100 are allocatable here"), Label(queue, "for this queue")),
        terms=(
            Term("+", "64", "team nlp, queue train", typed),
            Term("+", "48", "team vision"),
            Term("+", "24", "team speech"),
            Term("=", "136", "promised"),
            Term(">", "120", "healthy H100", nodes),
            Term(" ", "", "derived: 64 GPUs × 1 per GPU"),
        ),
        help=("take 16 from vision", "set `overcommit: 115` on the cohort, which needs an admin's approval"),
        clusters=("pokprod", "vela"),
    )
    unit = finding(
        'ClusterQueue "推論キュー" gives memory 100G, which is 93.1Gi',
        amount,
        code="QTY102",
        name="decimal-memory",
        severity=Severity.INFO,
        consequence=Consequence.STYLE,
        audience=Audience.TEAM,
        fix=Fix("write 97656250Ki", (Edit("replace", amount, "97656250Ki"),)),
    )
    moved = finding(
        'the field "cohort" is called "cohortName" in v1beta2',
        cohort,
        code="VER301",
        name="field-of-another-version",
        consequence=Consequence.REFUSED,
        primary=Label(cohort, "v1beta1 only"),
        fix=Fix("rename it", (Edit("rename", cohort, "cohortName"),), safe=False),
    )
    placeless = finding(
        'cluster "vela" has no inventory, so its answers are planned ones',
        Origin(""),
        code="CAP910",
        name="no-inventory",
        severity=Severity.WARNING,
        consequence=Consequence.POLICY,
    )
    unreadable = finding(
        "the file is no YAML",
        Origin("raw/broken.yaml"),
        code="YAM101",
        name="no-yaml",
        consequence=Consequence.INVALID,
        primary=Label(Origin("raw/broken.yaml"), "no closing bracket"),
    )
    report = Report(
        findings=(promise, unit, moved, placeless, unreadable),
        unchecked=(Unchecked("LocalQueue a/default", "no Namespace was given", "raw/queue.yaml"),),
        summary=("Kueue 0.19, 2 clusters",),
        files=4,
        objects=12,
        suppressed=1,
        hidden=(Hidden(unit, HiddenBy.EXCEPTION, "the vendor's sheet", "platform"),),
    )
    return report, places
