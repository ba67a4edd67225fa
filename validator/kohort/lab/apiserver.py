"""Command lines of etcd and of the API server, and their readiness."""

from __future__ import annotations

import urllib.request
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from kohort.lab.certificates import Authority, Pair


def etcd_command(program: Path, data: Path, client_port: int, peer_port: int) -> list[str | Path]:
    """Return etcd's command line; it does not sync to disk, since a lab's data is thrown away."""
    client = f"http://127.0.0.1:{client_port}"
    peer = f"http://127.0.0.1:{peer_port}"
    return [
        program, "--name=lab", f"--data-dir={data}", "--unsafe-no-fsync", "--log-level=warn",
        f"--listen-client-urls={client}", f"--advertise-client-urls={client}",
        f"--listen-peer-urls={peer}", f"--initial-advertise-peer-urls={peer}",
        f"--initial-cluster=lab={peer}",
    ]  # fmt: skip


def etcd_is_ready(client_port: int) -> bool:
    """Ask etcd's health page."""
    with urllib.request.urlopen(f"http://127.0.0.1:{client_port}/health", timeout=2) as page:
        return b'"true"' in page.read()


def apiserver_command(
    program: Path,
    *,
    etcd_port: int,
    port: int,
    tokens: Path,
    authority: Authority,
    serving: Pair,
    proxy: Pair,
    accounts: Pair,
) -> list[str | Path]:
    """Return the API server's command line.

    Args:
        program: the built kube-apiserver.
        etcd_port: where etcd listens for clients.
        port: where the API server shall listen.
        tokens: file of static tokens.
        authority: authority of clients; also of the aggregator's own certificate.
        serving: the server's certificate for 127.0.0.1.
        proxy: what the aggregator shows to extension servers.
        accounts: key pair that signs service account tokens.
    """
    return [
        program,
        f"--etcd-servers=http://127.0.0.1:{etcd_port}",
        "--bind-address=127.0.0.1",
        f"--secure-port={port}",
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
