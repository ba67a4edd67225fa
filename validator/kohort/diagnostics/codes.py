"""Documentation of codes that no rule module owns, and the codes of this layer."""

from __future__ import annotations

from kohort.dataclass import dataclass
from kohort.diagnostics.finding import Audience, Consequence, Finding, Label, Severity
from kohort.spans import Origin


@dataclass(frozen=True, slots=True)
class CodeDoc:
    """One code as `kohort explain` and the catalogue show it.

    `name` is kebab-case, `summary` one sentence, `why` what follows from it, `bad` and `good` short examples.
    """

    code: str
    name: str
    severity: Severity
    consequence: Consequence
    summary: str
    why: str
    bad: str
    good: str

    def finding(
        self,
        message: str,
        origin: Origin,
        *,
        label: str = "",
        help: tuple[str, ...] = (),
        subject: str = "",
    ) -> Finding:
        """A finding of this code at a place of the source."""
        return Finding(
            code=self.code,
            name=self.name,
            severity=self.severity,
            consequence=self.consequence,
            audience=Audience.ADMIN,
            message=message,
            primary=Label(origin, label),
            subject=subject,
            help=help,
        )


_FLAVOR = """\
apiVersion: kueue.x-k8s.io/v1beta2
kind: ResourceFlavor
metadata:
  name: a100
  labels:
    %s
"""
_EXCEPTION = """\
# at: 2026-02-01
# file: kohort.yaml
apiVersion: kohort.dev/v1alpha1
kind: Organisation
metadata: {name: acme}
spec: {}
# file: clusters/lab/cluster.yaml
apiVersion: kohort.dev/v1alpha1
kind: Cluster
metadata: {name: lab}
spec:
  versions: {kubernetes: 1.36.2, kueue: 0.19.1}
  nodePools:
  - name: h100
    flavor: h100
    nodes: 1
    accelerator: example.com/gpu
    perNode: {cpu: 64, memory: 1Ti, example.com/gpu: 8}
# file: queues/flavors.yaml
apiVersion: kohort.dev/v1alpha1
kind: Flavor
metadata: {name: h100}
spec: {}
# file: ci/exceptions/spare.yaml
apiVersion: kohort.dev/v1alpha1
kind: Exception
metadata: {name: spare}
spec:
  codes: [%s]
  owner: platform
  reason: the first team starts in March
  expires: %s
"""
_BASELINE = """\
# baseline: %s
apiVersion: kueue.x-k8s.io/v1beta2
kind: ResourceFlavor
metadata: {name: a100}
"""

REASON_MISSING = CodeDoc(
    "SUP101",
    "reason-missing",
    Severity.ERROR,
    Consequence.POLICY,
    "A suppression comment gives no reason, so it hides nothing.",
    "Whoever reads the line next year has to know why the finding was accepted and whether that still holds.",
    _FLAVOR % "7: rack  # kohort: allow YAM017",
    _FLAVOR % "7: rack  # kohort: allow YAM017: the installer writes this key",
)
UNUSED_SUPPRESSION = CodeDoc(
    "SUP102",
    "unused-suppression",
    Severity.WARNING,
    Consequence.POLICY,
    "A suppression comment hides no finding.",
    "It would silently hide the next finding of that code on the line, which nobody has accepted.",
    _FLAVOR % '"7": rack  # kohort: allow YAM017: the installer writes this key',
    _FLAVOR % '"7": rack',
)
UNKNOWN_CODE = CodeDoc(
    "SUP103",
    "unknown-code",
    Severity.WARNING,
    Consequence.POLICY,
    "A suppression or exception names a code that does not exist.",
    "It hides nothing; the finding it was written for is still there or was never there.",
    _FLAVOR % "7: rack  # kohort: allow YAMO17: the installer writes this key",
    _FLAVOR % "7: rack  # kohort: allow YAM017: the installer writes this key",
)
EXPIRED_EXCEPTION = CodeDoc(
    "SUP111",
    "expired-exception",
    Severity.WARNING,
    Consequence.POLICY,
    "An exception is past its date, so it hides nothing any more.",
    "The date was the promise under which the finding was accepted. Days are compared with --at only.",
    _EXCEPTION % ("CAP911", "2026-01-31"),
    _EXCEPTION % ("CAP911", "2026-04-30"),
)
UNUSED_EXCEPTION = CodeDoc(
    "SUP112",
    "unused-exception",
    Severity.WARNING,
    Consequence.POLICY,
    "An exception hides no finding.",
    "What it accepted is gone; left in place it would hide the next such finding without a review.",
    _EXCEPTION % ("CAP943", "2026-04-30"),
    _EXCEPTION % ("CAP911", "2026-04-30"),
)
STALE_BASELINE = CodeDoc(
    "SUP121",
    "stale-baseline",
    Severity.INFO,
    Consequence.NOTE,
    "A baseline entry matches fewer findings than it lists.",
    "The finding was solved. Write the baseline again, so that it cannot come back unseen.",
    _BASELINE
    % (
        '{"version": 1, "findings": [{"code": "YAM017", "file": "example.yaml", "subject": "", "field": "",'
        ' "messageHash": "0", "count": 1}]}'
    ),
    _BASELINE % '{"version": 1, "findings": []}',
)

RULES: tuple[CodeDoc, ...] = (
    REASON_MISSING,
    UNUSED_SUPPRESSION,
    UNKNOWN_CODE,
    EXPIRED_EXCEPTION,
    UNUSED_EXCEPTION,
    STALE_BASELINE,
)
OWN_CODES = frozenset(rule.code for rule in RULES)
OWN_WORDS = OWN_CODES | frozenset(rule.name for rule in RULES)
