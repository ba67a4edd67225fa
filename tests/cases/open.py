"""Clauses of right answers in the shared cases that lint and capacity do not answer, each with the reason.

`OPEN[case][n]` stands for the n-th clause (from 0) of that case's `expected.md`. `CAPACITY` names the clauses that
the capacity cases assert. Everything else is asserted by the lint cases; test_every_clause.py holds the three together.
"""

from __future__ import annotations

PLAN = "plan: needs the state before the change"
IMPORT = "import: adopting files as declarations is later work; its reading findings are asserted"
COMPILE = "compile: the form of emitted objects is judged by the compiler's own tests"
LATER = "a remark about the facts behind the answer, not an answer"

OPEN: dict[str, dict[int, str]] = {
    "28": {},
    "31": {1: IMPORT},
    "38": {2: COMPILE},
    "54": {3: LATER},
    "70": {0: PLAN},
    "71": {0: PLAN},
    "73": {0: PLAN, 1: PLAN},
    "74": {0: PLAN, 1: COMPILE},
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
