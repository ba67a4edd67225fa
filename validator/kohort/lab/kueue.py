"""Kueue's own manifests, read from its Go module and fitted to a lab without pods.

The upstream folder `config/components` is written for kustomize with the name
prefix `kueue-` and the namespace `kueue-system`; the few transformations that
matter without a Deployment are made here. Webhooks keep their Service
reference: a Service of type ExternalName leads the API server to the manager's
port on this machine, while it still verifies the certificate for the Service's name.
"""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

import yaml

from kohort.lab.failure import LabError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

Manifest = dict[str, Any]

NAMESPACE = "kueue-system"
SERVICE_ACCOUNT = "kueue-controller-manager"
SERVICE = "kueue-webhook-service"
SERVICE_NAME = f"{SERVICE}.{NAMESPACE}.svc"
_PREFIX = "kueue-"
# The C loader: the pure Python one takes 5 s for the 1.7 MB of definitions.
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def documents(path: Path) -> Iterator[Manifest]:
    """Yield the objects of a YAML file."""
    try:
        with path.open(encoding="utf-8") as stream:
            yield from (each for each in yaml.load_all(stream, Loader=_LOADER) if each)
    except OSError as error:
        raise LabError(f"the Kueue module lacks {path.name}: {error}") from error


def definitions(module: Path, port: int, bundle: str) -> list[Manifest]:
    """Return the custom resource definitions with their conversion webhooks.

    Args:
        module: folder of the module `sigs.k8s.io/kueue`.
        port: the manager's webhook port on 127.0.0.1.
        bundle: base64 of the authority's PEM certificate.
    """
    folder = module / "config" / "components" / "crd"
    used = next(documents(folder / "kustomization.yaml"))
    conversion = {
        patch["metadata"]["name"]: patch["spec"]["conversion"]
        for each in used["patches"]
        for patch in documents(folder / each["path"])
    }
    result = []
    for each in used["resources"]:
        for definition in documents(folder / each):
            name = definition["metadata"]["name"]
            if name in conversion:
                definition["spec"]["conversion"] = copy.deepcopy(conversion[name])
                _lead(definition["spec"]["conversion"]["webhook"]["clientConfig"], port, bundle)
            result.append(definition)
    return result


def access(module: Path) -> list[Manifest]:
    """Return the namespace, the service account and its roles and bindings."""
    folder = module / "config" / "components" / "rbac"
    result: list[Manifest] = [{"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": NAMESPACE}}]
    for file_name in next(documents(folder / "kustomization.yaml"))["resources"]:
        result.extend(_placed(each) for each in documents(folder / file_name))
    return result


def webhooks(module: Path, port: int, bundle: str) -> list[Manifest]:
    """Return the mutating and the validating webhook configuration."""
    result = []
    for each in documents(module / "config" / "components" / "webhook" / "manifests.yaml"):
        placed = _placed(each)
        for webhook in placed["webhooks"]:
            _lead(webhook["clientConfig"], port, bundle)
            if webhook["name"][1:] not in _OWN_KINDS:  # after "m" or "v"
                webhook["namespaceSelector"] = copy.deepcopy(_NOT_SYSTEM)
        result.append(placed)
    return result


def service() -> Manifest:
    """Return the Service that leads the API server to this machine."""
    return {
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": {"name": SERVICE, "namespace": NAMESPACE},
        "spec": {"type": "ExternalName", "externalName": "localhost"},
    }


def secret(values: Mapping[str, str]) -> Manifest:
    """Return the Secret of Kueue's certificate rotation, filled with the lab's own authority.

    Args:
        values: base64 values of `ca.crt`, `ca.key`, `tls.crt` and `tls.key`.
    """
    return {
        "apiVersion": "v1",
        "kind": "Secret",
        "metadata": {"name": "kueue-webhook-server-cert", "namespace": NAMESPACE},
        "data": dict(values),
    }


def configuration(
    *, ports: Iterable[int], certificates: Path, extra: Mapping[str, Any] | None = None
) -> Manifest:
    """Return the manager's configuration for the lab.

    Args:
        ports: webhook, health and metrics port on 127.0.0.1.
        certificates: folder with `tls.crt` and `tls.key`.
        extra: top-level fields that replace the lab's own.
    """
    webhook, health, metrics = ports
    return {
        "apiVersion": "config.kueue.x-k8s.io/v1beta2",
        "kind": "Configuration",
        "health": {"healthProbeBindAddress": f"127.0.0.1:{health}"},
        "metrics": {"bindAddress": f"127.0.0.1:{metrics}"},
        "webhook": {"host": "127.0.0.1", "port": webhook, "certDir": str(certificates)},
        "leaderElection": {"leaderElect": False},
        "integrations": {"frameworks": ["batch/job"]},
        **(extra or {}),
    }


# Kinds whose webhooks cover cluster objects or every namespace; upstream limits all others.
_OWN_KINDS = frozenset({"clusterqueue.kb.io", "cohort.kb.io", "resourceflavor.kb.io", "workload.kb.io"})
_NOT_SYSTEM = {
    "matchExpressions": [
        {"key": "kubernetes.io/metadata.name", "operator": "NotIn", "values": ["kube-system", NAMESPACE]}
    ]
}


def _lead(client: Manifest, port: int, bundle: str) -> None:
    client["caBundle"] = bundle
    client["service"].update(name=SERVICE, namespace=NAMESPACE, port=port)


def _placed(manifest: Manifest) -> Manifest:
    """Give an object its prefix and namespace, and what it refers to as well."""
    meta = manifest["metadata"]
    meta["name"] = _PREFIX + meta["name"]
    if manifest["kind"] in {"Role", "RoleBinding", "ServiceAccount"}:
        meta["namespace"] = NAMESPACE
    if "roleRef" in manifest:
        manifest["roleRef"]["name"] = _PREFIX + manifest["roleRef"]["name"]
    for subject in manifest.get("subjects") or ():
        if subject.get("kind") == "ServiceAccount":
            subject.update(name=_PREFIX + subject["name"], namespace=NAMESPACE)
    for rule in manifest.get("rules") or ():
        if "resourceNames" in rule:
            rule["resourceNames"] = [
                _PREFIX + name if name.endswith("-webhook-configuration") else name
                for name in rule["resourceNames"]
            ]
    return manifest
