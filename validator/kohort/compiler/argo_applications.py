"""Applications: the root that holds Argo CD's own objects, the platform's, and one per team with declared work.

Sync waves order within one Application, so everything that quota needs is in the platform's. Teams' work waits in
its queues until they exist.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from kohort.compiler.argo_settings import (
    API,
    IGNORED,
    IN_CLUSTER,
    MANIFESTS,
    WORK,
    folder,
    platform_project,
    sync_policy,
    team_project,
)
from kohort.compiler.make import make
from kohort.compiler.scope import Scope
from kohort.objects.kube import KubeObject

_RESPECT = "RespectIgnoreDifferences=true"


def applications(scope: Scope, managed: Iterable[KubeObject]) -> Iterator[KubeObject]:
    """Root and platform Application, and the ApplicationSet that makes one Application per folder of work."""
    argo = scope.decl.argo
    at = scope.decl.at(*argo.path)
    root = {
        "project": platform_project(scope),
        "source": _source(scope, folder(scope, "argocd")),
        "destination": {"server": IN_CLUSTER, "namespace": argo.namespace},
        "syncPolicy": sync_policy(scope),
    }
    yield make(API, "Application", f"kohort-{scope.name}", at, {"spec": root}, namespace=argo.namespace)
    wraps = any(o.kind == "AppWrapper" for o in managed)
    source = _source(scope, folder(scope, MANIFESTS))
    source["directory"] = {"recurse": True, "exclude": f"{WORK}/**"}
    platform = {
        "project": platform_project(scope),
        "source": source,
        "destination": {"server": argo.server},
        "syncPolicy": sync_policy(scope, [_RESPECT] if wraps else []),
        **({"ignoreDifferences": IGNORED} if wraps else {}),
    }
    name = f"kohort-{scope.name}-platform"
    yield make(API, "Application", name, at, {"spec": platform}, namespace=argo.namespace)
    body = {"spec": _work(scope)}
    yield make(API, "ApplicationSet", f"kohort-{scope.name}-work", at, body, namespace=argo.namespace)


def _source(scope: Scope, path: str) -> dict[str, Any]:
    argo = scope.decl.argo
    return {"repoURL": argo.repo_url, "targetRevision": argo.revision, "path": path}


def _work(scope: Scope) -> dict[str, Any]:
    """Work outlives its Application: a lost folder or generator never ends jobs by itself."""
    argo = scope.decl.argo
    directories = [{"path": folder(scope, MANIFESTS, WORK, "*")}]
    team = "{{.path.basename}}"
    return {
        "goTemplate": True,
        "goTemplateOptions": ["missingkey=error"],
        "generators": [
            {"git": {"repoURL": argo.repo_url, "revision": argo.revision, "directories": directories}}
        ],
        "syncPolicy": {"preserveResourcesOnDeletion": True},
        "template": {
            "metadata": {"name": f"kohort-{scope.name}-work-{team}"},
            "spec": {
                "project": team_project(scope, team),
                "source": _source(scope, "{{.path.path}}"),
                "destination": {"server": argo.server},
                "ignoreDifferences": IGNORED,
                "syncPolicy": sync_policy(scope, [_RESPECT]),
            },
        },
    }
