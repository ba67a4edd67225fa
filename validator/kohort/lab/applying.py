"""Apply files of manifests to a lab that is up, in the order of their waves."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import yaml

from kohort.lab.apply import Applier
from kohort.lab.client import Client
from kohort.lab.compiled import wave
from kohort.lab.failure import LabError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from kohort.lab.standing import Standing
    from kohort.lab.upstream import Manifest

_ENDINGS = (".yaml", ".yml", ".json")
_PATIENCE = 15.0  # seconds for a webhook or a kind that comes with the same call


def apply_paths(lab: Standing, paths: Sequence[Path]) -> Iterator[str]:
    """Apply all objects of files and folders; yield one line per wave, and each warning.

    Raises:
        LabError: a file cannot be read, the server cannot be reached or refused an object.
    """
    manifests = sorted((each for path in paths for each in read(path)), key=wave)
    if not manifests:
        raise LabError(f"no manifests in {', '.join(map(str, paths))}")
    client = Client(lab.port, Path(lab.authority), lab.token)
    applier = Applier(client)
    try:
        for number in sorted({wave(each) for each in manifests}):
            some = [each for each in manifests if wave(each) == number]
            warnings = applier.apply(some, seconds=_PATIENCE)
            yield f"wave {number:>3}: {len(some)} applied ({', '.join(sorted({each['kind'] for each in some}))})"
            yield from (f"warning: {text}" for text in warnings)
    except OSError as error:
        raise LabError(f"the lab does not answer: {error}; see `kohort lab status`") from error
    finally:
        client.close()


def read(path: Path) -> list[Manifest]:
    """Return the objects of a file, or of all YAML and JSON files of a folder in order of name.

    Raises:
        LabError: a file cannot be read or holds something else.
    """
    if path.is_dir():
        files = sorted(each for each in path.rglob("*") if each.suffix in _ENDINGS and each.is_file())
        return [each for file in files for each in read(file)]
    try:
        loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
        found = [each for each in yaml.load_all(path.read_text(encoding="utf-8"), Loader=loader) if each]
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise LabError(f"cannot read {path}: {error}") from error
    for number, each in enumerate(found, 1):
        meta = each.get("metadata") if isinstance(each, dict) else None
        if not (isinstance(meta, dict) and meta.get("name") and each.get("kind") and each.get("apiVersion")):
            raise LabError(f"document {number} of {path} is no Kubernetes object with a name")
    return found
