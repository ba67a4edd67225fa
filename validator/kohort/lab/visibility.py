"""Kueue's API of pending work (`visibility.kueue.x-k8s.io`), which the API server passes on to the manager.

The manager serves it with a certificate of its own from a folder that is fixed at the root of its container. The lab
links the manager with a relative folder instead (`families.py`), so that it lies where the program runs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kohort.lab.kueue import OVERLAY
from kohort.lab.upstream import Manifest, documents

if TYPE_CHECKING:
    from pathlib import Path

FOLDER: Final = "visibility"  # as linked: `pkg/visibility.certDir`
_SERVICE: Final = f"{OVERLAY.prefix}visibility-server"


def access(module: Path) -> list[Manifest]:
    """Return the binding that lets the manager read by which certificate the API server speaks to it."""
    (binding,) = documents(_folder(module) / "role_binding.yaml")
    for each in binding["subjects"]:
        each.update(name=f"{OVERLAY.prefix}controller-manager", namespace=OVERLAY.namespace)
    return [binding]


def services(module: Path, port: int) -> list[Manifest]:
    """Return the Service and both versions of the APIService, to be made when the manager listens.

    An APIService that finds nobody at first is asked again only after up to 30 s.

    Args:
        module: folder of the module `sigs.k8s.io/kueue`.
        port: where the manager serves on 127.0.0.1.
    """
    service: Manifest = {
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": {"name": _SERVICE, "namespace": OVERLAY.namespace},
        "spec": {"type": "ExternalName", "externalName": "localhost"},
    }
    result = [service]
    for version in ("v1beta1", "v1beta2"):
        (each,) = documents(_folder(module) / f"apiservice_{version}.yaml")
        each["spec"]["service"] = {"name": _SERVICE, "namespace": OVERLAY.namespace, "port": port}
        result.append(each)
    return result


def _folder(module: Path) -> Path:
    return module / "config" / "components" / "visibility"
