"""Let the real Argo CD bring a compiled cluster from a Git repository on this disk, as an admin sets it up once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kohort.lab.failure import LabError

if TYPE_CHECKING:
    from kohort.lab.compiled import Compiled
    from kohort.lab.controlplane import ControlPlane
    from kohort.lab.repository import Repository

_WORK = "/manifests/workloads/"


def sync(plane: ControlPlane, cluster: Compiled, *, seconds: float = 120.0) -> tuple[Repository, int]:
    """Commit the compiled files, apply projects and root application by hand, and wait until all is there.

    Work that teams declared stays out: a lab counts the GPUs of the work it is given.

    Args:
        plane: a lab with the component `argocd`.
        cluster: with applications; they are led to the repository on disk.
        seconds: how long to wait for each application at most.

    Returns:
        The repository and the number of files in it.

    Raises:
        LabError: Argo CD did not bring everything; carries its words.
    """
    repository = plane.argo.repository({})
    files = {
        path: content for path, content in cluster.files_for(repository.url).items() if _WORK not in path
    }
    revision = repository.commit(files, "compiled")
    root, platform = applications(cluster)
    by_hand = []
    for each in cluster.argo:
        if each["kind"] == "AppProject":
            by_hand.append({**each, "spec": {**each["spec"], "sourceRepos": [repository.url]}})
        elif each["metadata"]["name"] == root:
            source = {**each["spec"]["source"], "repoURL": repository.url}
            by_hand.append({**each, "spec": {**each["spec"], "source": source}})
    plane.apply(sorted(by_hand, key=lambda each: each["kind"] == "Application"))
    try:
        for name in (root, platform):
            plane.argo.wait(name, revision=revision, seconds=seconds)
    except LabError as error:
        raise LabError(f"Argo CD did not bring the compiled manifests: {error}") from error
    return repository, len(files)


def applications(cluster: Compiled) -> tuple[str, str]:
    """Return the names of the root application and of the platform's."""
    root = f"kohort-{cluster.name}"
    return root, f"{root}-platform"
