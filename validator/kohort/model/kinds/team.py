"""Kind Team: the people, namespaces and queues of one team (`teams/<team>/team.yaml`)."""

from __future__ import annotations

from typing import Literal, Self

from pydantic import Field, model_validator

from kohort.model.kinds.base import Envelope, Strict, problem
from kohort.model.kinds.fields import LabelName, Name, QuantityField
from kohort.model.kinds.people import TeamAccess
from kohort.model.kinds.quota import QuotaLineField
from kohort.model.repo import Team, TeamQueue
from kohort.spans import Origin, Path

Quota = dict[str, list[QuotaLineField]]
_SHORT_FORM = ("class", "cohort", "weight", "stop", "default", "quota")
_QUOTA_TEXT = "Quota by cluster. Within a cluster the order of the flavors is the order of preference."
_QUOTA_EXAMPLES = [{"pokprod": [{"flavor": "h100", "gpus": 8}]}]


class _QueueBody(Strict):
    """What a queue has, whether it stands in a list or directly in `spec`."""

    queue_class: Name | None = Field(
        default=None,
        alias="class",
        description="How the queue behaves (kind QueueClass).",
        examples=["batch"],
    )
    cohort: Name | None = Field(
        default=None,
        description="The cohort in which the queue lends and borrows. Without one the queue has exactly its quota.",
        examples=["research"],
    )
    weight: QuantityField | None = Field(
        default=None,
        description="Share of borrowed capacity against the siblings, where the cluster shares fairly.",
        examples=["2"],
    )
    stop: Literal["None", "Hold", "HoldAndDrain"] = Field(
        default="None",
        description="`Hold` admits nothing new, `HoldAndDrain` also evicts what runs.",
        examples=["Hold"],
    )
    default: bool = Field(
        default=False,
        description="Jobs without a queue name go here: its LocalQueue is named `default`.",
        examples=[True],
    )
    quota: Quota = Field(default_factory=dict, description=_QUOTA_TEXT, examples=_QUOTA_EXAMPLES)

    previously: Name | None = Field(
        default=None,
        description="The name before a rename: objects on the clusters keep it, so that nothing is recreated.",
        examples=["fit"],
    )

    def _queue(self, name: str, namespaces: list[str], document: Origin, path: Path) -> TeamQueue:
        return TeamQueue(
            name=name,
            queue_class=self.queue_class or "",
            cohort=self.cohort or "",
            weight=self.weight,
            stop=self.stop,
            namespaces=tuple(namespaces),
            default=self.default,
            quota={
                cluster: tuple(
                    line.declare(document, (*path, "quota", cluster, i)) for i, line in enumerate(lines)
                )
                for cluster, lines in self.quota.items()
            },
            path=path,
            previously=self.previously or "",
        )


class QueueField(_QueueBody):
    """One queue: a ClusterQueue on each cluster it has quota on, and a LocalQueue per namespace."""

    name: Name = Field(description="Name of the queue, unique in the team.", examples=["train"])
    namespaces: list[LabelName] = Field(
        default_factory=list,
        description="The namespaces of the team that may use the queue; all of them when left out.",
        examples=[["blue"]],
    )

    @model_validator(mode="after")
    def _has_class(self) -> Self:
        if self.queue_class is None:
            raise problem("SRC103", "`class`")
        return self

    def declare(self, document: Origin, path: Path) -> TeamQueue:
        """As the core sees it."""
        return self._queue(self.name, self.namespaces, document, path)


class TeamSpec(_QueueBody):
    """A team. With one queue only, `class`, `cohort` and `quota` may stand here; it is then named after the team."""

    namespaces: list[LabelName] = Field(
        min_length=1,
        description="Namespaces of the team, on every cluster it has quota on.",
        examples=[["blue"]],
    )
    access: TeamAccess = Field(
        default_factory=TeamAccess,
        description="Who may do what in the namespaces.",
        examples=[{"members": {"groups": ["blue-devs"], "users": ["alice"]}}],
    )
    pod_security: Literal["privileged", "baseline", "restricted"] = Field(
        default="baseline",
        description="Pod Security Standard that the namespaces enforce.",
        examples=["restricted"],
    )
    queues: list[QueueField] = Field(
        default_factory=list,
        description="The queues of the team.",
        examples=[
            [{"name": "train", "class": "batch", "quota": {"pokprod": [{"flavor": "h100", "gpus": 8}]}}]
        ],
    )

    @model_validator(mode="after")
    def _one_form(self) -> Self:
        names = {("queue_class" if name == "class" else name): name for name in _SHORT_FORM}
        short = [text for field, text in names.items() if field in self.model_fields_set]
        if short and "queues" in self.model_fields_set:
            raise problem(
                "SRC105",
                "stands beside `queues`: a team has either `queues` or one queue directly in spec, not both",
                short[0],
            )
        if short and self.queue_class is None:
            raise problem("SRC103", "`class`")
        return self


class TeamDocument(Envelope[TeamSpec]):
    """The people, namespaces and queues of one team."""

    kind: Literal["Team"] = Field(description="What is declared.", examples=["Team"])

    def declare(self, origin: Origin) -> Team:
        """The team; the short form becomes one queue with the team's name and the path `spec`."""
        spec, name = self.spec, self.metadata.name
        if "queues" in spec.model_fields_set or not spec.quota:
            queues = tuple(
                queue.declare(origin, ("spec", "queues", i)) for i, queue in enumerate(spec.queues)
            )
        else:
            queues = (spec._queue(name, [], origin, ("spec",)),)  # noqa: SLF001 - the same family of classes
        return Team(
            name=name,
            origin=origin,
            title=self.metadata.title,
            namespaces=tuple(spec.namespaces),
            admins=spec.access.admins.declare(),
            members=spec.access.members.declare(),
            viewers=spec.access.viewers.declare(),
            queues=queues,
            pod_security=spec.pod_security,
            previously=spec.previously or "",
        )
