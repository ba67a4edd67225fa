"""Kind Cluster: versions, node pools and settings of one cluster (`clusters/<name>/cluster.yaml`)."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from kohort.model.kinds.base import Envelope, Strict
from kohort.model.kinds.fields import Name, PercentField, RemainderField, Sentence
from kohort.model.kinds.health import HealthField
from kohort.model.kinds.namespaces import NamespacesField
from kohort.model.kinds.nodes import NodePoolField
from kohort.model.kinds.people import AdminAccess
from kohort.model.kinds.settings import AppWrapperField, ArgoField, KueueField, SchedulingField
from kohort.model.repo import ClusterDecl, Overcommit, Slack
from kohort.spans import Origin


class VersionsField(Strict):
    """Versions of what runs on the cluster: full ones, so that the checks know what its server accepts."""

    kubernetes: str = Field(description="Kubernetes.", examples=["1.36.2"], pattern=r"^\d+\.\d+(\.\d+)?$")
    kueue: str = Field(description="Kueue.", examples=["0.19.1"], pattern=r"^\d+\.\d+(\.\d+)?$")
    appwrapper: str = Field(default="", description="AppWrapper controller.", examples=["1.2.2"])
    scheduler_plugins: str = Field(default="", description="Scheduler plugins.", examples=["0.34.7"])
    argocd: str = Field(default="", description="Argo CD.", examples=["3.2.0"])


class SlackField(Strict):
    """Quota that nobody is promised: it absorbs failures, and everyone in the cohort may borrow it."""

    cohort: Name = Field(description="The cohort that may borrow it.", examples=["org"])
    flavor: Name = Field(description="The flavor.", examples=["h100"])
    amount: RemainderField = Field(
        default="remainder",
        description="GPUs (nodes where the flavor has none), or `remainder`: healthy capacity less all guarantees.",
        examples=["remainder", 8],
    )
    writer: Literal["git", "external"] = Field(
        default="git",
        description="Who writes the numbers: `compile`, or a controller on the cluster.",
        examples=["git"],
    )


class OvercommitField(Strict):
    """A reviewed exception from the proof that promises fit the hardware."""

    flavor: Name = Field(description="The flavor.", examples=["cpu"])
    resource: str = Field(
        default="", description="One resource; all of the flavor when left out.", examples=["cpu"]
    )
    percent: PercentField = Field(
        description="Promises may reach this percentage of healthy capacity; `unbounded` sets no bound.",
        examples=[120, "unbounded"],
    )
    reason: Sentence = Field(description="Why, for the reviewer.", examples=["idle at night"])


class ClusterSpec(Strict):
    """One cluster."""

    versions: VersionsField = Field(
        description="Versions of what runs on it.", examples=[{"kubernetes": "1.36.2", "kueue": "0.19.1"}]
    )
    node_pools: list[NodePoolField] = Field(
        description="The nodes that should exist, by shape.",
        examples=[[{"name": "h100", "flavor": "h100", "nodes": 3, "perNode": {"cpu": 224}}]],
    )
    slack: list[SlackField] = Field(
        default_factory=list,
        description="Quota that absorbs failures.",
        examples=[[{"cohort": "org", "flavor": "h100", "amount": "remainder"}]],
    )
    overcommit: list[OvercommitField] = Field(
        default_factory=list,
        description="Where promises may exceed healthy hardware.",
        examples=[[{"flavor": "cpu", "resource": "cpu", "percent": 120, "reason": "idle at night"}]],
    )
    health: HealthField = Field(
        default_factory=HealthField,
        description="What marks a node as unhealthy. Cordon and Ready always count.",
        examples=[{"presets": ["autopilot", "npd"]}],
    )
    rack_label: str = Field(
        default="",
        description="Node label that names the rack; maintenance of a rack and topologies use it.",
        examples=["topology.example.com/rack"],
    )
    scheduling: SchedulingField = Field(
        default_factory=SchedulingField,
        description="How pods reach nodes.",
        examples=[{"scheduler": "scheduler-plugins-scheduler", "packing": True, "gangs": True}],
    )
    argo: ArgoField = Field(
        default_factory=ArgoField,
        description="Where Argo CD finds the compiled output and where it puts it.",
        examples=[{"repoURL": "https://git.example.com/clusters.git"}],
    )
    kueue: KueueField = Field(
        default_factory=KueueField,
        description="Settings of Kueue's manager.",
        examples=[{"namespace": "kueue-system"}],
    )
    appwrapper: AppWrapperField = Field(
        default_factory=AppWrapperField,
        description="Settings of the AppWrapper controller.",
        examples=[{"retryLimit": 3}],
    )
    namespaces: NamespacesField = Field(
        default_factory=NamespacesField,
        description="Bounds on what Kueue does not count, and default requests, in every team's namespaces.",
        examples=[{"atMost": {"persistentvolumeclaims": 20}, "containerDefaults": {"cpu": "100m"}}],
    )
    access: AdminAccess = Field(
        default_factory=AdminAccess,
        description="Admins and viewers of this cluster, beside those of the organisation.",
        examples=[{"admins": {"groups": ["cluster-admins"]}}],
    )


class ClusterDocument(Envelope[ClusterSpec]):
    """Versions, node pools and settings of one cluster."""

    kind: Literal["Cluster"] = Field(description="What is declared.", examples=["Cluster"])

    def declare(self, origin: Origin) -> ClusterDecl:
        """The cluster."""
        spec, versions = self.spec, self.spec.versions
        named = {
            "kubernetes": versions.kubernetes,
            "kueue": versions.kueue,
            "appwrapper": versions.appwrapper,
            "schedulerPlugins": versions.scheduler_plugins,
            "argocd": versions.argocd,
        }
        return ClusterDecl(
            name=self.metadata.name,
            origin=origin,
            title=self.metadata.title,
            versions={name: version for name, version in named.items() if version},
            pools=tuple(pool.declare(("spec", "nodePools", i)) for i, pool in enumerate(spec.node_pools)),
            slack=tuple(
                Slack(
                    cohort=entry.cohort,
                    flavor=entry.flavor,
                    amount=entry.amount,
                    writer=entry.writer,
                    path=("spec", "slack", i),
                )
                for i, entry in enumerate(spec.slack)
            ),
            overcommit=tuple(
                Overcommit(
                    flavor=entry.flavor,
                    resource=entry.resource,
                    percent=entry.percent,
                    reason=entry.reason,
                    path=("spec", "overcommit", i),
                )
                for i, entry in enumerate(spec.overcommit)
            ),
            health=spec.health.declare(declared="health" in spec.model_fields_set),
            rack_label=spec.rack_label,
            scheduling=spec.scheduling.declare(),
            argo=spec.argo.declare(),
            kueue=spec.kueue.declare(),
            appwrapper=spec.appwrapper.declare(),
            namespaces=spec.namespaces.declare(),
            admins=spec.access.admins.declare(),
            viewers=spec.access.viewers.declare(),
        )
