"""Which tests can notice a mutant: those that run a line of its statement, quick ones first."""

from __future__ import annotations

from pathlib import Path

import pytest

from mutant_worker import Measured
from mutations import Mutant

PATHS = (
    "tests/rules",
    "tests/cases",
    "tests/conformance",
    "tests/unit/capacity",
    "tests/unit/compiler",
    "tests/unit/semantics",
    "tests/property",
)
_LAST = "/property/"  # hundreds of examples each
# No part in the mutated layers, or everything with everything: those notice only what crashes, and others notice that.
LEFT_OUT = (
    *(
        f"tests/property/test_{name}"
        for name in ("compile_invariants", "derive", "emit", "quantity", "reader", "value_types")
    ),
    "tests/property/test_capacity_is_total.py",
    "tests/property/test_control_rules_are_total.py",
    "tests/rules/test_hostile_names.py",
    "tests/rules/test_meaning_rules_are_total.py",
    "tests/rules/test_one_defect_one_finding.py",
)


class Relevance:
    """Knows the tests of each line."""

    def __init__(self, items: list[pytest.Item], measured: Measured) -> None:
        self._items = items
        self._seconds = measured["seconds"]
        self._lines = measured["lines"]

    def items(self, mutant: Mutant) -> list[pytest.Item]:
        """Tests in the order to run. Lines that run at import concern every test that runs any line of the file."""
        lines = self._lines.get(str(mutant.file), {})
        later = mutant.function and not root_of(mutant.file)
        wanted = map(str, range(mutant.lines[0], mutant.lines[1] + 1)) if later else lines
        numbers = {number for line in wanted for number in lines.get(line, ())}
        if not later and not numbers:  # constants alone: whoever imports them
            numbers = set(range(len(self._items)))
        chosen = [self._items[number] for number in numbers if self._items[number].nodeid in self._seconds]
        return sorted(chosen, key=self._rank)

    def _rank(self, item: pytest.Item) -> tuple[bool, float, str]:
        name = item.nodeid
        return _LAST in name, self._seconds[name], name


def root_of(file: Path) -> bool:
    """Whether a file lies directly under `rules/`: it works at import, so no function of it can be swapped later."""
    return file.parent.name == "rules"
