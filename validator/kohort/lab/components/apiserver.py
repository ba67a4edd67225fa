"""Start the API server."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kohort.lab.identities import write_token_file

if TYPE_CHECKING:
    from pathlib import Path

    from kohort.lab.controlplane import ControlPlane


def start(plane: ControlPlane) -> None:
    """Start the API server with role based access and one static token per identity."""
    authority = plane.authority
    serving = authority.issue("apiserver", "IP:127.0.0.1", "DNS:localhost")
    proxy = authority.issue("front-proxy")
    accounts = authority.issue("service-accounts")
    tokens = write_token_file(plane.identities.values(), plane.folder / "tokens.csv")
    command: list[str | Path] = [
        plane.programs["kube-apiserver"],
        f"--etcd-servers=http://127.0.0.1:{plane.port('etcd')}",
        "--bind-address=127.0.0.1",
        # A private network has no other address, and no route by which the server could guess one.
        "--advertise-address=127.0.0.1",
        f"--secure-port={plane.port('apiserver')}",
        # Loopback cannot be an endpoint of the Service "kubernetes".
        "--endpoint-reconciler-type=none",
        f"--tls-cert-file={serving.certificate}",
        f"--tls-private-key-file={serving.key}",
        f"--token-auth-file={tokens}",
        "--authorization-mode=RBAC",
        "--allow-privileged=true",
        "--service-cluster-ip-range=10.96.0.0/16",
        "--service-account-issuer=https://kubernetes.default.svc",
        f"--service-account-key-file={accounts.certificate}",
        f"--service-account-signing-key-file={accounts.key}",
        # Without a client authority the ConfigMap that extension servers and schedulers read is absent.
        f"--client-ca-file={authority.own.certificate}",
        f"--requestheader-client-ca-file={authority.own.certificate}",
        "--requestheader-allowed-names=front-proxy",
        "--requestheader-extra-headers-prefix=X-Remote-Extra-",
        "--requestheader-group-headers=X-Remote-Group",
        "--requestheader-username-headers=X-Remote-User",
        f"--proxy-client-cert-file={proxy.certificate}",
        f"--proxy-client-key-file={proxy.key}",
    ]
    plane.run("apiserver", command, lambda: plane.client.request("GET", "/readyz").ok)
