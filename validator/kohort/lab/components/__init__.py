"""The components of a lab in the order of their start."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kohort.lab import appwrapper as appwrapper_manifests
from kohort.lab import gangs
from kohort.lab import jobset as jobset_manifests
from kohort.lab import kueue as kueue_manifests
from kohort.lab import trainer as trainer_manifests
from kohort.lab.argo import NAMESPACE as ARGO
from kohort.lab.components import (
    apiserver,
    appwrapper,
    argocd,
    core,
    etcd,
    job_operators,
    kueue,
    kwok,
    second_scheduler,
)
from kohort.lab.failure import LabError
from kohort.lab.families import USUAL
from kohort.lab.identities import Identity, service_account, user

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from kohort.lab.controlplane import ControlPlane


@dataclass(frozen=True, slots=True)
class Component:
    """One process of the lab.

    Attributes:
        name: how callers and logs call it.
        family: module family that its program is built from; empty for a program that is not Go's.
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
        Component(
            "kwok",
            "kwok",
            ("apiserver",),
            kwok.start,
            lambda: service_account("kube-system", "kwok-controller"),
        ),
        Component(argocd.REDIS, "", (), argocd.start_redis),
        Component(
            argocd.REPOSITORIES,
            "argocd",
            ("apiserver", argocd.REDIS),
            argocd.start_repositories,
            lambda: service_account(ARGO, "argocd-repo-server"),
        ),
        Component(
            argocd.CONTROLLER,
            "argocd",
            ("controllers", argocd.REPOSITORIES),
            argocd.start_controller,
            lambda: service_account(ARGO, "argocd-application-controller"),
        ),
        Component(
            argocd.SETS,
            "argocd",
            (argocd.REPOSITORIES,),
            argocd.start_sets,
            lambda: service_account(ARGO, "argocd-applicationset-controller"),
        ),
        Component(
            job_operators.JOBSET,
            "jobset",
            ("apiserver",),
            job_operators.start_jobset,
            lambda: service_account(jobset_manifests.OVERLAY.namespace, "jobset-controller-manager"),
        ),
        Component(
            job_operators.TRAINER,
            "trainer",
            (job_operators.JOBSET,),
            job_operators.start_trainer,
            lambda: service_account(trainer_manifests.OVERLAY.namespace, trainer_manifests.NAME),
        ),
        Component("kueue", "kueue", ("apiserver",), kueue.start, _kueue),
        Component("appwrapper", "appwrapper", ("kueue",), appwrapper.start, _appwrapper, fixed_port=True),
    )
}


# Names for several components at once.
GROUPS: dict[str, tuple[str, ...]] = {
    "argocd": (argocd.CONTROLLER, argocd.SETS),
    "operators": (job_operators.JOBSET, job_operators.TRAINER),
    # All but what is optional.
    "all": tuple(name for name, each in COMPONENTS.items() if each.family in ("", *USUAL)),
}


def with_needs(names: Iterable[str]) -> tuple[str, ...]:
    """Return the named components or groups and all they need, in the order of their start.

    Raises:
        LabError: a name is unknown.
    """
    wanted: set[str] = set()
    todo: list[str] = []
    for name in names:
        if name not in COMPONENTS and name not in GROUPS:
            known = ", ".join((*COMPONENTS, *GROUPS))
            raise LabError(f"unknown component {name!r}; there are {known}")
        todo += GROUPS.get(name, (name,))
    while todo:
        name = todo.pop()
        wanted.add(name)
        todo.extend(COMPONENTS[name].needs)
    return tuple(name for name in COMPONENTS if name in wanted)
