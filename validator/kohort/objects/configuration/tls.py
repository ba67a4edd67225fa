"""The part of validation about TLS: names as Go's crypto/tls knows them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from kohort.diagnostics.suggest import did_you_mean
from kohort.objects.configuration.document import Document, items, text
from kohort.objects.configuration.fault import Fault

_ECDHE: Final = ("TLS_ECDHE_ECDSA_WITH_", "TLS_ECDHE_RSA_WITH_")
SUITES: Final = frozenset(
    [
        *("TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256"),
        *(
            f"{family}{cipher}"
            for family in _ECDHE
            for cipher in (
                *("AES_128_CBC_SHA", "AES_256_CBC_SHA", "AES_128_CBC_SHA256", "RC4_128_SHA"),
                *("AES_128_GCM_SHA256", "AES_256_GCM_SHA384"),
                *("CHACHA20_POLY1305", "CHACHA20_POLY1305_SHA256"),
            )
        ),
        "TLS_ECDHE_RSA_WITH_3DES_EDE_CBC_SHA",
        *(
            f"TLS_RSA_WITH_{cipher}"
            for cipher in (
                *("RC4_128_SHA", "3DES_EDE_CBC_SHA", "AES_128_CBC_SHA", "AES_256_CBC_SHA"),
                *("AES_128_CBC_SHA256", "AES_128_GCM_SHA256", "AES_256_GCM_SHA384"),
            )
        ),
    ]
)
# P-256, P-384, P-521, X25519 and the hybrids with ML-KEM
CURVES: Final = frozenset({23, 24, 25, 29, 4587, 4588, 4589})
_VERSIONS: Final = ("VersionTLS12", "VersionTLS13")


def check_tls(document: Document) -> Iterator[Fault]:
    """Least version, cipher suites (not with 1.3) and curves."""
    if document.at("tls") is None:
        return
    least, wrong = text(document.at("tls", "minVersion")), False
    if least not in {"", *_VERSIONS}:
        wrong = True
        message = f'invalid minVersion: "{least[:40]}". Please use VersionTLS12 or VersionTLS13'
        yield Fault(("tls", "minVersion"), "value", message)
    suites = items(document.at("tls", "cipherSuites"))
    for index, suite in enumerate(suites):
        if suite not in SUITES:
            wrong = True
            close = did_you_mean(text(suite), SUITES)
            helps = (f"did you mean {' or '.join(close)}?",) if close else ()
            message = f"Cipher suite {text(suite)[:60]} not supported or doesn't exist"
            yield Fault(("tls", "cipherSuites", index), "value", message, helps)
    seen: set[int] = set()
    for index, curve in enumerate(items(document.at("tls", "curvePreferences"))):
        number = int(curve) if isinstance(curve, (int, float)) else 0
        if number not in CURVES or number in seen:
            wrong = True
            what = (
                f"duplicate curve preference {number}"
                if number in seen
                else f"curve preference {number} is not supported"
            )
            yield Fault(("tls", "curvePreferences", index), "value", what)
        seen.add(number)
    if not wrong and least == "VersionTLS13" and suites:
        message = "may not be specified when `minVersion` is 'VersionTLS13'"
        yield Fault(("tls", "cipherSuites"), "value", message)
