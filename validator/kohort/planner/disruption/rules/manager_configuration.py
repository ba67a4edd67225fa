"""Kueue's own configuration, given as the document that its manager reads."""

from __future__ import annotations

from kohort.planner.disruption.rule import BEHAVIOUR, NEW_WORK, Case, FieldRule

RULE = FieldRule(
    name="manager-configuration",
    kinds=("Configuration",),
    fields=(
        "",
        "admissionFairSharing",
        "clientConnection",
        "controller",
        "featureGates",
        "health",
        "integrations",
        "internalCertManagement",
        "leaderElection",
        "manageJobsWithoutQueueName",
        "managedJobsNamespaceSelector",
        "metrics",
        "multiKueue",
        "namespace",
        "objectRetentionPolicies",
        "pprofBindAddress",
        "queueVisibility",
        "resources",
        "tls",
        "visibilityServer",
        "webhook",
    ),
    shows=BEHAVIOUR,
    source="kueue.md 2.9: read when the manager starts",
    cases=(
        Case(
            "",
            NEW_WORK,
            "the manager reads it when it starts: restart it; admitted work stays admitted over a restart",
        ),
    ),
)
