"""Texts for `kohort where`: a line of source and what it became, a line of compiled output and where it comes from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import Any, Final

from kohort.compiler.build import build
from kohort.compiler.bundle import Bundle
from kohort.compiler.emit import emit
from kohort.compiler.where import Lines, Place, compiled_from, derived_quota, place_in
from kohort.engine.outcome import Settings
from kohort.engine.repository import load_repository
from kohort.model.repo import Repo
from kohort.objects.names import visible
from kohort.source.positions import Positions
from kohort.source.reader import read_file
from kohort.source.tree import WorkDir
from kohort.spans import Origin, show_path

MOST: Final = 40
_LONGEST_VALUE: Final = 60


def where(root: Path, file: str, line: int) -> list[str] | None:
    """What `file:line` of the repository at `root` becomes, or what decides it where it is compiled output.

    Lines count from 1. None where there is no such file or line, or nothing is declared at it. At most 40 places are
    listed, and how many more there are.
    """
    loaded = load_repository(WorkDir(root), Settings())
    bundle = build(loaded.repo)
    name = PurePosixPath(file).as_posix()
    if any(name in built.files for built in bundle.clusters.values()):
        return _source_of(root, bundle, loaded.places, name, line)
    if name not in loaded.tree.files():
        return None
    found = declared_at(loaded.places, name, line)
    return _compiled_of(bundle, loaded.repo, found) if found is not None else None


def declared_at(places: Positions, file: str, line: int) -> Origin | None:
    """The innermost value that has the whole line to itself; None for comments, blank lines and lines without one."""
    text = places.lines(file)[line - 1 : line] if line > 0 else ()
    data = places.read(file)
    if not text or data is None:
        return None
    for document in read_file(file, data).documents:
        origin, value = Origin(file, document.index), document.value
        while True:
            covering = [child for child in _children(origin, value) if _covers(places, child[0], line)]
            if len(covering) != 1:
                break
            origin, value = covering[0]
        if origin.path:
            bare = text[0].strip()
            remark = not bare or bare.startswith("#")
            return None if remark and isinstance(value, (Mapping, list)) else origin
    return None


def _children(origin: Origin, value: Any) -> Iterator[tuple[Origin, Any]]:
    if isinstance(value, Mapping):
        yield from ((origin.child(key), item) for key, item in value.items() if isinstance(key, str))
    elif isinstance(value, list):
        yield from ((origin.child(index), item) for index, item in enumerate(value))


def _covers(places: Positions, origin: Origin, line: int) -> bool:
    """Whether a key with its value reaches over a line."""
    key, value = places.span(Origin(origin.file, origin.document, origin.path, "key")), places.span(origin)
    if key is None or value is None:
        return False
    last = value.end_line - (value.end_column == 1 and value.end_line > value.line)
    return min(key.line, value.line) <= line <= max(key.end_line, last)


def _source_of(root: Path, bundle: Bundle, places: Positions, file: str, line: int) -> list[str] | None:
    place = place_in(bundle, file, line)
    if place is None:
        return None
    text = f"{place.obj.ref}  {show_path(place.path)}"
    lines = [f"{text} = {_shown(place.value)}" if place.value is not None else text]
    lines.append(f"  from {_address(places, place.origin)}  {show_path(place.origin.path)}".rstrip())
    if place.arithmetic:
        lines.append(f"  as   {visible(place.arithmetic)}")
    objects = next(built.files[file] for built in bundle.clusters.values() if file in built.files)
    written = emit(objects)
    if written.splitlines()[line - 1 : line] in ([], [b"---"]):
        return None
    try:
        current = (root / file).read_bytes() == written
    except OSError:
        lines.append(f"  (not written yet: this is line {line} of what `kohort compile` writes)")
    else:
        if not current:
            lines.append(f"  (the file is out of date: this is line {line} of what `kohort compile` writes)")
    return lines


def _of_pool(bundle: Bundle, repo: Repo, origin: Origin) -> tuple[Place, ...]:
    """The derived quota that the shape or reserve of a node pool takes part in."""
    for name, cluster in repo.clusters.items():
        if (cluster.origin.file, cluster.origin.document) != (origin.file, origin.document):
            continue
        for pool in cluster.pools:
            field = origin.path[len(pool.path) :]
            if origin.path[: len(pool.path)] == pool.path and field[:1] in {("perNode",), ("reserve",)}:
                resource = str(field[1]) if len(field) > 1 else ""
                # every amount is divided by the number of accelerators
                return derived_quota(
                    bundle, name, pool.flavor, "" if resource == pool.accelerator else resource
                )
    return ()


def _of_size(bundle: Bundle, repo: Repo, origin: Origin) -> tuple[Place, ...]:
    """The quota of every line that names a size."""
    size = next(
        (
            s
            for s in repo.sizes.values()
            if (s.origin.file, s.origin.document) == (origin.file, origin.document)
        ),
        None,
    )
    if size is None or origin.path[:1] != ("spec",):
        return ()
    lines = [
        line for team in repo.teams.values() for q in team.queues for on in q.quota.values() for line in on
    ]
    lines += [line for c in repo.cohorts.values() for share in c.clusters.values() for line in share.pool]
    named = [line.origin for line in lines if line.size == size.name]
    return tuple(
        place for one in named for place in compiled_from(bundle, one) if place.path[-1] == "nominalQuota"
    )


def _compiled_of(bundle: Bundle, repo: Repo, origin: Origin) -> list[str]:
    derived = _of_pool(bundle, repo, origin) or _of_size(bundle, repo, origin)
    places = derived or compiled_from(bundle, origin)
    here = f"{origin.file}  {show_path(origin.path)}".rstrip()
    fields = f"{len(places)} field{'s' if len(places) != 1 else ''}"
    around = places[0].origin.path if places else origin.path
    if not places:
        return [f"{here} decides nothing that is compiled"]
    if derived:
        lines = [f"{here} takes part in {fields}:"]
    elif len(around) < len(origin.path):
        whole = show_path(around) or "the whole declaration"
        lines = [f"{here} decides no field by itself; {whole} decides {fields}:"]
    else:
        lines = [f"{here} decides {fields}:"]
    numbers = Lines(bundle)
    for place in places[:MOST]:
        value = f" = {_shown(place.value)}" if place.value is not None else ""
        number = numbers.of(place)
        lines.append(f"  {place.file}:{number}  {place.obj.ref}  {show_path(place.path)}{value}".rstrip())
        if place.arithmetic:
            lines.append(f"      {visible(place.arithmetic)}")
    if len(places) > MOST:
        lines.append(f"  and {len(places) - MOST} more")
    return lines


def _address(places: Positions, origin: Origin) -> str:
    span = places.span(origin)
    return f"{origin.file}:{span.line}:{span.column}" if span is not None else origin.file


def _shown(value: object) -> str:
    text = visible(str(value)) if not isinstance(value, bool) else str(value).lower()
    return f"{text[:_LONGEST_VALUE]}…" if len(text) > _LONGEST_VALUE else text
