"""How much of what a queue lends another may use, by place and limits: numbers by hand."""

from __future__ import annotations

import pytest
from plan_world import FILES, changed
from planned import planned

from kohort.planner.authority.reach import Chain, Step, reach, standing


def queue(name: str, borrowing: int | None = None) -> Step:
    return Step(name, False, borrowing, None)


def cohort(name: str, borrowing: int | None = None, lending: int | None = None) -> Step:
    return Step(name, True, borrowing, lending)


ROOT = cohort("org", borrowing=1, lending=1)  # limits of what both have in common bound nobody below it
LENDER: Chain = (queue("a"), cohort("research", lending=6), ROOT)


@pytest.mark.parametrize(
    ("lender", "taker", "expected"),
    [
        (
            LENDER,
            (queue("b"), cohort("research", borrowing=2, lending=6), ROOT),
            10,
        ),  # side by side: all of it
        (LENDER, (queue("b", borrowing=4), cohort("research", lending=6), ROOT), 4),
        (LENDER, (queue("c"), cohort("products"), ROOT), 6),  # out of research go 6
        (LENDER, (queue("c"), cohort("products", borrowing=5), ROOT), 5),
        (LENDER, (queue("c", borrowing=3), cohort("products", borrowing=5), ROOT), 3),
        (LENDER, (queue("c", borrowing=9), cohort("products", borrowing=8), ROOT), 6),
        (LENDER, (queue("d"), ROOT), 6),
        (LENDER, (queue("e"), cohort("elsewhere")), 0),
        (LENDER, (queue("e"),), 0),
        ((queue("a"),), (queue("org"), ROOT), 0),
        # A queue may have the name of a cohort: that is no place in common.
        ((queue("a"), cohort("x"), ROOT), (queue("x"), cohort("y")), 0),
    ],
)
def test_of_ten_that_are_lent(lender: Chain, taker: Chain, expected: int):
    assert reach(10, lender, taker) == expected


def test_the_way_of_a_queue_to_its_root_has_all_limits_but_what_it_lends_itself():
    limits = "clusters: {pokprod: {borrow: {h100: 9}, lend: {h100: 3}}}"
    files = changed(
        {
            "queues/cohorts.yaml": [
                ("name: products\nspec:\n  parent: org", f"name: products\nspec:\n  parent: org\n  {limits}")
            ]
        }
    )
    side = standing(planned(files, FILES).clusters[1]["pokprod"])
    assert side.chain(side.tree.queues["green"], ("h100", "nvidia.com/gpu")) == (
        Step("green", False, 4, None),
        Step("products", True, 9, 3),
        Step("org", True, None, None),
    )
