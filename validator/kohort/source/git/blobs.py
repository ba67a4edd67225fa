"""Contents by their hash, from one `git cat-file --batch` process."""

from __future__ import annotations

import hashlib
import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import IO, Final

from kohort.source.git.command import GitProblem, command, environment

_SHA1: Final = 40
# Asked for at once. All of their hashes fit into a pipe, so neither side ever waits for the other.
_AT_ONCE: Final = 500


class Blobs:
    """The contents of one repository; each is read once. Several trees share them."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._known: dict[str, bytes] = {}

    def learn(self, sha: str, data: bytes) -> None:
        """Take `data` for the content of that hash, if it is: then Git need not be asked."""
        make = hashlib.sha1 if len(sha) == _SHA1 else hashlib.sha256
        content = b"blob %d\0%b" % (len(data), data)
        if sha not in self._known and make(content, usedforsecurity=False).hexdigest() == sha:
            self._known[sha] = data

    def fetch(self, hashes: Iterable[str]) -> None:
        """Read all of `hashes` that are not known yet. Missing ones (a partial clone) stay unknown."""
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
                    for sha in part:
                        self._take(sha, process.stdout)
                process.stdin.close()
        except OSError as error:
            raise GitProblem(f"git cat-file cannot be run: {error}") from error

    def _take(self, sha: str, stream: IO[bytes]) -> None:
        head = stream.readline()
        if not head:
            raise GitProblem("git cat-file ended early; `git fsck` tells whether the repository is damaged")
        fields = head.split()
        if len(fields) != 3:  # `<hash> missing`
            return
        size = int(fields[2])
        data = stream.read(size)
        stream.read(1)
        if len(data) == size and fields[1] == b"blob":
            self._known[sha] = data

    def get(self, sha: str) -> bytes | None:
        """The content, None where the repository does not hold it."""
        if sha not in self._known:
            self.fetch([sha])
        return self._known.get(sha)
