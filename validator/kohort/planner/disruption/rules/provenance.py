"""Kohort's own notes."""

from __future__ import annotations

from kohort.planner.disruption.rule import NOTHING, Case, FieldRule

RULE = FieldRule(
    name="provenance",
    kinds=("*",),
    fields=(
        "metadata.annotations[kohort.dev/source]",
        "metadata.annotations[argocd.argoproj.io/sync-wave]",
        "metadata.annotations[argocd.argoproj.io/sync-options]",
    ),
    shows="no effect: it says which file declares the object, and in which order Argo CD applies it",
    source="compiler",
    cases=(Case("", NOTHING, "only where it is declared, or in which order it is applied"),),
)
