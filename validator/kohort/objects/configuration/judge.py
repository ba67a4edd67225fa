"""Whether Kueue's manager starts with a configuration: from values as read, or from the text of the file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from kohort.diagnostics import Severity
from kohort.diagnostics.suggest import did_you_mean
from kohort.objects.configuration.decode import decode, shown
from kohort.objects.configuration.document import Document
from kohort.objects.configuration.fault import Fault
from kohort.objects.configuration.gates import check_gates
from kohort.objects.configuration.validate import validate
from kohort.source.reader import read_file

GROUP: Final = "config.kueue.x-k8s.io"
VERSIONS: Final = ("v1beta1", "v1beta2")
KIND: Final = "Configuration"


def judge(value: Any, kueue: str) -> list[Fault]:
    """Why the manager of this version would not start; empty where it starts.

    `value` is the first document of the file (None: an empty file). As in the manager, faults of decoding hide those
    of feature gates, which hide those of validation.
    """
    if value is None:
        return []
    if not isinstance(value, Mapping):
        return [Fault((), "text", f"a configuration is a mapping, not {shown(value)}")]
    wrong = _type(value)
    if wrong:
        return wrong
    document = Document(value, api_of(value), kueue)
    return (
        decode(value, document.api, kueue)
        or list(check_gates(value.get("featureGates"), kueue))
        or validate(document)
    )


def api_of(value: Mapping[str, Any]) -> str:
    """The API version without the group; the newest where there is none."""
    given = value.get("apiVersion")
    return given.rpartition("/")[2] if isinstance(given, str) and given else VERSIONS[-1]


def _type(value: Mapping[str, Any]) -> list[Fault]:
    api, kind = value.get("apiVersion"), value.get("kind")
    for key, given in (("apiVersion", api), ("kind", kind)):
        if given is not None and not isinstance(given, str):
            return [Fault((key,), "text", f"must be text, not {shown(given)}")]
    known = [f"{GROUP}/{version}" for version in VERSIONS]
    if api and api not in known:
        close = did_you_mean(str(api), known)
        helps = (f"did you mean {' or '.join(close)}?",) if close else (f"known: {', '.join(known)}",)
        return [
            Fault(
                ("apiVersion",), "text", f'no kind "{kind or KIND}" is registered for version "{api}"', helps
            )
        ]
    if kind and kind != KIND:
        return [Fault(("kind",), "text", f'no kind "{kind}" is registered for version "{api or known[-1]}"')]
    return []


def read_text(text: str) -> tuple[Any, list[Fault]]:
    """The first document of a configuration file and what is wrong with its text; later documents are ignored."""
    read = read_file("configuration", text.encode("utf-8", "surrogatepass"))
    value = next((document.value for document in read.documents if document.index == 0), None)
    # findings about later documents, and about documents that are no Kubernetes objects, are not the manager's
    wrong = [
        finding
        for finding in read.findings
        if finding.severity is Severity.ERROR and finding.primary.origin.document == 0
    ]
    if value is None and not wrong and _is_something(text):
        return None, [Fault((), "text", "a configuration is a mapping")]
    return value, [Fault((), "text", finding.message, finding.help) for finding in wrong]


def judge_text(text: str, kueue: str) -> list[Fault]:
    """Why the manager would not start with this file."""
    value, faults = read_text(text)
    return faults or judge(value, kueue)


def _is_something(text: str) -> bool:
    first = text.split("\n---", 1)[0]
    return any(line.strip() and not line.lstrip().startswith("#") for line in first.splitlines())
