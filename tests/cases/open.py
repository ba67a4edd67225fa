"""Clauses of right answers in the shared cases that lint and capacity do not answer, each with the reason.

`OPEN[case][n]` stands for the n-th clause (from 0) of that case's `expected.md`. `CAPACITY` names the clauses that
the capacity cases assert, `PLAN` those of tests/plan. Everything else is asserted by the lint cases;
test_every_clause.py holds them together.
"""

from __future__ import annotations

IMPORT = "import: adopting files as declarations is later work; its reading findings are asserted"
COMPILE = "compile: the form of emitted objects is judged by the compiler's own tests"
LATER = "a remark about the facts behind the answer, not an answer"

OPEN: dict[str, dict[int, str]] = {
    "28": {},
    "31": {1: IMPORT},
    "38": {2: COMPILE},
    "54": {3: LATER},
    "74": {1: COMPILE},
    "75": {0: COMPILE, 1: COMPILE},
    "77": {0: COMPILE},
}

CAPACITY: dict[str, tuple[int, ...]] = {
    "06": (1,),
    "11": (1, 2),
    "14": (1, 2),
    "28": (0, 1),
    "57": (1,),
}

PLAN: dict[str, tuple[int, ...]] = {"70": (0,), "71": (0,), "73": (0, 1), "74": (0,)}
