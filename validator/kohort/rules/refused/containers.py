"""The resources that the containers of a Workload's pod templates name."""

from __future__ import annotations

from collections.abc import Iterator

from kohort.objects.kube import KubeObject, mappings
from kohort.spans import Path


def container_resources(obj: KubeObject) -> Iterator[tuple[Path, str]]:
    """(path, resource name) of each request and limit, init containers first as the webhook goes."""
    for index, _ in mappings(obj.get("spec", "podSets")):
        base: Path = ("spec", "podSets", index, "template", "spec")
        for group in ("initContainers", "containers"):
            for place, container in mappings(obj.get(*base, group)):
                resources = container.get("resources")
                for part in ("requests", "limits"):
                    amounts = resources.get(part) if isinstance(resources, dict) else None
                    for name in amounts if isinstance(amounts, dict) else ():
                        yield (*base, group, place, "resources", part, name), str(name)
