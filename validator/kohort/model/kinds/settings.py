"""Settings of the systems on a cluster: scheduler, Argo CD, Kueue's manager, AppWrapper's controller."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from kohort.model.kinds.base import Strict
from kohort.model.kinds.fields import Count, LabelName, Positive
from kohort.model.settings import AppWrapperSettings, Argo, KueueSettings, Scheduling

FairStrategy = Literal["LessThanOrEqualToFinalShare", "LessThanInitialShare"]


class SchedulingField(Strict):
    """How pods reach nodes: the default scheduler, or a second one that packs GPUs and places gangs whole."""

    scheduler: str = Field(
        default="default-scheduler",
        description="Name of the scheduler that GPU pods use.",
        examples=["scheduler-plugins-scheduler"],
        min_length=1,
    )
    packing: bool = Field(
        default=False,
        description="Fill nodes that are in use first, so that whole nodes stay free.",
        examples=[True],
    )
    gangs: bool = Field(default=False, description="Place all pods of a workload or none.", examples=[True])
    permit_wait_seconds: Positive = Field(
        default=300, description="How long a gang waits for its last pod.", examples=[300]
    )

    def declare(self) -> Scheduling:
        """As the core sees it."""
        return Scheduling(
            scheduler=self.scheduler,
            packing=self.packing,
            gangs=self.gangs,
            permit_wait_seconds=self.permit_wait_seconds,
            path=("spec", "scheduling"),
        )


class ArgoField(Strict):
    """Where Argo CD finds the compiled output and where it puts it."""

    repo_url: str = Field(
        default="",
        alias="repoURL",
        description="The Git repository that holds this organisation. Without it nothing is made for Argo CD.",
        examples=["https://git.example.com/clusters.git"],
    )
    revision: str = Field(default="main", description="Branch or tag to sync.", examples=["main"])
    namespace: LabelName = Field(
        default="argocd", description="Namespace that Argo CD runs in.", examples=["argocd"]
    )
    server: str = Field(
        default="https://kubernetes.default.svc",
        description="The cluster's API server as Argo CD knows it.",
        examples=["https://kubernetes.default.svc"],
    )
    self_heal: bool = Field(default=True, description="Undo changes made by hand.", examples=[True])
    prune: bool = Field(default=True, description="Delete what Git no longer has.", examples=[True])

    def declare(self) -> Argo:
        """As the core sees it."""
        return Argo(
            repo_url=self.repo_url,
            revision=self.revision,
            namespace=self.namespace,
            server=self.server,
            self_heal=self.self_heal,
            prune=self.prune,
            path=("spec", "argo"),
        )


class KueueField(Strict):
    """What the manager's Configuration says."""

    namespace: LabelName = Field(
        default="kueue-system", description="Namespace that Kueue runs in.", examples=["kueue-system"]
    )
    fair_sharing: list[FairStrategy] = Field(
        default_factory=list,
        description="Preemption strategies of fair sharing; empty means classical sharing.",
        examples=[["LessThanOrEqualToFinalShare", "LessThanInitialShare"]],
    )
    frameworks: list[str] = Field(
        default_factory=list,
        description="Kinds of jobs that Kueue queues.",
        examples=[["batch/job", "workload.codeflare.dev/appwrapper"]],
    )
    wait_for_pods_ready_seconds: Positive | None = Field(
        default=None,
        description="Evict a workload whose pods are not ready after this time; left out: Kueue 0.19 and newer evict after 30 minutes, older ones never.",
        examples=[1800],
    )
    manage_jobs_without_queue_name: bool = Field(
        default=True, description="Also hold jobs that name no queue.", examples=[True]
    )

    def declare(self) -> KueueSettings:
        """As the core sees it."""
        return KueueSettings(
            namespace=self.namespace,
            fair_sharing=tuple(self.fair_sharing),
            frameworks=tuple(self.frameworks),
            wait_for_pods_ready_seconds=self.wait_for_pods_ready_seconds,
            manage_jobs_without_queue_name=self.manage_jobs_without_queue_name,
            path=("spec", "kueue"),
        )


class AppWrapperField(Strict):
    """What AppWrapper's configuration says; durations in seconds."""

    namespace: LabelName = Field(
        default="appwrapper-system",
        description="Namespace that the controller runs in.",
        examples=["appwrapper-system"],
    )
    wrapped_kinds: list[str] = Field(
        default_factory=list,
        description="Kinds that may be wrapped beyond the controller's own list, as `group/Kind`.",
        examples=[["jobset.x-k8s.io/JobSet"]],
    )
    user_rbac_check: bool = Field(
        default=False,
        description="Whether the webhook checks that the user could create what is wrapped.",
        examples=[True],
    )
    grace: dict[str, Count] = Field(
        default_factory=dict,
        description="Grace periods in seconds, by the name that AppWrapper's configuration gives them.",
        examples=[{"admissionGracePeriod": 60, "warmupGracePeriod": 300}],
    )
    retry_limit: Count | None = Field(
        default=None, description="How often a failed workload is started again.", examples=[3]
    )

    def declare(self) -> AppWrapperSettings:
        """As the core sees it."""
        return AppWrapperSettings(
            namespace=self.namespace,
            wrapped_kinds=tuple(self.wrapped_kinds),
            user_rbac_check=self.user_rbac_check,
            grace=dict(self.grace),
            retry_limit=self.retry_limit,
            path=("spec", "appwrapper"),
        )
