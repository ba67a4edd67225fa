"""`python -m kohort.lab [FAMILY …]`: build what the lab lacks, and say where it is."""

from __future__ import annotations

import sys

from kohort.lab.build import build, to_stderr
from kohort.lab.failure import LabError
from kohort.lab.families import USUAL


def main(arguments: list[str]) -> int:
    """Build the named families, all but the optional ones when none is named; return the exit code."""
    try:
        programs = build(arguments or USUAL)
    except LabError as error:
        to_stderr(str(error))
        return 1
    for path in programs.values():
        sys.stdout.write(f"{path}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
