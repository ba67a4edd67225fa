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
_REFRESH: Final = (3, 2)  # the Argo CD that knows `retry.refresh` (manifests/crds/application-crd.yaml)


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
    """Automated sync with server-side apply; retried, since webhooks and CRDs may come up later.

    A retry takes what Git says then: else Argo CD tries a broken commit for five minutes before it looks at the fix.
    """
    argo = scope.decl.argo
    backoff = {"duration": "10s", "factor": 2, "maxDuration": "3m"}
    return {
        "automated": {"prune": argo.prune, "selfHeal": argo.self_heal},
        "retry": {"limit": 5, "backoff": backoff, **({"refresh": True} if scope.argocd >= _REFRESH else {})},
        "syncOptions": ["ServerSideApply=true", *options],
    }
