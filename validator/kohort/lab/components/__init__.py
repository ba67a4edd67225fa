"""The components of a lab in the order of their start."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kohort.lab import appwrapper as appwrapper_manifests
from kohort.lab import gangs
from kohort.lab import kueue as kueue_manifests
from kohort.lab.components import apiserver, appwrapper, core, etcd, kueue, kwok, second_scheduler
from kohort.lab.identities import Identity, service_account, user

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from kohort.lab.controlplane import ControlPlane


@dataclass(frozen=True, slots=True)
class Component:
    """One process of the lab.

    Attributes:
        name: how callers and logs call it.
        family: module family that its program is built from.
        needs: components that must run before it.
        start: starts it and returns when it is ready.
        identity: makes the identity it acts as; None when it is no client of the API server.
        fixed_port: it listens at a port that cannot be chosen, so a machine's loopback takes one at a time.
    """

    name: str
    family: str
    needs: tuple[str, ...]
    start: Callable[[ControlPlane], None]
    identity: Callable[[], Identity] | None = None
    fixed_port: bool = False


def _kueue() -> Identity:
    return service_account(kueue_manifests.OVERLAY.namespace, "kueue-controller-manager")


def _appwrapper() -> Identity:
    return service_account(appwrapper_manifests.OVERLAY.namespace, "appwrapper-controller-manager")


COMPONENTS: dict[str, Component] = {
    each.name: each
    for each in (
        Component("etcd", "etcd", (), etcd.start),
        Component("apiserver", "kubernetes", ("etcd",), apiserver.start),
        Component(
            "controllers",
            "kubernetes",
            ("apiserver",),
            core.start_controllers,
            lambda: user("system:kube-controller-manager"),
        ),
        Component(
            "scheduler",
            "kubernetes",
            ("apiserver",),
            core.start_scheduler,
            lambda: user("system:kube-scheduler"),
        ),
        Component(
            second_scheduler.NAME,
            "schedulerplugins",
            ("apiserver",),
            second_scheduler.start,
            lambda: service_account(gangs.NAMESPACE, gangs.ACCOUNT),
        ),
        Component("kueue", "kueue", ("apiserver",), kueue.start, _kueue),
        Component("appwrapper", "appwrapper", ("kueue",), appwrapper.start, _appwrapper, fixed_port=True),
        Component(
            "kwok",
            "kwok",
            ("apiserver",),
            kwok.start,
            lambda: service_account("kube-system", "kwok-controller"),
        ),
    )
}


def with_needs(names: Iterable[str]) -> tuple[str, ...]:
    """Return the named components and all they need, in the order of their start."""
    wanted: set[str] = set()
    todo = list(names)
    while todo:
        name = todo.pop()
        wanted.add(name)
        todo.extend(COMPONENTS[name].needs)
    return tuple(name for name in COMPONENTS if name in wanted)
