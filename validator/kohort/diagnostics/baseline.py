"""Findings that an old repository had when it began: known ones are hidden, new ones are not.

The file lists identities (code, file, subject, field, hash of the message) with counts and no lines, so that moving
text changes nothing.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import field
from typing import Any

from kohort.dataclass import dataclass
from kohort.diagnostics.codes import STALE_BASELINE
from kohort.diagnostics.finding import Finding
from kohort.diagnostics.hidden import Hidden, HiddenBy, Outcome
from kohort.diagnostics.identity import Identity, identity
from kohort.diagnostics.json_text import json_entry
from kohort.diagnostics.visible import visible
from kohort.spans import Origin

VERSION = 1
_TEXTS = ("code", "file", "subject", "field", "messageHash")


class BaselineError(ValueError):
    """The file is no baseline; the text says why in one line."""


@dataclass(frozen=True, slots=True)
class Baseline:
    """Known findings by identity with their counts, in the order of the file."""

    file: str = ""
    counts: Mapping[Identity, int] = field(default_factory=dict)


def load(text: str, file: str) -> Baseline:
    """Read a baseline file.

    Raises:
        BaselineError: the text is not a baseline of a version that is understood.
    """
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        raise BaselineError(f"{visible(file)} is no JSON text") from None
    if not isinstance(data, dict) or not isinstance(data.get("findings"), list):
        raise BaselineError(f'{visible(file)} is no baseline: it has no list "findings"')
    if data.get("version") != VERSION:
        raise BaselineError(f"{visible(file)} is not of baseline version {VERSION}")
    counts: dict[Identity, int] = {}
    for index, entry in enumerate(data["findings"]):
        key, count = _entry(entry, f"{visible(file)}: findings[{index}]")
        if key in counts:
            raise BaselineError(f"{visible(file)}: findings[{index}] repeats an earlier entry")
        counts[key] = count
    return Baseline(file, counts)


def _entry(entry: Any, where: str) -> tuple[Identity, int]:
    if not isinstance(entry, dict) or not all(isinstance(entry.get(name), str) for name in _TEXTS):
        raise BaselineError(f"{where} needs the texts {', '.join(_TEXTS)}")
    count = entry.get("count")
    if isinstance(count, bool) or not isinstance(count, int) or count < 1:
        raise BaselineError(f"{where} needs a count of at least 1")
    return Identity(*(entry[name] for name in _TEXTS)), count


def dump(findings: Iterable[Finding]) -> str:
    """The baseline file for these findings: sorted, one entry a line, so that a merge touches few lines."""
    counts = Counter(identity(finding) for finding in findings)
    entries = [
        json_entry({**dict(zip(_TEXTS, key, strict=True)), "count": counts[key]}) for key in sorted(counts)
    ]
    body = "[\n    " + ",\n    ".join(entries) + "\n  ]" if entries else "[]"
    return f'{{\n  "version": {VERSION},\n  "findings": {body}\n}}\n'


def apply(findings: Iterable[Finding], baseline: Baseline, read: Collection[str] | None = None) -> Outcome:
    """Hide known findings, up to the count of each entry; entries with fewer findings become SUP121.

    `read` are the files that this run looked at when it did not look at all: entries of other files are left alone.
    """
    left = Counter(baseline.counts)
    kept: list[Finding] = []
    hidden: list[Hidden] = []
    for finding in findings:
        key = identity(finding)
        if left[key] > 0:
            left[key] -= 1
            hidden.append(Hidden(finding, HiddenBy.BASELINE, "known when the baseline was written"))
        else:
            kept.append(finding)
    problems = [
        _stale(baseline.file, index, key, count, left[key])
        for index, (key, count) in enumerate(baseline.counts.items())
        if left[key] > 0 and (read is None or key.file in read)
    ]
    return Outcome(tuple(kept), tuple(hidden), tuple(problems))


def _stale(file: str, index: int, key: Identity, count: int, left: int) -> Finding:
    what = f"{visible(key.code)} in {visible(key.file) or 'no file'}"
    if left == count:
        message = f"baseline entry no longer needed: {what} is solved"
    else:
        verb = "is" if count - left == 1 else "are"
        message = f"baseline entry lists {count} findings {what}, of which {count - left} {verb} left"
    return STALE_BASELINE.finding(
        message,
        Origin(file, 0, ("findings", index)),
        subject=key.subject,
        help=("write the baseline again, so that a solved finding cannot come back unseen",),
    )
