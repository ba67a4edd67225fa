"""People as the access fields name them."""

from __future__ import annotations

from pydantic import Field

from kohort.model.kinds.base import Strict
from kohort.model.repo import Subjects


class SubjectsField(Strict):
    """Groups of the identity provider and single users."""

    groups: list[str] = Field(
        default_factory=list, description="Groups of the identity provider.", examples=[["blue-devs"]]
    )
    users: list[str] = Field(default_factory=list, description="Single users.", examples=[["alice"]])

    def declare(self) -> Subjects:
        """As the core sees them."""
        return Subjects(groups=tuple(self.groups), users=tuple(self.users))


class AdminAccess(Strict):
    """Who administers and who may look at everything."""

    admins: SubjectsField = Field(
        default_factory=SubjectsField,
        description="May change queues and see everything.",
        examples=[{"groups": ["cluster-admins"]}],
    )
    viewers: SubjectsField = Field(
        default_factory=SubjectsField,
        description="May read quotas, queues and pending workloads of all teams.",
        examples=[{"groups": ["finance"]}],
    )


class TeamAccess(Strict):
    """Who may do what in the namespaces of a team."""

    admins: SubjectsField = Field(
        default_factory=SubjectsField,
        description="Members who may also manage access to what lies in the namespaces.",
        examples=[{"groups": ["blue-leads"]}],
    )
    members: SubjectsField = Field(
        default_factory=SubjectsField,
        description="May submit, see and delete workloads in the namespaces of the team.",
        examples=[{"groups": ["blue-devs"], "users": ["alice"]}],
    )
    viewers: SubjectsField = Field(
        default_factory=SubjectsField,
        description="May read the team's workloads and quota.",
        examples=[{"groups": ["all-staff"]}],
    )
