"""Definitions of kinds whose operators do not run in a lab, so that work of such kinds can be offered to Kueue.

Kueue and AppWrapper make what they make of it; no pods come of it, since nobody makes them. The real definitions stay
out: they cost the API server seconds each, and none of their schema matters to quota.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from kohort.lab.client import Client
    from kohort.lab.upstream import Manifest


def placeholders(client: Client, manifests: Iterable[Manifest]) -> list[Manifest]:
    """Return one definition for each kind of these manifests, or wrapped in them, that the server does not know."""
    versions: dict[tuple[str, str], list[str]] = {}
    for version, kind in dict.fromkeys(_kinds(manifests)):
        group, _, name = version.partition("/")
        if name and not _knows(client, version, kind):
            versions.setdefault((group, kind), []).append(name)
    return [placeholder(group, names, kind) for (group, kind), names in versions.items()]


def placeholder(group: str, versions: Sequence[str], kind: str) -> Manifest:
    """Return the definition of a namespaced kind that takes any field; the first version is stored."""
    schema = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
    plural = f"{kind.lower()}s"
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": f"{plural}.{group}"},
        "spec": {
            "group": group,
            "scope": "Namespaced",
            "names": {"plural": plural, "singular": kind.lower(), "kind": kind, "listKind": f"{kind}List"},
            "versions": [
                {
                    "name": name,
                    "served": True,
                    "storage": index == 0,
                    "schema": {"openAPIV3Schema": schema},
                    "subresources": {"status": {}},
                }
                for index, name in enumerate(versions)
            ],
        },
    }


def _kinds(manifests: Iterable[Manifest]) -> Iterator[tuple[str, str]]:
    for each in manifests:
        yield each["apiVersion"], each["kind"]
        spec = each.get("spec")
        components = spec.get("components") if isinstance(spec, dict) else None
        for component in components if isinstance(components, list) else ():
            template = component.get("template") if isinstance(component, dict) else None
            if isinstance(template, dict) and {"apiVersion", "kind"} <= template.keys():
                yield str(template["apiVersion"]), str(template["kind"])


def _knows(client: Client, version: str, kind: str) -> bool:
    answer = client.request("GET", f"/apis/{version}")
    return answer.ok and any(each["kind"] == kind for each in answer.body["resources"])
