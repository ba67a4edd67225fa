"""The mutator of `ci/mutants`: what it changes, what it leaves alone, and that a change changes behaviour."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "ci"))
from mutations import mutants, mutated

SOURCE = '''"""A docstring with 1 < 2 and not True."""
from __future__ import annotations
LIMIT: int = 8


def judge(value: int = 3, *, strict: bool = True) -> bool | None:
    """Say whether 1 < value; not a mutant."""
    if value < LIMIT and not strict:
        return min(value, -1) > 0
    return None


class Holder:
    """Holds 5."""

    def twice(self) -> int:
        return [2 * n for n in range(3) if n.bit_count()][0]


for pair in zip((), (), strict=True):
    print("a" + f"{pair}")
'''


@pytest.fixture
def found(tmp_path):
    file = tmp_path / "sample.py"
    file.write_text(SOURCE)
    return mutants(file)


def test_every_kind_of_change_is_made_at_its_place(found):
    said = {(m.line, m.function, m.what) for m in found}
    assert {
        (3, "", "8 → 9 in `LIMIT: int = 8`"),
        (3, "", "8 → 7 in `LIMIT: int = 8`"),
        (6, "", "3 → 4 in `value: int=3, *, strict: bool=True`"),
        (6, "", "True → False in `value: int=3, *, strict: bool=True`"),
        (8, "judge", "judge: returns at once"),
        (8, "judge", "and → or in `value < LIMIT and (not strict)`"),
        (8, "judge", "negated `value < LIMIT and (not strict)`"),
        (8, "judge", "< → <= in `value < LIMIT`"),
        (8, "judge", "< → >= in `value < LIMIT`"),
        (8, "judge", "dropped not in `not strict`"),
        (9, "judge", "min → max in `min(value, -1)`"),
        (9, "judge", "dropped - in `-1`"),
        (9, "judge", "1 → 2 in `-1`"),
        (9, "judge", "> → >= in `min(value, -1) > 0`"),
        (17, "Holder.twice", "* → // in `2 * n`"),
        (17, "Holder.twice", "negated `n.bit_count()`"),
        (17, "Holder.twice", "Holder.twice: returns at once".replace("Holder.", "")),
    } <= said


def test_texts_annotations_and_assertions_are_left_alone(found):
    lines = {m.line for m in found}
    assert lines.isdisjoint({1, 2, 7, 14, 20, 21})
    assert not any("strict=True" in m.what for m in found)


def test_each_mutant_is_another_program_that_compiles(found):
    original = ast.dump(ast.parse(SOURCE))
    programs = [ast.dump(mutated(m)) for m in found]
    assert original not in programs
    assert len(set(programs)) == len(programs)
    for m in found:
        compile(mutated(m), "sample.py", "exec")


def test_lines_of_the_statement_are_known(found):
    assert {m.lines for m in found if m.function == "judge"} == {(8, 8), (9, 9)}


def test_a_mutant_keeps_the_source_that_it_was_found_in(found):
    found[0].file.write_text("x = 1\n")
    assert ast.dump(mutated(found[0])) != ast.dump(ast.parse("x = 1\n"))
