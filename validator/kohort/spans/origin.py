"""A symbolic place in the source: which document, which key or value; turned into lines only when shown."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal, NamedTuple, TypeAlias

Path: TypeAlias = tuple[str | int, ...]
Part: TypeAlias = Literal["key", "value"]

_PLAIN_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")


class Origin(NamedTuple):
    """A key or value of one document.

    `file` is the path as the user would type it (relative to the repository or the working directory),
    `document` counts the YAML documents of the file from 0, `path` leads to the value. A path that does not
    exist in the document resolves to its deepest existing ancestor. A named tuple, since hundreds of thousands are made.
    """

    file: str
    document: int = 0
    path: Path = ()
    part: Part = "value"

    def child(self, *steps: str | int, part: Part = "value") -> Origin:
        """The place reached from here by `steps`."""
        return Origin(self.file, self.document, (*self.path, *steps), part)


@lru_cache(maxsize=8192)
def show_path(path: Path) -> str:
    """Kubernetes' notation of a field path: `spec.resourceGroups[0].flavors[1].name`, `metadata.labels[a/b]`."""
    text = ""
    for step in path:
        if isinstance(step, int):
            text += f"[{step}]"
        elif _PLAIN_KEY.fullmatch(step):
            text += f".{step}" if text else step
        else:
            text += f"[{step}]"
    return text
