"""What Kohort compiled for one cluster, as a lab takes it: settings, objects in wave order, nodes."""

from __future__ import annotations

import copy
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import yaml

from kohort.compiler.emit import emit
from kohort.compiler.waves import WAVE, wave_of
from kohort.lab.failure import LabError
from kohort.lab.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kohort.compiler.bundle import Bundle
    from kohort.lab.upstream import Manifest

# What a lab decides itself: addresses, certificates, and that each program runs once.
_KUEUE_OWN: Final = (
    "apiVersion", "kind", "namespace", "health", "leaderElection", "webhook",
    "internalCertManagement",
)  # fmt: skip
_KUEUE, _APPWRAPPER, _SCHEDULER, _ARGO = (
    "kueue-manager-config", "appwrapper-operator-config", "scheduler-config", "argocd-cm",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Compiled:
    """One cluster of an organisation.

    Attributes:
        name: the cluster's name.
        files: bytes of every compiled file by path from the repository's root.
        manifests: objects of `clusters/NAME/manifests`, in the order of their waves.
        argo: objects of `clusters/NAME/argocd`, likewise.
        nodes: Node objects of the inventory.
        repository: address of the Git repository that the applications name; empty without any.
        settings: configuration of the components, taken from the compiled ConfigMaps.
    """

    name: str
    files: Mapping[str, bytes]
    manifests: tuple[Manifest, ...]
    argo: tuple[Manifest, ...]
    nodes: tuple[Manifest, ...]
    repository: str
    settings: Settings

    def files_for(self, url: str) -> dict[str, bytes]:
        """Return the files with another repository's address in the applications, for example one on disk."""
        if not self.repository:
            return dict(self.files)
        old, new = self.repository.encode(), url.encode()
        return {path: content.replace(old, new) for path, content in self.files.items()}


def compiled(bundle: Bundle, cluster: str) -> Compiled:
    """Return what was compiled for a cluster.

    Raises:
        LabError: the bundle has no such cluster; names those that it has.
    """
    if cluster not in bundle.clusters:
        known = ", ".join(bundle.clusters) or "none"
        raise LabError(f"nothing was compiled for a cluster named {cluster!r}; there are: {known}")
    built = bundle.clusters[cluster]
    manifests: list[Manifest] = []
    argo: list[Manifest] = []
    for path, objects in built.files.items():
        target = argo if "/argocd/" in path else manifests
        target += [_plain(obj.data) for obj in objects]
    manifests.sort(key=wave)
    argo.sort(key=wave)
    return Compiled(
        cluster,
        {path: emit(objects) for path, objects in sorted(built.files.items())},
        tuple(manifests),
        tuple(argo),
        tuple(_plain(node.obj.data) for node in built.cluster.nodes),
        _repository(argo),
        _settings((*manifests, *argo)),
    )


def surroundings(*clusters: Compiled) -> list[Manifest]:
    """Return the namespaces that compiled objects live in and that others make: those of the controllers."""
    manifests = [each for cluster in clusters for each in cluster.manifests]
    used = {each["metadata"]["namespace"] for each in manifests if "namespace" in each["metadata"]}
    own = {each["metadata"]["name"] for each in manifests if each["kind"] == "Namespace"}
    return [
        {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}} for name in sorted(used - own)
    ]


def wave(manifest: Manifest) -> int:
    """Return the wave that an object is annotated with, else that of its kind."""
    annotations = manifest["metadata"].get("annotations") or {}
    try:
        return int(annotations[WAVE])
    except (KeyError, ValueError):
        return wave_of(manifest["kind"])


def _settings(manifests: tuple[Manifest, ...]) -> Settings:
    maps = {each["metadata"]["name"]: each["data"] for each in manifests if each["kind"] == "ConfigMap"}
    kueue = {key: value for key, value in _document(maps.get(_KUEUE)).items() if key not in _KUEUE_OWN}
    return Settings(
        kueue=kueue,
        appwrapper=_document(maps.get(_APPWRAPPER)).get("appwrapper") or {},
        scheduler=_document(maps.get(_SCHEDULER)),
        argo=dict(maps.get(_ARGO) or {}),
    )


def _document(data: Mapping[str, str] | None) -> dict[str, Any]:
    """Return the one document that a ConfigMap of a controller holds."""
    for text in (data or {}).values():
        found = yaml.safe_load(text)
        return found if isinstance(found, dict) else {}
    return {}


def _repository(argo: list[Manifest]) -> str:
    for each in argo:
        if each["kind"] == "Application":
            return str(each["spec"]["source"]["repoURL"])
    return ""


def _plain(value: Any) -> Any:
    """Return a copy that may be changed and serialised."""
    return copy.deepcopy(dict(value))
