"""Contents by their hash, from one `git cat-file --batch` process."""

from __future__ import annotations

import contextlib
import hashlib
import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import IO, Final

from kohort.source.git.command import GitProblem, command, environment

_SHA1: Final = 40
# Asked for at once. All of their hashes fit into a pipe, so neither side ever waits for the other.
_AT_ONCE: Final = 500


def is_content(sha: str, data: bytes) -> bool:
    """Whether Git knows these bytes by that hash."""
    make = hashlib.sha1 if len(sha) == _SHA1 else hashlib.sha256
    content = b"blob %d\0%b" % (len(data), data)
    return make(content, usedforsecurity=False).hexdigest() == sha


class Blobs:
    """The contents of one repository; each is read once. Several trees share them."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._known: dict[str, bytes] = {}

    def learn(self, sha: str, data: bytes) -> None:
        """Take `data` for the content of that hash, if it is: then Git need not be asked."""
        if sha not in self._known and is_content(sha, data):
            self._known[sha] = data

    def fetch(self, hashes: Iterable[str]) -> None:
        """Read all of `hashes` that are not known yet, up to one that is missing at which git gives up (a partial clone).

        Missing ones stay unknown.
        """
        wanted = [sha for sha in dict.fromkeys(hashes) if sha not in self._known]
        if not wanted:
            return
        try:
            with subprocess.Popen(  # noqa: S603 - fixed program
                command(self._root, "cat-file", "--batch"),
                env=environment(),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
            ) as process:
                assert process.stdin is not None and process.stdout is not None, "both are pipes"  # noqa: PT018
                for start in range(0, len(wanted), _AT_ONCE):
                    part = wanted[start : start + _AT_ONCE]
                    process.stdin.write("".join(f"{sha}\n" for sha in part).encode("ascii"))
                    process.stdin.flush()
                    if not all(self._take(sha, process.stdout) for sha in part):
                        break
                with contextlib.suppress(BrokenPipeError):
                    process.stdin.close()
        except OSError as error:
            raise GitProblem(f"git cat-file cannot be run: {error}") from error

    def _take(self, sha: str, stream: IO[bytes]) -> bool:
        """Read one answer; False where there is none, since git has given up."""
        head = stream.readline()
        if not head:
            return False
        fields = head.split()
        if len(fields) != 3:  # `<hash> missing`
            return True
        size = int(fields[2])
        data = stream.read(size)
        stream.read(1)
        if len(data) == size and fields[1] == b"blob":
            self._known[sha] = data
        return True

    def has(self, sha: str) -> bool:
        """Whether the content was read."""
        return sha in self._known

    def get(self, sha: str) -> bytes | None:
        """The content, None where the repository does not hold it."""
        if sha not in self._known:
            self.fetch([sha])
        return self._known.get(sha)
