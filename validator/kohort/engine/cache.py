"""What `kohort check` found, kept for the next process under `.kohort/cache` (or `$KOHORT_CACHE`).

A file's part is looked up by the digest of its bytes, a cluster's by the digests of all files that reach it, so the
folder may be deleted at any time and never needs to be. One name per version of Kohort and Python and state of
Kohort's own files: another one is simply not found.

The content is pickled: thousands of small declarations load several times as fast as from JSON. Reading a pickle
that somebody else made would run their code, and anybody who proposes a change may commit such a file (or one that
says "no findings"). So each file carries a keyed hash, and the key lies in the user's own cache folder, never in the
repository: what was not written by the same user is not looked at.
"""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import io
import os
import pickle
import stat
import sys
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, Final

from kohort import __version__
from kohort.dataclass import dataclass
from kohort.engine.memory import FileRead, JudgedCluster, Memory
from kohort.source.collector import no_collection
from kohort.source.document import Document
from kohort.source.write import write_atomically

VARIABLE: Final = "KOHORT_CACHE"
OFF: Final = frozenset({"", "0", "off"})
_MAGIC: Final = b"kohort-cache-1\n"
_MAC: Final = 32
_KEY: Final = 32
_PART: Final = 8  # more than one in so many entries changed: everything is written again
_STUB: Final = {"apiVersion": "kohort.dev/v1alpha1"}  # enough to be told from Kubernetes' objects

Entries = tuple[dict[str, FileRead], dict[str, JudgedCluster]]


def cache_folder(root: Path, environment: Mapping[str, str] | None = None) -> Path | None:
    """Where the cache of a repository lies; None where `$KOHORT_CACHE` is `off`, or links lead out of the repository."""
    chosen = (os.environ if environment is None else environment).get(VARIABLE)
    if chosen is not None:
        return None if chosen.lower() in OFF else Path(chosen)
    folder = root / ".kohort" / "cache"
    return None if folder.is_symlink() or folder.parent.is_symlink() else folder


@dataclass(slots=True)
class Cache:
    """The cache of one folder. A base that is written rarely and a small file with what changed since."""

    folder: Path
    _base: Entries = ({}, {})
    _loaded: Entries = ({}, {})
    _own: str = ""  # the fingerprint, asked for once: it looks at each of Kohort's files

    def load(self) -> Memory:
        """What earlier processes left; an empty memory where nothing usable is there. Never raises."""
        key = _secret(make=False)
        if key is None:
            return Memory()
        self._base = _read(self._path("base"), key)
        changed = _read(self._path("changed"), key)
        self._loaded = {**self._base[0], **changed[0]}, {**self._base[1], **changed[1]}
        return Memory(dict(self._loaded[0]), dict(self._loaded[1]))

    def save(self, memory: Memory) -> None:
        """Keep what is new. Never raises: without a cache the next run only takes longer."""
        if _same(memory.files, self._loaded[0]) and _same(memory.clusters, self._loaded[1]):
            return
        key = _secret(make=True)
        if key is None:
            return
        files = {name: read for name, read in memory.files.items() if self._base[0].get(name) is not read}
        clusters = {name: one for name, one in memory.clusters.items() if self._base[1].get(name) is not one}
        with contextlib.suppress(OSError):
            self.folder.mkdir(parents=True, exist_ok=True)
            if len(files) * _PART > len(memory.files):
                _write(self._path("base"), (memory.files, memory.clusters), key)
                self._path("changed").unlink(missing_ok=True)
                (self.folder / ".gitignore").write_text("*\n", encoding="utf-8")
                self._forget_others()
            else:
                _write(self._path("changed"), (files, clusters), key)

    def _path(self, part: str) -> Path:
        self._own = self._own or fingerprint()
        return self.folder / f"{self._own}.{part}"

    def _forget_others(self) -> None:
        for path in self.folder.iterdir():
            if path.suffix in {".base", ".changed"} and path.stem != self._own:
                path.unlink(missing_ok=True)


def _same(now: Mapping[str, object], before: Mapping[str, object]) -> bool:
    return now.keys() == before.keys() and all(now[name] is before[name] for name in now)


def fingerprint() -> str:
    """Kohort's version, Python's, and the names, sizes and times of Kohort's own files."""
    known = hashlib.blake2b(digest_size=12)
    known.update(f"{__version__} {sys.implementation.cache_tag} {sys.version}".encode())
    root = os.fspath(Path(__file__).parents[1])
    for name, size, time in sorted(_own_files(root)):
        known.update(f"{name[len(root) :]} {size} {time}\n".encode())
    return known.hexdigest()


def _own_files(folder: str) -> Iterator[tuple[str, int, int]]:
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                if entry.name != "__pycache__":
                    yield from _own_files(entry.path)
            elif not entry.name.endswith(".pyc"):
                status = entry.stat()
                yield entry.path, status.st_size, status.st_mtime_ns


def _secret(*, make: bool) -> bytes | None:
    """The user's key; None where there is none (yet), or others might have written it."""
    base = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")  # noqa: PTH111 - Path.home() raises
    path = Path(base) / "kohort" / "key"
    with contextlib.suppress(OSError):
        if make and not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            with contextlib.suppress(FileExistsError):
                handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
                with os.fdopen(handle, "wb") as file:
                    file.write(os.urandom(_KEY))
        status = path.lstat()
        own = not hasattr(os, "getuid") or status.st_uid == os.getuid()
        if own and stat.S_ISREG(status.st_mode) and not status.st_mode & 0o022:
            key = path.read_bytes()
            return key if len(key) == _KEY else None
    return None


def _mac(payload: bytes, key: bytes) -> bytes:
    return hashlib.blake2b(payload, key=key, digest_size=_MAC).digest()


def _read(path: Path, key: bytes) -> Entries:
    try:
        data = path.read_bytes()
    except OSError:
        return {}, {}
    start = len(_MAGIC) + _MAC
    payload = data[start:]
    right = data.startswith(_MAGIC) and hmac.compare_digest(data[len(_MAGIC) : start], _mac(payload, key))
    if not right:
        return {}, {}
    try:
        with no_collection():
            files, clusters = pickle.loads(payload)  # noqa: S301 - written by this user: the keyed hash is right
    except Exception:  # noqa: BLE001 - whatever is wrong with it, the next run writes another
        return {}, {}
    return files, clusters


def _write(path: Path, entries: Entries, key: bytes) -> None:
    files = {name: _light(read) for name, read in entries[0].items()}
    written = io.BytesIO()
    _Pickler(written, protocol=pickle.HIGHEST_PROTOCOL).dump((files, entries[1]))
    payload = written.getvalue()
    write_atomically(path, _MAGIC + _mac(payload, key) + payload, durable=False)


class _Pickler(pickle.Pickler):
    """Writes frozen dataclasses so that they are restored field by field, three times as fast as by their own way."""

    def reducer_override(self, obj: Any) -> Any:
        """How an object is restored; NotImplemented leaves it to pickle."""
        cls: Any = type(obj)
        names = _slots(cls)
        return (_restored, (cls, tuple(getattr(obj, name) for name in names))) if names else NotImplemented


@cache
def _slots(cls: type) -> tuple[str, ...]:
    """The fields of a dataclass that keeps them in slots, else none."""
    return tuple(field.name for field in fields(cls)) if is_dataclass(cls) and not cls.__dictoffset__ else ()


def _restored(cls: type, values: tuple[Any, ...]) -> Any:
    made: Any = object.__new__(cls)
    for put, value in zip(_setters(cls), values, strict=True):
        put(made, value)
    return made


@cache
def _setters(cls: type) -> tuple[Any, ...]:
    """In the order of the fields; they are not asked for, since most classes need nothing but their slots here."""
    slots = (name for part in reversed(cls.__mro__) for name in vars(part).get("__slots__", ()))
    return tuple(getattr(cls, name).__set__ for name in slots)


def _light(read: FileRead) -> FileRead:
    """Without the values of documents that were taken, and without inventories, which are validated again."""
    taken = {index: taken for index, taken in read.taken.items() if taken.inventory is None}
    documents = tuple(
        Document(document.file, document.index, _STUB) if document.index in taken else document
        for document in read.source.documents
    )
    return replace(read, taken=taken, source=replace(read.source, documents=documents))
