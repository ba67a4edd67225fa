"""The resources that the containers of a Workload's pod templates name."""

from __future__ import annotations

from collections.abc import Iterator

from kohort.objects.kube import KubeObject, mappings
from kohort.spans import Path


def container_resources(obj: KubeObject) -> Iterator[tuple[Path, str]]:
    """(path, resource name) of each request and limit, init containers first as the webhook goes."""
    for index, _ in mappings(obj.get("spec", "podSets")):
        base: Path = ("spec", "podSets", index, "template", "spec")
        yield from _named(obj, (*base, "resources"))  # requests of the pod as a whole
        for group in ("initContainers", "containers"):
            for place, _ in mappings(obj.get(*base, group)):
                yield from _named(obj, (*base, group, place, "resources"))


def _named(obj: KubeObject, path: Path) -> Iterator[tuple[Path, str]]:
    for part in ("requests", "limits"):
        amounts = obj.get(*path, part)
        for name in amounts if isinstance(amounts, dict) else ():
            yield (*path, part, name), str(name)
