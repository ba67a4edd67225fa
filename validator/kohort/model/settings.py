"""What a cluster's declaration says about the systems on it and the namespaces in it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from kohort.dataclass import dataclass
from kohort.objects.quantity import Quantity
from kohort.spans import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Scheduling:
    """How pods reach nodes: the second scheduler for packing and gangs, or the default one."""

    scheduler: str = "default-scheduler"
    packing: bool = False
    gangs: bool = False
    permit_wait_seconds: int = 300
    path: Path = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Argo:
    """Where Argo CD finds the compiled output and where it puts it."""

    repo_url: str = ""
    revision: str = "main"
    namespace: str = "argocd"
    server: str = "https://kubernetes.default.svc"
    self_heal: bool = True
    prune: bool = True
    path: Path = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class KueueSettings:
    """What the manager Configuration of the cluster says."""

    namespace: str = "kueue-system"
    fair_sharing: tuple[str, ...] = ()  # preemption strategies; empty: classical
    frameworks: tuple[str, ...] = ()
    wait_for_pods_ready_seconds: int | None = None
    manage_jobs_without_queue_name: bool = True
    path: Path = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class AppWrapperSettings:
    """What AppWrapper's configuration says; durations in seconds."""

    namespace: str = "appwrapper-system"
    wrapped_kinds: tuple[str, ...] = ()  # `group/Kind` beyond the controller's own role
    user_rbac_check: bool = False
    grace: Mapping[str, int] = field(default_factory=dict)
    retry_limit: int | None = None
    path: Path = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class NamespaceLimits:
    """What each namespace of a team may hold beside what Kueue counts, and what containers request by default.

    `teams` says what differs for a team, resource by resource.
    """

    at_most: Mapping[str, Quantity] = field(default_factory=dict)  # names as a ResourceQuota spells them
    container_defaults: Mapping[str, Quantity] = field(default_factory=dict)
    teams: Mapping[str, NamespaceLimits] = field(default_factory=dict)
    path: Path = ("spec", "namespaces")
