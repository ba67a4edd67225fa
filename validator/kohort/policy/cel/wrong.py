"""What is wrong with an expression, and where in it."""

from __future__ import annotations


class Wrong(Exception):  # noqa: N818 - what is wrong is said of the policy, it is no error of the program
    """An expression that is no CEL, or that has no value. `offset` counts characters from 0; -1 where it is not known."""

    def __init__(self, text: str, offset: int = -1) -> None:
        super().__init__(text)
        self.text = text
        self.offset = offset


def place(expression: str, offset: int) -> tuple[int, int]:
    """Line and column of an offset, both from 1; zeros where it is not known."""
    if offset < 0:
        return 0, 0
    before = expression[:offset]
    return before.count("\n") + 1, offset - (before.rfind("\n") + 1) + 1
