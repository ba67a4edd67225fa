"""What makes two findings the same defect over time, whatever lines were added above it."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from kohort.diagnostics.finding import Finding

_LINE_NUMBER = re.compile(r"\b(lines?) \d+|(?<=[a-z]):\d+(?::\d+)?\b")


class Identity(NamedTuple):
    """A finding without its position. `message` is a hash of the text without line numbers."""

    code: str
    file: str
    subject: str
    field: str
    message: str


def identity(finding: Finding) -> Identity:
    """The identity of a finding; equal for two equal defects in one file."""
    text = _LINE_NUMBER.sub(lambda m: m[1] or "", finding.message)
    return Identity(
        finding.code,
        relative(finding.primary.origin.file),
        finding.subject,
        finding.field,
        _digest(text)[:16],
    )


def fingerprints(findings: Iterable[Finding]) -> list[str]:
    """One distinct fingerprint per finding, in order; equal identities are numbered as they come."""
    seen: Counter[Identity] = Counter()
    result = []
    for finding in findings:
        key = identity(finding)
        result.append(_digest("\0".join((*key, str(seen[key]))))[:32])
        seen[key] += 1
    return result


def relative(file: str) -> str:
    """A path without a leading `./`, so that two ways to type it are one."""
    while file.startswith("./"):
        file = file[2:].lstrip("/")
    return file


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
