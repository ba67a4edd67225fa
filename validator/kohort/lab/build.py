"""Build the lab's programs once, into a cache that is keyed by their module sums.

A program is built under a temporary name and renamed when it is complete, so
that an interrupted build is never taken for a finished one.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import shutil
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from kohort.lab.disk import told
from kohort.lab.failure import LabError
from kohort.lab.families import FAMILIES, USUAL, Family

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    Report = Callable[[str], None]


_NO_SPACE = "no space left on device"
_HINT = "\n(free some space, or lead KOHORT_LAB_CACHE, GOCACHE, GOMODCACHE or GOTMPDIR to another disk)"


def to_stderr(line: str) -> None:
    """Write one line of progress to standard error."""
    sys.stderr.write(f"lab: {line}\n")
    sys.stderr.flush()


def cache_folder() -> Path:
    """Return the folder of built programs: `KOHORT_LAB_CACHE` or `~/.cache/kohort/lab`."""
    chosen = os.environ.get("KOHORT_LAB_CACHE")
    return Path(chosen) if chosen else Path.home() / ".cache" / "kohort" / "lab"


def family_folder(family: Family, cache: Path) -> Path:
    """Return where a family's programs live; its name changes with module sums and link options."""
    digest = hashlib.sha256()
    for part in (family.text("go.mod"), family.text("go.sum"), *family.link):
        digest.update(part.encode() + b"\0")
    return cache / f"{family.name}-{digest.hexdigest()[:16]}"


def program(name: str, cache: Path | None = None) -> Path:
    """Return where the built program lies, whether it exists or not."""
    root = cache or cache_folder()
    for family in FAMILIES.values():
        if name in dict(family.programs):
            return family_folder(family, root) / "bin" / name
    raise LabError(f"the lab has no program named {name!r}")


def missing(names: Iterable[str], cache: Path | None = None) -> list[str]:
    """Return the names of those programs that are not built yet."""
    return [name for name in names if not program(name, cache).is_file()]


def build(
    families: Iterable[str] = USUAL, *, cache: Path | None = None, report: Report = to_stderr
) -> dict[str, Path]:
    """Build what is missing of the named families.

    Args:
        families: names out of `FAMILIES`; all but the optional ones when absent.
        cache: folder of built programs; `cache_folder()` when absent.
        report: receives one line per step.

    Returns:
        The path of every program of those families.

    Raises:
        LabError: Go is absent while something is missing, or a build failed.
    """
    root = cache or cache_folder()
    result: dict[str, Path] = {}
    for name in families:
        if name not in FAMILIES:
            raise LabError(f"the lab has no family named {name!r}; there are {', '.join(sorted(FAMILIES))}")
        family = FAMILIES[name]
        folder = family_folder(family, root)
        todo = [pair for pair in family.programs if not (folder / "bin" / pair[0]).is_file()]
        if todo:
            with told(root, "KOHORT_LAB_CACHE"), _lock(root, family, report):
                _build_family(family, folder, report)
        result.update({each: folder / "bin" / each for each, _ in family.programs})
    return result


def module_folder(family_name: str, module: str, *, cache: Path | None = None) -> Path:
    """Return the folder in Go's module cache that holds the sources of a module.

    Manifests are read from there at run time. The module is downloaded when
    it is not in Go's cache.
    """
    go = _go()
    source = _source(FAMILIES[family_name], family_folder(FAMILIES[family_name], cache or cache_folder()))
    for arguments in (("list", "-m", "-json", module), ("mod", "download", "-json", module)):
        done = subprocess.run(  # noqa: S603 - our own programs and arguments
            [go, *arguments], cwd=source, env=_environment(), capture_output=True, text=True, check=False
        )
        if done.returncode == 0 and (folder := json.loads(done.stdout).get("Dir")):
            return Path(folder)
    raise LabError(f"Go cannot find module {module}: {(done.stderr or done.stdout).strip()[-500:]}")


def _build_family(family: Family, folder: Path, report: Report) -> None:
    todo = [pair for pair in family.programs if not (folder / "bin" / pair[0]).is_file()]
    if not todo:  # another process built it while this one waited for the lock
        return
    go = _go()
    source = _source(family, folder)
    (folder / "bin").mkdir(parents=True, exist_ok=True)
    link = ["-ldflags", " ".join(f"-X {value}" for value in family.link)] if family.link else []
    for name, package in todo:
        report(f"building {name} (from a cold cache this takes minutes)")
        began = time.monotonic()
        unfinished = folder / "bin" / f".{name}.{os.getpid()}"
        try:
            done = subprocess.run(  # noqa: S603 - our own programs and arguments
                [go, "build", "-mod=readonly", "-buildvcs=false", *link, "-o", str(unfinished), package],
                cwd=source,
                env=_environment(),
                capture_output=True,
                text=True,
                check=False,
            )
            if done.returncode != 0:
                hint = _HINT if _NO_SPACE in done.stderr else ""
                raise LabError(f"cannot build {name}: {done.stderr.strip()[-2000:]}{hint}")
            unfinished.rename(folder / "bin" / name)
        finally:
            unfinished.unlink(missing_ok=True)
        report(f"built {name} in {time.monotonic() - began:.0f} s")


def _source(family: Family, folder: Path) -> Path:
    """Write the family's module files where Go may run, and return that folder."""
    source = folder / "src"
    source.mkdir(parents=True, exist_ok=True)
    for name in ("go.mod", "go.sum"):
        text = family.text(name)
        target = source / name
        if not target.is_file() or target.read_text(encoding="utf-8") != text:
            target.write_text(text, encoding="utf-8")
    return source


def _go() -> str:
    found = shutil.which("go")
    if not found:
        raise LabError("the lab needs the Go toolchain (`go`) to build and to read upstream manifests")
    return found


def _environment() -> dict[str, str]:
    # GOFLAGS of the user could undo -mod=readonly; the workspace file of a parent folder too.
    # Argo CD wants a newer toolchain than the others, which Go fetches like a module when it may.
    return {**os.environ, "GOFLAGS": "", "GOWORK": "off", "GOTOOLCHAIN": "auto"}


@contextmanager
def _lock(root: Path, family: Family, report: Report) -> Iterator[None]:
    root.mkdir(parents=True, exist_ok=True)
    with (root / f"{family.name}.lock").open("w", encoding="utf-8") as handle:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            report(f"another process builds {family.name}; waiting for it")
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield
