"""What all Argo CD objects of a cluster share."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from kohort.compiler.scope import Scope

API: Final = "argoproj.io/v1alpha1"
IN_CLUSTER: Final = "https://kubernetes.default.svc"  # where Argo CD itself runs
MANIFESTS: Final = "manifests"
WORK: Final = "workloads"  # folder under `manifests/` with one folder per team

# Fields that Kueue writes into the spec of running AppWrappers. Without this, self-heal with server-side apply takes
# them away from running work (lab.md 7.3). The list they stand in is immutable, so freezing it costs nothing.
IGNORED: Final = [
    {
        "group": "workload.codeflare.dev",
        "kind": "AppWrapper",
        "jqPathExpressions": [".spec.components[].podSetInfos"],
        "jsonPointers": ["/spec/suspend"],
    }
]


def platform_project(scope: Scope) -> str:
    """The project of what admins own: quota, access, configuration, and Argo CD's own objects."""
    return f"kohort-{scope.name}-platform"


def team_project(scope: Scope, team: str) -> str:
    """The project that fences a team's declared work."""
    return f"kohort-{scope.name}-team-{team}"


def folder(scope: Scope, *steps: str) -> str:
    """A folder of the cluster, from the repository's root."""
    return "/".join(("clusters", scope.name, *steps))


def sync_policy(scope: Scope, options: Iterable[str] = ()) -> dict[str, Any]:
    """Automated sync with server-side apply; retried, since webhooks and CRDs may come up later."""
    argo = scope.decl.argo
    return {
        "automated": {"prune": argo.prune, "selfHeal": argo.self_heal},
        "retry": {"limit": 5, "backoff": {"duration": "10s", "factor": 2, "maxDuration": "3m"}},
        "syncOptions": ["ServerSideApply=true", *options],
    }
