"""The words in which findings are told to people."""

from __future__ import annotations

from kohort.diagnostics.finding import Consequence, Finding, Severity

CONSEQUENCES: dict[Consequence, str] = {
    Consequence.INVALID: "Kohort cannot read or compile it",
    Consequence.REFUSED: "the API server rejects it",
    Consequence.INACTIVE: "accepted, but the queue never becomes active",
    Consequence.STUCK: "accepted, but work waits for ever",
    Consequence.UNSAFE: "it works, and lets happen what should not",
    Consequence.DISRUPTIVE: "running work may be stopped",
    Consequence.DRIFT: "Git and the cluster never agree",
    Consequence.POLICY: "against a rule of the organisation",
    Consequence.STYLE: "works, and reads better otherwise",
    Consequence.NOTE: "nothing breaks",
}
_PLURALS = {Severity.ERROR: "errors", Severity.WARNING: "warnings", Severity.INFO: "infos"}


def counted(number: int, severity: Severity) -> str:
    """`1 error`, `3 warnings`."""
    return f"{number} {severity.value if number == 1 else _PLURALS[severity]}"


def what_happens(finding: Finding) -> str:
    """What the consequence means for this finding; no API server ever sees the configuration of a manager."""
    if finding.consequence is Consequence.REFUSED and finding.code.startswith("CFG"):
        return "the manager does not start with it"
    return CONSEQUENCES[finding.consequence]


def explain(finding: Finding) -> str:
    """The command that tells more about the code."""
    return f"kohort explain {finding.code}"
