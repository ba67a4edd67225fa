"""What the user asked for and cannot have."""

from __future__ import annotations


class UsageProblem(Exception):  # noqa: N818 - it is the user's to solve, not an error of the program
    """The run was asked for something that cannot be done; the text says what, in one line."""
