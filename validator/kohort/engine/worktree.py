"""The files as they lie there, for a plan: read once, and as Git would take them."""

from __future__ import annotations

from collections.abc import Mapping

from kohort.diagnostics import Finding
from kohort.engine.repository import is_source
from kohort.engine.usage import UsageProblem
from kohort.source.git import GitTree, History
from kohort.source.git.blobs import is_content
from kohort.source.tree import WorkDir


class Worktree:
    """A working tree beside the commit `base`, which looks at the files first, see `GitTree`.

    A checkout may end its lines in another way than the commit does (`core.autocrlf`, `eol=crlf`): a file that is the
    base's but for that is the base's, and nobody has to agree to it.
    """

    def __init__(self, tree: WorkDir) -> None:
        self.base: GitTree | None = None
        self._tree = tree
        self._data: dict[str, bytes] = {}

    @property
    def problems(self) -> tuple[Finding, ...]:
        """What could not be read, in order of the files."""
        return self._tree.problems

    def files(self) -> list[str]:
        """All readable files in order of their names."""
        return self._tree.files()

    def read(self, file: str) -> bytes:
        """The bytes of a file; raises OSError."""
        data = self._data.get(file)
        if data is None:
            data = self._data[file] = self._as_committed(file, self._tree.read(file))
        return data

    def _as_committed(self, file: str, data: bytes) -> bytes:
        if b"\r\n" not in data:
            return data
        plain = data.replace(b"\r\n", b"\n")
        return plain if is_content(self._hashes.get(file, ""), plain) else data

    def demand_whole(self, history: History) -> None:
        """Raises UsageProblem where a sparse checkout leaves files of the base out: they are not gone."""
        here = frozenset(self.files())
        missing = [
            name
            for name in history.left_out()
            if name in self._hashes and is_source(name) and name not in here
        ]
        if missing:
            more = f" and {len(missing) - 1} more files" if len(missing) > 1 else ""
            raise UsageProblem(
                f"a sparse checkout leaves {missing[0]}{more} out of the working tree: plan commits (--head HEAD), or "
                "git sparse-checkout disable"
            )

    @property
    def _hashes(self) -> Mapping[str, str]:
        return self.base.hashes if self.base is not None else {}
