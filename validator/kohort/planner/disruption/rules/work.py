"""Declared work."""

from __future__ import annotations

from kohort.planner.disruption.rule import EVICTS, NEW_WORK, RECREATE, WORK, Case, FieldRule

RULE = FieldRule(
    name="work",
    kinds=(
        "AppWrapper",
        "Job",
        "JobSet",
        "MPIJob",
        "PyTorchJob",
        "TFJob",
        "XGBoostJob",
        "PaddleJob",
        "JAXJob",
        "TrainJob",
        "RayJob",
        "RayCluster",
        "RayService",
        "LeaderWorkerSet",
        "SparkApplication",
        "CronJob",
        "Deployment",
        "StatefulSet",
        "Pod",
        "PodGroup",
        "Workload",
    ),
    fields=("", "spec", "metadata.labels"),
    shows=WORK,
    source="Kueue 0.19.1 job webhooks: what is admitted is immutable; Kohort gives a changed run another name",
    cases=(
        Case("added", NEW_WORK, "a new run is submitted"),
        Case("removed", EVICTS, "the run is deleted, were it running"),
        Case("", RECREATE, "what is submitted is immutable: give it another run"),
    ),
)
