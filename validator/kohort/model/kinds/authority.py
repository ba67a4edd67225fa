"""Who may change what: guard rails and self-service of an organisation."""

from __future__ import annotations

from pydantic import Field

from kohort.model.authority import Authority, Removal, SelfService
from kohort.model.kinds.base import Strict
from kohort.model.kinds.fields import Count
from kohort.model.kinds.people import SubjectsField


class RemovalField(Strict):
    """The most that one change may take away; more needs an Exception in the same change and an admin of the base."""

    members: Count | None = Field(
        default=None, description="People and groups that may leave circles.", examples=[5]
    )
    queues: Count | None = Field(default=None, description="ClusterQueues that may go.", examples=[1])
    guarantee: Count | None = Field(
        default=None,
        description="GPUs (or devices) of guarantees that may go, over all teams.",
        examples=[16],
    )


class SelfServiceField(Strict):
    """Changes of a team's own quota that nobody else need agree to, if they touch no other team."""

    shrinking: bool = Field(default=False, description="Asking for less.", examples=[True])
    without_accelerators: bool = Field(
        default=False, description="Flavors without GPUs or other devices.", examples=[True]
    )
    up_to: dict[str, Count] = Field(
        default_factory=dict,
        description="A team's guarantee of a flavor up to so many, in the flavor's unit: a trial.",
        examples=[{"a100": 2}],
    )
    percent: int | None = Field(
        default=None,
        description="A team's guarantee of a flavor up to this share of the flavor's hardware.",
        examples=[10],
        ge=0,
        le=100,
    )


class AuthorityField(Strict):
    """Guard rails and self-service. A plan reads them from the base, never from the change it judges."""

    pinned: SubjectsField = Field(
        default_factory=SubjectsField,
        description="Admins of the organisation that no change may remove.",
        examples=[{"groups": ["platform-admins"]}],
    )
    minimum_admins: Count = Field(
        default=1, description="How many admins (groups and users) the organisation keeps.", examples=[1]
    )
    largest_removal: RemovalField = Field(
        default_factory=RemovalField,
        description="The most that one change may take away.",
        examples=[{"members": 5, "queues": 1, "guarantee": 16}],
    )
    self_service: SelfServiceField = Field(
        default_factory=SelfServiceField,
        description="Changes that nobody else need agree to.",
        examples=[{"shrinking": True, "upTo": {"a100": 2}}],
    )

    def declare(self) -> Authority:
        """As the core sees it."""
        service, removal = self.self_service, self.largest_removal
        return Authority(
            pinned_groups=tuple(self.pinned.groups),
            pinned_users=tuple(self.pinned.users),
            minimum_admins=self.minimum_admins,
            removal=Removal(members=removal.members, queues=removal.queues, guarantee=removal.guarantee),
            self_service=SelfService(
                shrinking=service.shrinking,
                without_accelerators=service.without_accelerators,
                up_to=dict(service.up_to),
                percent=service.percent,
            ),
            path=("spec", "authority"),
        )
