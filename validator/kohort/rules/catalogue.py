"""Every code that Kohort can report, with its documentation: rules, reading, declarations, suppression, compiling."""

from __future__ import annotations

from functools import cache
from typing import Final

from kohort.diagnostics.codes import RULES as DIAGNOSTIC_CODES
from kohort.diagnostics.codes import CodeDoc
from kohort.model.codes import RULES as MODEL_CODES
from kohort.objects.codes import RULES as OBJECT_CODES
from kohort.policy.codes import RULES as POLICY_CODES
from kohort.rules.authority_codes import RULES as AUTHORITY_CODES
from kohort.rules.compile_codes import RULES as COMPILE_CODES
from kohort.rules.docs import RuleDoc, document
from kohort.rules.plan_codes import RULES as PLAN_CODES
from kohort.rules.registry import all_rules
from kohort.source.codes import RULES as READING_CODES

_ROWS: Final = (
    *(*READING_CODES, *OBJECT_CODES, *MODEL_CODES, *COMPILE_CODES, *DIAGNOSTIC_CODES),
    *(*PLAN_CODES, *AUTHORITY_CODES, *POLICY_CODES),
)


@cache
def catalogue() -> dict[str, RuleDoc]:
    """Documentation by code, in order of the codes."""
    docs = {rule.code: document(rule) for rule in all_rules()}
    for row in _ROWS:
        docs[row.code] = _from_row(row)
    return dict(sorted(docs.items()))


def codes() -> frozenset[str]:
    """Every code and every name, without reading any documentation."""
    pairs = [(rule.code, rule.name) for rule in all_rules()] + [(row.code, row.name) for row in _ROWS]
    return frozenset(text for pair in pairs for text in pair)


def _from_row(row: CodeDoc) -> RuleDoc:
    return RuleDoc(
        code=row.code,
        name=row.name,
        severity=row.severity,
        consequence=row.consequence,
        audience="team",
        on="reading",
        summary=row.summary,
        why=row.why,
        bad=row.bad,
        good=row.good,
        source="",
    )
