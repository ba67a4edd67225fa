"""Who may change what, as the organisation declares it (`kohort.yaml`, `spec.authority`)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from types import MappingProxyType

from kohort.dataclass import dataclass
from kohort.spans import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Removal:
    """The most that one change may take away; None: no bound."""

    members: int | None = None  # people and groups of any circle
    queues: int | None = None  # ClusterQueues
    guarantee: int | None = None  # GPUs or devices, over all teams


@dataclass(frozen=True, slots=True, kw_only=True)
class SelfService:
    """Changes of a team's own quota that nobody else need agree to.

    `up_to` bounds a team's guarantee by flavor (a trial); `percent` bounds it by the flavor's hardware.
    """

    shrinking: bool = False
    without_accelerators: bool = False
    up_to: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))
    percent: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Authority:
    """Guard rails and self-service. `path` leads to the declaration, `()` where there is none."""

    pinned_groups: tuple[str, ...] = ()
    pinned_users: tuple[str, ...] = ()
    minimum_admins: int = 1
    removal: Removal = Removal()
    self_service: SelfService = SelfService()
    path: Path = ()
