"""Random objects of every kind: the real server refuses exactly what Kohort's rules say that it refuses.

The number for each kind is 2,000 here and more in `ci/lab-full`; a difference is reduced to the smallest object that
still shows it.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator

import pytest
from judging import Judged, judge
from random_objects import Objects

from kohort.diagnostics import Consequence
from kohort.lab.controlplane import ControlPlane
from kohort.lab.verdicts import KINDS
from kohort.rules.base import Stage
from kohort.rules.registry import all_rules

pytestmark = [pytest.mark.lab, pytest.mark.slow]
COUNT = int(os.environ.get("KOHORT_LAB_OBJECTS", "2000"))
SEED = int(os.environ.get("KOHORT_LAB_SEED", "20261130"))
_EVERY_KIND = 12
_ENOUGH = 2000  # objects of a kind after which each of its rules has been met


@pytest.fixture(scope="module")
def judges(programs: None) -> Iterator[ControlPlane]:
    """The webhooks of Kueue and AppWrapper."""
    with ControlPlane(["appwrapper"]) as running:
        yield running


@pytest.fixture(scope="module")
def met() -> Counter[str]:
    """Refusing rules that were met, over all kinds."""
    return Counter()


def refusing_rules(kind: str) -> set[str]:
    """Codes of the rules that say that a server refuses an object of this kind alone."""
    return {
        rule.code
        for rule in all_rules()
        if rule.stage is Stage.FORM
        and rule.consequence is Consequence.REFUSED
        and kind in rule.kinds
        and len(rule.kinds) < _EVERY_KIND
    }


@pytest.mark.timeout(900)
@pytest.mark.parametrize("kind", KINDS)
def test_the_server_and_the_rules_agree(judges: ControlPlane, kind: str, met: Counter[str]) -> None:
    made = Objects(kind, SEED)
    result: Judged = judge(judges, kind, [made.draw() for _ in range(COUNT)])
    met.update(result.codes)
    assert result.differing == [], f"seed {SEED}"
    assert 0.3 <= result.accepted / result.asked <= 0.7
    if COUNT >= _ENOUGH:
        assert sorted(refusing_rules(kind) - set(result.codes)) == []


@pytest.mark.parametrize("kind", ["ClusterQueue", "AppWrapper"])
def test_the_same_seed_makes_the_same_objects(kind: str) -> None:
    first, second, other = Objects(kind, 1), Objects(kind, 1), Objects(kind, 2)
    drawn = [first.draw() for _ in range(50)]
    assert drawn == [second.draw() for _ in range(50)]
    assert drawn != [other.draw() for _ in range(50)]
