"""An own certificate authority for one lab, made with the `openssl` program (3.0 or newer)."""

from __future__ import annotations

import shutil
import subprocess
from base64 import b64encode
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kohort.lab.failure import LabError

if TYPE_CHECKING:
    from pathlib import Path

# The certificate rotations of Kueue and AppWrapper keep a given authority only if it is valid for these names.
CA_NAMES = ("kueue-ca", "appwrapper-ca")
# Kueue renews what ends within 90 days, and would then no longer match the file on disk.
_DAYS = "3650"


@dataclass(frozen=True, slots=True)
class Pair:
    """A certificate and its private key, both PEM files."""

    certificate: Path
    key: Path


class Authority:
    """A certificate authority whose files lie in one folder.

    Attributes:
        own: the authority's own certificate and key.
    """

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder
        self.own = Pair(folder / "ca.crt", folder / "ca.key")
        _openssl(
            "req", "-x509", *_new_key(self.own, "rsa:2048"), "-subj", f"/CN={CA_NAMES[0]}",
            "-addext", "basicConstraints=critical,CA:TRUE",
            "-addext", "keyUsage=critical,digitalSignature,keyEncipherment,keyCertSign,cRLSign",
            "-addext", "subjectAltName=" + ",".join(f"DNS:{name}" for name in CA_NAMES),
        )  # fmt: skip
        # Kueue's certificate rotation reads an authority's key only in this older form.
        _openssl("rsa", "-traditional", "-in", str(self.own.key), "-out", str(self.own.key))

    def issue(self, name: str, *alternatives: str) -> Pair:
        """Issue a certificate for servers and clients.

        Args:
            name: common name, also the stem of the two files.
            alternatives: subject alternative names as openssl writes them (`DNS:x`, `IP:127.0.0.1`).
        """
        pair = Pair(self._folder / f"{name}.crt", self._folder / f"{name}.key")
        names = ",".join(alternatives or (f"DNS:{name}",))
        _openssl(
            "req", "-x509", *_new_key(pair), "-subj", f"/CN={name}",
            "-CA", str(self.own.certificate), "-CAkey", str(self.own.key),
            "-addext", "basicConstraints=critical,CA:FALSE",
            "-addext", "extendedKeyUsage=serverAuth,clientAuth",
            "-addext", f"subjectAltName={names}",
        )  # fmt: skip
        return pair

    def bundle(self) -> str:
        """Return the authority's certificate as Kubernetes objects carry it (base64 of PEM)."""
        return b64encode(self.own.certificate.read_bytes()).decode()


def _new_key(pair: Pair, *algorithm: str) -> list[str]:
    return [
        "-newkey", *(algorithm or ("ec", "-pkeyopt", "ec_paramgen_curve:P-256")), "-nodes", "-days", _DAYS,
        "-keyout", str(pair.key), "-out", str(pair.certificate),
    ]  # fmt: skip


def _openssl(*arguments: str) -> None:
    program = shutil.which("openssl")
    if not program:
        raise LabError("the lab needs the openssl program for its certificates")
    done = subprocess.run(  # noqa: S603 - fixed arguments
        [program, *arguments], capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        raise LabError(f"openssl {arguments[0]} failed: {done.stderr.strip()[-500:]}")
