"""What a cluster says about the namespaces of its teams: bounds on what Kueue does not count, default requests."""

from __future__ import annotations

from typing import Self

from pydantic import Field, model_validator

from kohort.model.counted import CONTAINER_DEFAULTS, miscounted
from kohort.model.kinds.base import Strict, problem
from kohort.model.kinds.fields import Name, Quantities
from kohort.model.settings import NamespaceLimits
from kohort.spans import Path


class TeamNamespacesField(Strict):
    """Bounds and defaults of the namespaces of one team."""

    at_most: Quantities = Field(
        default_factory=dict,
        description="How many objects and how much storage each namespace may hold, named as in a ResourceQuota. "
        "What Kueue counts (cpu, memory, GPUs, pods) is quota of a queue and may not stand here.",
        examples=[{"persistentvolumeclaims": 20, "requests.storage": "10Ti"}],
    )
    container_defaults: Quantities = Field(
        default_factory=dict,
        description="What a container requests where it states nothing: cpu, memory or ephemeral-storage.",
        examples=[{"cpu": "100m", "memory": "256Mi"}],
    )

    @model_validator(mode="after")
    def _names(self) -> Self:
        for name, amount in self.at_most.items():
            wrong = miscounted(name, amount)
            if wrong:
                raise problem("SRC105", wrong, "atMost", name)
        for name in self.container_defaults:
            if name not in CONTAINER_DEFAULTS:
                words = ", ".join(CONTAINER_DEFAULTS)
                raise problem(
                    "SRC105",
                    f"names no resource with a default; there are: {words}",
                    "containerDefaults",
                    name,
                )
        return self

    def limits(self, path: Path) -> NamespaceLimits:
        """As the core sees it, for one team."""
        return NamespaceLimits(at_most=self.at_most, container_defaults=self.container_defaults, path=path)


class NamespacesField(TeamNamespacesField):
    """Bounds and defaults of every team's namespaces."""

    teams: dict[Name, TeamNamespacesField] = Field(
        default_factory=dict,
        description="What differs for single teams, resource by resource.",
        examples=[{"blue": {"atMost": {"requests.storage": "50Ti"}}}],
    )

    def declare(self) -> NamespaceLimits:
        """As the core sees it."""
        path: Path = ("spec", "namespaces")
        return NamespaceLimits(
            at_most=self.at_most,
            container_defaults=self.container_defaults,
            teams={name: team.limits((*path, "teams", name)) for name, team in self.teams.items()},
            path=path,
        )
