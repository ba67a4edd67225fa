"""What a team has of several queues: guarantees and lending add up, of what only one of them can reach the most counts."""

from __future__ import annotations

import pytest
from plan_world import changed
from planned import amounts, planned

BLUE = "teams/blue/team.yaml"
LAST = "      - {flavor: a100, gpus: 2}\n"


def second(name: str) -> str:
    """A queue of 3 H100 that may borrow 1."""
    return f"""\
  - name: {name}
    class: batch
    cohort: research
    quota: {{pokprod: [{{flavor: h100, gpus: 3, borrow: 1}}]}}
"""


@pytest.mark.parametrize("name", ["after", "zones"])
def test_a_second_queue_adds_to_the_guarantee_and_not_to_the_largest_job(name):
    """By the numbers of plan_world: 23 of the tree instead of 20, of which the first queue may borrow 23 − 8.

    The 3 of slack that research gets go 1 to each of its queues: the team has 8 + 1 and 3 + 1.
    """
    files = changed({BLUE: [(LAST, LAST + second(name))]})
    told = {line for line in amounts(planned(files).plan) if line.startswith("team blue h100 ")}
    assert told == {
        "team blue h100 guarantee 8 → 11",
        "team blue h100 borrow 12 → 15",
        "team blue h100 lend 8 → 11",
        "team blue h100 share 9 → 13",
        "team blue h100 largestJobByBorrowing 20 → 23",
    }
