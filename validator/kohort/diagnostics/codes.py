"""Documentation of codes that no rule module owns, and the codes of this layer."""

from __future__ import annotations

from dataclasses import dataclass

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


REASON_MISSING = CodeDoc(
    "SUP101",
    "reason-missing",
    Severity.ERROR,
    Consequence.POLICY,
    "A suppression comment gives no reason, so it hides nothing.",
    "Whoever reads the line next year has to know why the finding was accepted and whether that still holds.",
    "nominalQuota: 100G  # kohort: ignore[QTY102]",
    "nominalQuota: 100G  # kohort: ignore[QTY102] the vendor's sheet counts in powers of ten",
)
UNUSED_SUPPRESSION = CodeDoc(
    "SUP102",
    "unused-suppression",
    Severity.WARNING,
    Consequence.POLICY,
    "A suppression comment hides no finding.",
    "It would silently hide the next finding of that code on the line, which nobody has accepted.",
    "nominalQuota: 100Gi  # kohort: ignore[QTY102] was 100G once",
    "nominalQuota: 100Gi",
)
UNKNOWN_CODE = CodeDoc(
    "SUP103",
    "unknown-code",
    Severity.WARNING,
    Consequence.POLICY,
    "A suppression or exception names a code that does not exist.",
    "It hides nothing; the finding it was written for is still there or was never there.",
    "nominalQuota: 100G  # kohort: ignore[QTY1O2] letter O typed for zero",
    "nominalQuota: 100G  # kohort: ignore[QTY102] the vendor's sheet counts in powers of ten",
)
EXPIRED_EXCEPTION = CodeDoc(
    "SUP111",
    "expired-exception",
    Severity.WARNING,
    Consequence.POLICY,
    "An exception is past its date, so it hides nothing any more.",
    "The date was the promise under which the finding was accepted. Days are compared with --at only.",
    "expires: 2026-01-31   # and kohort check --at 2026-02-01",
    "expires: 2026-04-30   # prolonged in a reviewed change, or the exception is removed",
)
UNUSED_EXCEPTION = CodeDoc(
    "SUP112",
    "unused-exception",
    Severity.WARNING,
    Consequence.POLICY,
    "An exception hides no finding.",
    "What it accepted is gone; left in place it would hide the next such finding without a review.",
    "codes: [CAP901]   # and no finding CAP901 in its files",
    "(the exception is removed)",
)
STALE_BASELINE = CodeDoc(
    "SUP121",
    "stale-baseline",
    Severity.INFO,
    Consequence.NOTE,
    "A baseline entry matches fewer findings than it lists.",
    "The finding was fixed. Write the baseline again, so that it cannot come back unseen.",
    "count: 3   # and two such findings are left",
    "count: 2",
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
