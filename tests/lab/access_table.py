"""Who may do what, written by hand: the tutorial's outcomes (lab.md 5.1) and what each circle is for.

A row is an action; the columns are circles of people. In a team's namespaces the circles are its own; everyone
else, people of other teams included, may do there only what is listed for the whole cluster.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

MEMBER, ADMIN, VIEWER = "member", "team admin", "team viewer"
QUOTA_ADMIN, STAFF = "quota admin", "quota viewer"
EDIT = ("create", "delete", "get", "list", "patch", "update", "watch")
READ = ("get", "list", "watch")
CLEAN = ("delete", "get", "list", "watch")
WRITE = ("create", "patch", "update")


@dataclass(frozen=True, order=True)
class Action:
    """One request that somebody may or may not make."""

    verb: str
    resource: str  # plural, with a subresource after a slash
    group: str = ""

    def __str__(self) -> str:
        return f"{self.verb} {self.resource}{f'.{self.group}' if self.group else ''}"


KUEUE, VISIBILITY, RBAC = "kueue.x-k8s.io", "visibility.kueue.x-k8s.io", "rbac.authorization.k8s.io"
WRAPPERS, BATCH, APPS, PLUGINS = "workload.codeflare.dev", "batch", "apps", "scheduling.x-k8s.io"
_EVERYONE = frozenset({MEMBER, ADMIN, VIEWER})
_WORKERS = frozenset({MEMBER, ADMIN})
_TEAM_ADMIN = frozenset({ADMIN})
_NOBODY = frozenset[str]()

# Kinds of work that both shipped clusters hand to Kueue; vela has plain Jobs as well.
_WORK = (
    ("appwrappers", WRAPPERS),
    ("jobsets", "jobset.x-k8s.io"),
    ("pytorchjobs", "kubeflow.org"),
    ("rayclusters", "ray.io"),
    ("rayjobs", "ray.io"),
)
_QUOTA = (
    "admissionchecks",
    "clusterqueues",
    "cohorts",
    "multikueueclusters",
    "multikueueconfigs",
    "provisioningrequestconfigs",
    "resourceflavors",
    "topologies",
    "workloadpriorityclasses",
)


def within_team(cluster: str) -> dict[Action, frozenset[str]]:
    """Action in a team's own namespace → which of its circles may do it."""
    table: dict[Action, frozenset[str]] = {}

    def allow(
        who: frozenset[str], verbs: tuple[str, ...], resources: tuple[str, ...], group: str = ""
    ) -> None:
        table.update({Action(verb, resource, group): who for resource in resources for verb in verbs})

    for resource, group in _WORK:
        allow(_WORKERS, EDIT, (resource,), group)
        allow(_EVERYONE, READ, (resource,), group)
    allow(_WORKERS, EDIT, ("podgroups",), PLUGINS)
    allow(_WORKERS, EDIT, ("configmaps", "persistentvolumeclaims", "services", "secrets"))
    allow(_EVERYONE, READ, ("configmaps", "persistentvolumeclaims", "services", "events", "pods"))
    allow(_EVERYONE, READ, ("localqueues", "workloads"), KUEUE)
    allow(_EVERYONE, READ, ("localqueues/pendingworkloads",), VISIBILITY)
    allow(_EVERYONE, ("get",), ("pods/log", "namespaces"))
    allow(_WORKERS, ("create",), ("pods/exec", "pods/portforward"))
    allow(_WORKERS, ("delete",), ("pods",))
    allow(_NOBODY, WRITE, ("pods",))
    for resource, group in (("deployments", APPS), ("statefulsets", APPS), ("jobs", BATCH)):
        allow(_WORKERS, CLEAN, (resource,), group)
        allow(_EVERYONE, READ, (resource,), group)
        allow(_WORKERS if (cluster, resource) == ("vela", "jobs") else _NOBODY, WRITE, (resource,), group)
    allow(_TEAM_ADMIN, EDIT, ("serviceaccounts",))
    allow(_TEAM_ADMIN, READ, ("limitranges", "resourcequotas"))
    allow(_TEAM_ADMIN, READ, ("rolebindings", "roles"), RBAC)
    # Ways around the queue or out of the namespace: for none of them.
    allow(_NOBODY, ("create", "patch", "delete"), ("limitranges", "resourcequotas"))
    allow(_NOBODY, ("create", "patch", "delete"), ("rolebindings",), RBAC)
    allow(_NOBODY, ("create", "bind", "escalate"), ("roles",), RBAC)
    allow(_NOBODY, ("create", "update", "delete"), ("localqueues", "workloads"), KUEUE)
    allow(_NOBODY, ("patch",), ("localqueues/status", "workloads/status"), KUEUE)
    allow(_NOBODY, ("create",), ("serviceaccounts/token", "pods/attach", "pods/binding", "pods/eviction"))
    allow(_NOBODY, ("update", "patch"), ("pods/ephemeralcontainers", "namespaces"))
    allow(_NOBODY, ("delete",), ("namespaces",))
    allow(_NOBODY, ("impersonate",), ("serviceaccounts",))
    allow(_NOBODY, ("create",), ("mpijobs",), "kubeflow.org")
    allow(_NOBODY, ("create",), ("trainjobs",), "trainer.kubeflow.org")
    allow(_NOBODY, ("create",), ("cronjobs",), BATCH)
    allow(_NOBODY, ("create",), ("daemonsets", "replicasets"), APPS)
    allow(_NOBODY, ("create",), ("replicationcontrollers",))
    allow(_NOBODY, ("create",), ("leaderworkersets",), "leaderworkerset.x-k8s.io")
    return table


def on_the_cluster() -> dict[Action, frozenset[str]]:
    """Action without a namespace → who may do it; everybody of a team is also a quota viewer."""
    both, admins = frozenset({QUOTA_ADMIN, STAFF}), frozenset({QUOTA_ADMIN})
    table = dict(_rows(_QUOTA, KUEUE, both, admins))
    table.update(_rows(("priorityclasses",), "scheduling.k8s.io", both, admins))
    table.update({Action(verb, "localqueues", KUEUE): admins for verb in EDIT})
    table.update({Action(verb, "workloads", KUEUE): admins for verb in EDIT})
    table.update({Action(verb, "nodes"): admins for verb in READ})
    for resource in ("clusterqueues/pendingworkloads", "localqueues/pendingworkloads"):
        table[Action("get", resource, VISIBILITY)] = both
    for verb in ("create", "list", "delete"):
        table.update({Action(verb, name): _NOBODY for name in ("namespaces", "pods", "secrets")})
    table.update({Action(verb, "nodes"): _NOBODY for verb in ("patch", "delete", "update")})
    for resource in ("clusterroles", "clusterrolebindings"):
        table.update(
            {Action(verb, resource, RBAC): _NOBODY for verb in ("create", "patch", "bind", "escalate")}
        )
    admission = "admissionregistration.k8s.io"
    for resource in ("validatingadmissionpolicies", "validatingadmissionpolicybindings"):
        table.update({Action(verb, resource, admission): _NOBODY for verb in ("create", "delete", "patch")})
    table.update({Action("impersonate", name): _NOBODY for name in ("users", "groups")})
    return table


def _rows(
    resources: tuple[str, ...], group: str, readers: frozenset[str], writers: frozenset[str]
) -> Iterator[tuple[Action, frozenset[str]]]:
    for resource in resources:
        for verb in EDIT:
            yield Action(verb, resource, group), readers if verb in READ else writers
