"""What kustomize would do to a project's own manifests, as far as a lab needs it.

Upstream folders are written with bare names and a placeholder namespace; their
overlay gives every object a name prefix and the real namespace. Webhooks keep
their Service reference: a Service of type ExternalName leads the API server to
a port of this machine, while it still verifies the certificate for the Service's name.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import yaml

from kohort.lab.failure import LabError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

Manifest = dict[str, Any]
# The C loader: the pure Python one takes 5 s for Kueue's 1.7 MB of definitions.
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_NAMESPACED = {"ConfigMap", "Role", "RoleBinding", "Secret", "Service", "ServiceAccount"}


@dataclass(frozen=True, slots=True)
class Overlay:
    """Name prefix and namespace of one installation.

    Attributes:
        prefix: put before each name, for example `kueue-`.
        namespace: where its namespaced objects live.
        own_service: name of the Service of its webhooks where it is another than `PREFIXwebhook-service`.
    """

    prefix: str
    namespace: str
    own_service: str = ""

    @property
    def service(self) -> str:
        """Name of the Service of its webhooks."""
        return self.own_service or f"{self.prefix}webhook-service"

    @property
    def service_name(self) -> str:
        """The DNS name its webhook certificate has to carry."""
        return f"{self.service}.{self.namespace}.svc"

    def place(self, manifest: Manifest) -> Manifest:
        """Give an object its prefix and namespace, and what it refers to as well."""
        meta = manifest["metadata"]
        meta["name"] = self.prefix + meta["name"]
        if manifest["kind"] in _NAMESPACED:
            meta["namespace"] = self.namespace
        if "roleRef" in manifest:
            manifest["roleRef"]["name"] = self.prefix + manifest["roleRef"]["name"]
        for subject in manifest.get("subjects") or ():
            if subject.get("kind") == "ServiceAccount":
                subject.update(name=self.prefix + subject["name"], namespace=self.namespace)
        for rule in manifest.get("rules") or ():
            if "resourceNames" in rule:
                rule["resourceNames"] = [
                    self.prefix + name if name.endswith("-webhook-configuration") else name
                    for name in rule["resourceNames"]
                ]
        return manifest

    def lead(self, client: Manifest, port: int, bundle: str) -> None:
        """Lead a webhook's `clientConfig` to a port of this machine, trusting the given authority."""
        client["caBundle"] = bundle
        client["service"].update(name=self.service, namespace=self.namespace, port=port)

    def access(self, folder: Path) -> list[Manifest]:
        """Return the namespace and the placed objects of an `rbac` folder."""
        result: list[Manifest] = [
            {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": self.namespace}}
        ]
        for name in next(documents(folder / "kustomization.yaml"))["resources"]:
            result.extend(self.place(each) for each in documents(folder / name))
        return result

    def external_service(self) -> Manifest:
        """Return the Service that leads the API server to this machine."""
        return {
            "apiVersion": "v1",
            "kind": "Service",
            "metadata": {"name": self.service, "namespace": self.namespace},
            "spec": {"type": "ExternalName", "externalName": "localhost"},
        }

    def certificate_secret(self, values: Mapping[str, str]) -> Manifest:
        """Return the Secret of the certificate rotation, filled with the lab's own authority.

        Args:
            values: base64 values of `ca.crt`, `ca.key`, `tls.crt` and `tls.key`.
        """
        return {
            "apiVersion": "v1",
            "kind": "Secret",
            "metadata": {"name": f"{self.prefix}webhook-server-cert", "namespace": self.namespace},
            "data": dict(values),
        }


def documents(path: Path) -> Iterator[Manifest]:
    """Yield the objects of a YAML file.

    Raises:
        LabError: the upstream module has no such file.
    """
    try:
        with path.open(encoding="utf-8") as stream:
            yield from (each for each in yaml.load_all(stream, Loader=_LOADER) if each)
    except OSError as error:
        raise LabError(f"the upstream module lacks {path.name}: {error}") from error
