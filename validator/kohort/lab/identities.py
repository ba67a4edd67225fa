"""Who the lab's programs are: static tokens and one kubeconfig per program."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import TYPE_CHECKING

import yaml

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class Identity:
    """A user with a static token.

    Attributes:
        user: name as the API server sees it.
        groups: its groups.
        token: its secret, new for each lab.
    """

    user: str
    groups: tuple[str, ...]
    token: str

    def kubeconfig(self, server: str, authority: Path, path: Path, namespace: str = "default") -> Path:
        """Write a kubeconfig that acts as this user, and return its path."""
        document = {
            "apiVersion": "v1",
            "kind": "Config",
            "clusters": [
                {"name": "lab", "cluster": {"server": server, "certificate-authority": str(authority)}}
            ],
            "users": [{"name": "lab", "user": {"token": self.token}}],
            "contexts": [
                {"name": "lab", "context": {"cluster": "lab", "user": "lab", "namespace": namespace}}
            ],
            "current-context": "lab",
        }
        path.write_text(yaml.safe_dump(document), encoding="utf-8")
        path.chmod(0o600)
        return path


def admin() -> Identity:
    """Return an identity that may do everything."""
    return Identity("lab-admin", ("system:masters", "system:authenticated"), secrets.token_hex(16))


def user(name: str) -> Identity:
    """Return a plain user, for example one that the API server's built-in roles are bound to."""
    return Identity(name, ("system:authenticated",), secrets.token_hex(16))


def service_account(namespace: str, name: str) -> Identity:
    """Return the identity of a service account, so that upstream role bindings apply to it unchanged."""
    groups = ("system:serviceaccounts", f"system:serviceaccounts:{namespace}", "system:authenticated")
    return Identity(f"system:serviceaccount:{namespace}:{name}", groups, secrets.token_hex(16))


def write_token_file(identities: Iterable[Identity], path: Path) -> Path:
    """Write the API server's token file (token, user, uid, groups) and return its path."""
    lines = [
        f'{each.token},{each.user},lab-{index},"{",".join(each.groups)}"'
        for index, each in enumerate(identities)
    ]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    path.chmod(0o600)
    return path
