"""Compile an organisation's repository for a lab: from a folder, or from a commit of one."""

from __future__ import annotations

import io
import subprocess
import tarfile
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from kohort.diagnostics import Severity
from kohort.engine.marker import is_repository
from kohort.engine.outcome import Settings
from kohort.engine.repository import check_repository
from kohort.lab.compiled import Compiled, compiled
from kohort.lab.failure import LabError
from kohort.source.tree import WorkDir

if TYPE_CHECKING:
    from collections.abc import Iterator


def load(root: Path, cluster: str = "") -> Compiled:
    """Compile the repository at `root` and return one of its clusters.

    Args:
        root: its top folder.
        cluster: name; may be empty when there is one only.

    Raises:
        LabError: no repository, errors stand, or the cluster is not clear.
    """
    if not is_repository(root):
        raise LabError(f"{root} is not a Kohort repository (no kohort.yaml)")
    outcome, bundle = check_repository(WorkDir(root), Settings())
    if outcome.report.fails(Severity.ERROR):
        first = next(each for each in outcome.report.findings if each.severity is Severity.ERROR)
        raise LabError(f"{root} has errors; see `kohort check`. The first: {first.message}")
    if not cluster:
        if len(bundle.clusters) != 1:
            raise LabError(
                f"which cluster? Choose with --cluster: {', '.join(bundle.clusters) or 'there is none'}"
            )
        cluster = next(iter(bundle.clusters))
    return compiled(bundle, cluster)


@contextmanager
def checked_out(text: str, repository: Path) -> Iterator[Path]:
    """Give a folder for a folder's path, or for a commit of the repository at `repository`.

    Raises:
        LabError: it is neither.
    """
    if Path(text).is_dir():
        yield Path(text)
        return
    archive = _archive(text, repository)
    with tempfile.TemporaryDirectory(prefix="kohort-rehearse-") as name:
        with tarfile.open(fileobj=io.BytesIO(archive)) as tar:
            tar.extractall(name, filter="data")
        yield Path(name)


def _archive(reference: str, repository: Path) -> bytes:
    if reference.startswith("-"):
        raise LabError(f"{reference!r} is neither a folder nor a commit")
    try:
        done = subprocess.run(  # noqa: S603 - fixed program, the reference is no option
            ["git", "-C", str(repository), "archive", "--format=tar", reference],  # noqa: S607
            capture_output=True,
            check=False,
        )
    except OSError as error:
        raise LabError(f"{reference!r} is no folder, and git cannot be started: {error}") from error
    if done.returncode != 0:
        message = done.stderr.decode(errors="replace").strip()
        raise LabError(f"{reference!r} is neither a folder nor a commit of {repository}: {message}")
    return done.stdout
