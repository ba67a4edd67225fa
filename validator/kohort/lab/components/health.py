"""What the components with webhooks share: a health page and a certificate that they rotate."""

from __future__ import annotations

import urllib.error
import urllib.request
from base64 import b64encode
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import ssl
    from pathlib import Path

    from kohort.lab.controlplane import ControlPlane
    from kohort.lab.upstream import Manifest, Overlay


def answers(url: str, trust: ssl.SSLContext | None = None) -> bool:
    """Ask a page and say whether it is well; what its program says against that is no error here."""
    try:
        with urllib.request.urlopen(url, timeout=2, context=trust) as page:  # noqa: S310 - loopback
            return bool(page.status == 200 and b'"false"' not in page.read())
    except urllib.error.HTTPError as error:
        error.close()
        return False


def healthy(port: int) -> bool:
    """Ask a manager's readiness page on 127.0.0.1."""
    return answers(f"http://127.0.0.1:{port}/readyz")


def rotated_certificate(plane: ControlPlane, overlay: Overlay, folder: Path) -> Manifest:
    """Put a webhook's certificate where its program reads it, and into the Secret it watches over.

    The kubelet would mount that Secret; filled beforehand, nothing is renewed and both agree.
    """
    files = webhook_certificate(plane, overlay, folder)
    authority = plane.authority.own
    for name, source in (("ca.crt", authority.certificate), ("ca.key", authority.key)):
        files[name] = folder / name
        files[name].write_bytes(source.read_bytes())
    return overlay.certificate_secret(
        {name: b64encode(path.read_bytes()).decode() for name, path in files.items()}
    )


def webhook_certificate(plane: ControlPlane, overlay: Overlay, folder: Path) -> dict[str, Path]:
    """Put a webhook's certificate and key where its program reads them; return both files by name."""
    served = plane.authority.issue(overlay.service, f"DNS:{overlay.service_name}")
    folder.mkdir(parents=True)
    files = {"tls.crt": folder / "tls.crt", "tls.key": folder / "tls.key"}
    files["tls.crt"].write_bytes(served.certificate.read_bytes())
    files["tls.key"].write_bytes(served.key.read_bytes())
    return files
