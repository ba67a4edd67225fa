"""A symbolic place in the source: which document, which key or value; turned into lines only when shown."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, TypeAlias

Path: TypeAlias = tuple[str | int, ...]
Part: TypeAlias = Literal["key", "value"]

_PLAIN_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")


@dataclass(frozen=True, slots=True)
class Origin:
    """A key or value of one document.

    `file` is the path as the user would type it (relative to the repository or the working directory),
    `document` counts the YAML documents of the file from 0, `path` leads to the value. A path that does not
    exist in the document resolves to its deepest existing ancestor.
    """

    file: str
    document: int = 0
    path: Path = ()
    part: Part = "value"

    def child(self, *steps: str | int, part: Part = "value") -> Origin:
        """The place reached from here by `steps`."""
        return Origin(self.file, self.document, (*self.path, *steps), part)


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
