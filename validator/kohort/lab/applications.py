"""What tests and people ask of a running Argo CD: repositories, refreshes, and waiting for a state."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from kohort.lab.argo import API, NAMESPACE
from kohort.lab.failure import LabError
from kohort.lab.patience import stretched
from kohort.lab.repository import Repository

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from kohort.lab.client import Client

_APPLICATIONS = f"/apis/{API}/namespaces/{NAMESPACE}/applications"
_MERGE = "application/merge-patch+json"


@dataclass(frozen=True, slots=True)
class State:
    """An application as Argo CD sees it.

    Attributes:
        sync: `Synced`, `OutOfSync` or `Unknown`; empty before the first look.
        health: `Healthy`, `Progressing`, `Degraded`, `Suspended`, `Missing` or empty.
        revision: commit that it was compared with.
        operation: phase of the last sync: `Running`, `Succeeded`, `Failed`, `Error` or empty.
        messages: conditions and the last operation's message, for errors.
        drifted: `Kind namespace/name` of each resource that is out of sync.
    """

    sync: str
    health: str
    revision: str
    operation: str
    messages: tuple[str, ...]
    drifted: tuple[str, ...]


class Applications:
    """Speaks about Argo CD's applications; the component `argocd` has to run."""

    def __init__(self, client: Client, folder: Path) -> None:
        self._client = client
        self._folder = folder

    def repository(self, files: Mapping[str, bytes | str], name: str = "kohort") -> Repository:
        """Make a Git repository of these files, committed on `main`."""
        made = Repository(self._folder / "git" / name)
        made.commit(files, "first")
        return made

    def add(
        self,
        name: str,
        url: str,
        path: str,
        *,
        project: str = "default",
        options: tuple[str, ...] = ("ServerSideApply=true",),
        prune: bool = True,
        self_heal: bool = True,
        retry: Mapping[str, Any] | None = None,
    ) -> None:
        """Create an application that syncs by itself, all folders below `path` included.

        Args:
            name: its name.
            url: the repository, for example `Repository.url`.
            path: the folder of the repository that it applies.
            project: its AppProject.
            options: sync options.
            prune: objects that leave Git are deleted.
            self_heal: objects that somebody changes are put back.
            retry: `syncPolicy.retry`; Argo CD's own when absent: the same commit five times.
        """
        spec = {
            "project": project,
            "source": {
                "repoURL": url,
                "path": path,
                "targetRevision": "main",
                "directory": {"recurse": True},
            },
            "destination": {"server": "https://kubernetes.default.svc", "namespace": "default"},
            "syncPolicy": {
                "automated": {"prune": prune, "selfHeal": self_heal},
                "syncOptions": list(options),
                **({"retry": dict(retry)} if retry else {}),
            },
        }
        body = {
            "apiVersion": API,
            "kind": "Application",
            "metadata": {"name": name, "namespace": NAMESPACE},
            "spec": spec,
        }
        self._client.must("POST", _APPLICATIONS, body)

    def names(self) -> list[str]:
        """Return the names of all applications."""
        return [each["metadata"]["name"] for each in self._client.must("GET", _APPLICATIONS)["items"]]

    def state(self, name: str) -> State:
        """Return what Argo CD says of an application."""
        status = self._client.must("GET", f"{_APPLICATIONS}/{name}").get("status") or {}
        sync, operation = status.get("sync") or {}, status.get("operationState") or {}
        messages = [f"{c['type']}: {c['message']}" for c in status.get("conditions") or ()]
        if operation.get("message"):
            messages.append(f"{operation.get('phase')}: {operation['message']}")
        return State(
            sync.get("status", ""),
            (status.get("health") or {}).get("status", ""),
            sync.get("revision", ""),
            operation.get("phase", ""),
            tuple(messages),
            tuple(
                _label(each) for each in status.get("resources") or () if each.get("status") == "OutOfSync"
            ),
        )

    def refresh(self, name: str, *, hard: bool = False) -> None:
        """Ask Argo CD to look at Git and at the cluster now; `hard` also forgets what it rendered."""
        change: dict[str, Any] = {
            "metadata": {"annotations": {"argocd.argoproj.io/refresh": "hard" if hard else "normal"}}
        }
        self._client.must("PATCH", f"{_APPLICATIONS}/{name}", change, content_type=_MERGE)

    def wait(
        self,
        name: str,
        *,
        sync: str = "Synced",
        health: str | None = "Healthy",
        revision: str | None = None,
        seconds: float = 120.0,
    ) -> State:
        """Wait until an application has a state.

        Args:
            name: the application; it need not exist yet.
            sync: wanted sync status.
            health: wanted health; None for any.
            revision: commit that it must have been compared with, for example `Repository.commit`'s result.
            seconds: how long to wait at most.

        Raises:
            LabError: time ran out; says the last state with Argo CD's own messages.
        """
        end = time.monotonic() + stretched(seconds)
        last: State | None = None
        while True:
            if self._client.request("GET", f"{_APPLICATIONS}/{name}").ok:
                last = self.state(name)
                if (
                    last.sync == sync
                    and health in (None, last.health)
                    and revision in (None, last.revision)
                    and last.operation != "Running"
                ):
                    return last
            if time.monotonic() > end:
                raise LabError(
                    f"application {name} is not {sync}/{health or 'any'} after {seconds:.0f} s: {last}"
                )
            time.sleep(0.3)


def _label(resource: Mapping[str, Any]) -> str:
    where = f"{resource['namespace']}/" if resource.get("namespace") else ""
    # Of a kind that the server does not know, Argo CD may tell no name.
    return f"{resource['kind']} {where}{resource.get('name', '(no name)')}"
