"""What changes between two compiled clusters, as Argo CD would carry it out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from kohort.compiler.waves import OPTIONS

if TYPE_CHECKING:
    from kohort.lab.compiled import Compiled
    from kohort.lab.upstream import Manifest

Key = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class Changes:
    """What has to be done to come from base to head.

    Attributes:
        applied: objects that are new or differ, in the order of their waves.
        removed: objects to delete, last waves first.
        kept: objects that are no longer in Git and stay, since their sync options say so.
        added_nodes: nodes of head that base has not.
        lost_nodes: names of nodes that head no longer has.
        changed_nodes: nodes that both have and that differ, as head has them.
    """

    applied: tuple[Manifest, ...]
    removed: tuple[Manifest, ...]
    kept: tuple[Manifest, ...]
    added_nodes: tuple[Manifest, ...]
    lost_nodes: tuple[str, ...]
    changed_nodes: tuple[Manifest, ...]

    @property
    def none(self) -> bool:
        """True when nothing has to be done."""
        return not any(getattr(self, name) for name in self.__slots__)


def changes(base: Compiled, head: Compiled) -> Changes:
    """Compare two states of one cluster."""
    before = {key(each): each for each in base.manifests}
    after = {key(each): each for each in head.manifests}
    gone = [before[each] for each in before if each not in after]
    old_nodes = {each["metadata"]["name"]: each for each in base.nodes}
    new_nodes = {each["metadata"]["name"]: each for each in head.nodes}
    return Changes(
        applied=tuple(each for each in head.manifests if before.get(key(each)) != each),
        removed=tuple(reversed([each for each in gone if _prunes(each)])),
        kept=tuple(each for each in gone if not _prunes(each)),
        added_nodes=tuple(each for name, each in new_nodes.items() if name not in old_nodes),
        lost_nodes=tuple(name for name in old_nodes if name not in new_nodes),
        changed_nodes=tuple(each for name, each in new_nodes.items() if old_nodes.get(name, each) != each),
    )


def key(manifest: Manifest) -> Key:
    """Return kind, namespace and name."""
    meta = manifest["metadata"]
    return manifest["kind"], meta.get("namespace", ""), meta["name"]


def label(manifest: Manifest) -> str:
    """Return `Kind namespace/name`."""
    kind, namespace, name = key(manifest)
    return f"{kind} {namespace}/{name}" if namespace else f"{kind} {name}"


def quota_lines(before: Manifest | None, after: Manifest) -> list[str]:
    """Return one line per quota of a ClusterQueue or Cohort that differs."""
    old, new = _quotas(before or {}), _quotas(after)
    return [
        f"{flavor} {resource} {field}: {old.get(where, 'unset')} → {new.get(where, 'unset')}"
        for where in sorted({*old, *new})
        if old.get(where) != new.get(where)
        for flavor, resource, field in (where,)
    ]


def _quotas(manifest: Manifest) -> dict[Key, Any]:
    return {
        (flavor["name"], resource["name"], field): resource[field]
        for group in (manifest.get("spec") or {}).get("resourceGroups") or ()
        for flavor in group["flavors"]
        for resource in flavor["resources"]
        for field in ("nominalQuota", "borrowingLimit", "lendingLimit")
        if field in resource
    }


def _prunes(manifest: Manifest) -> bool:
    options = (manifest["metadata"].get("annotations") or {}).get(OPTIONS, "")
    return "Prune=false" not in options.split(",")
