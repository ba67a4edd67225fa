"""Paths of pod sets as AppWrapper's controller walks them: `template.spec.groups[1].template`.

Source: AppWrapper 1.2.2 `utils.getValueAtPath` and `GetRawTemplate`, with the texts they print.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from kohort.objects.names import visible
from kohort.spans import Path

_ROOT: Final = "template"
_INDEX: Final = re.compile(r"[+-]?[0-9]{1,9}")


class PathError(ValueError):
    """A path that leads nowhere; the text says where it ends."""


def walk(template: Mapping[str, Any], text: str) -> tuple[Path, Any]:
    """The steps below the template and the value at a path.

    Raises:
        PathError: with the controller's words.
    """
    if not text.startswith(_ROOT):
        raise PathError("first element of the path must be 'template'")
    steps: list[str | int] = []
    value: Any = template
    done, rest = _ROOT, text[len(_ROOT) :]
    while rest:
        at = f"at path position '{visible(done)}'"
        if rest[0] == "[":
            inside, bracket, after = rest[1:].partition("]")
            if not bracket:
                raise PathError(f"{at} invalid array index '{visible(rest)}'")
            if not _INDEX.fullmatch(inside):
                raise PathError(f"{at} invalid index expression '{visible(inside)}'")
            if not isinstance(value, list):
                raise PathError(f"{at} found non-array value")
            if not 0 <= int(inside) < len(value):
                raise PathError(f"{at} out of bounds index '{inside}'")
            steps.append(int(inside))
            value = value[int(inside)]
            done, rest = f"{done}[{inside}]", after
        elif rest[0] == ".":
            key = _field(rest[1:])
            at = f"at path position '{visible(done)}.'"
            if not isinstance(value, Mapping):
                raise PathError(f"{at} non-map value")
            if key not in value:
                raise PathError(f"{at} missing field '{visible(key)}'")
            steps.append(key)
            value = value[key]
            done, rest = f"{done}.{key}", rest[1 + len(key) :]
        else:
            raise PathError(f"{at} invalid path element '{visible(rest)}'")
    return tuple(steps), value


def _field(rest: str) -> str:
    # A separator in the first place belongs to the name: that is how the controller reads `a..b`.
    ends = [place for place in (rest.find("."), rest.find("[")) if place > 0]
    return rest[: min(ends, default=len(rest))]


def pod_spec(template: Mapping[str, Any], text: str) -> tuple[Path, Mapping[str, Any]]:
    """The steps to the `spec` of the pod template at a path, and that spec.

    Raises:
        PathError: where no mapping with a spec stands there.
    """
    steps, value = walk(template, text)
    if not isinstance(value, Mapping):
        raise PathError(f"at path position '{visible(text)}' non-map value")
    if not isinstance(value.get("spec"), Mapping):
        raise PathError(f"content at {visible(text)} does not contain a spec")
    return (*steps, "spec"), value["spec"]
