"""No clause of a shared case's right answer is forgotten: a test asserts it, or it is listed as open with its reason."""

from __future__ import annotations

import re

import pytest
from lint_case import ASSERTED, CASES, SHARED
from open import CAPACITY, OPEN, PLAN

pytestmark = pytest.mark.skipif(not SHARED.is_dir(), reason="the shared cases are not beside the repository")


@pytest.mark.parametrize("case", sorted({*CASES, *OPEN, *PLAN}))
def test_every_clause_is_asserted_or_listed_as_open(case):
    text = (next(SHARED.glob(f"{case}-*")) / "expected.md").read_text().partition("## Expected")[2]
    clauses = set(range(len(re.findall(r"^- ", text, re.MULTILINE))))
    known = ASSERTED[case].union(OPEN.get(case, ()), CAPACITY.get(case, ()), PLAN.get(case, ()))
    assert known >= clauses, f"clauses of case {case} that nothing asserts: {sorted(clauses - known)}"
    assert known <= clauses
