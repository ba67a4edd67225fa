"""Compiled objects: metadata that all share, and provenance in few entries."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from kohort.compiler.waves import OPTIONS, WAVE, sync_options, wave_of
from kohort.objects.kube import Derived, KubeObject
from kohort.spans import Origin, Path, show_path

SOURCE: Final = "kohort.dev/source"
MANAGED: Final = (
    "kohort.dev/managed"  # namespaces whose jobs Kueue manages; its Configuration selects the label
)
TEAM: Final = "kohort.dev/team"
KUEUE: Final = "kueue.x-k8s.io/v1beta2"  # served since Kueue 0.15, stored since 0.16
RBAC: Final = "rbac.authorization.k8s.io"

LABELS: Final = {"app.kubernetes.io/managed-by": "kohort"}

Entries = Mapping[Path, tuple[Origin, str]]


def source_text(origin: Origin) -> str:
    """`teams/blue/team.yaml#spec.queues[0]`: file and path, no lines, so that a comment above changes nothing."""
    return f"{origin.file}#{show_path(origin.path)}" if origin.path else origin.file


def make(
    api_version: str,
    kind: str,
    name: str,
    origin: Origin,
    body: Mapping[str, Any],
    *,
    namespace: str = "",
    labels: Mapping[str, str] | None = None,
    annotations: Mapping[str, str] | None = None,
    wave: int | None = None,
    entries: Entries | None = None,
    reason: str = "",
) -> KubeObject:
    """One object that `origin` declares; `body` is all but the header. `entries` say where single fields come from."""
    notes: dict[str, str] = {SOURCE: source_text(origin), WAVE: str(wave_of(kind) if wave is None else wave)}
    options = sync_options(api_version, kind)
    if options:
        notes[OPTIONS] = options
    if annotations:
        notes.update(annotations)
    metadata: dict[str, Any] = {"name": name}
    if namespace:
        metadata["namespace"] = namespace
    metadata["labels"] = {**LABELS, **labels} if labels else LABELS
    metadata["annotations"] = notes
    data = {"apiVersion": api_version, "kind": kind, "metadata": metadata, **body}
    return KubeObject(
        api_version,
        kind,
        name,
        namespace,
        data,
        Derived({(): (origin, reason), **entries} if entries else {(): (origin, reason)}),
    )
