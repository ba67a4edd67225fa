"""Replay recorded verdicts of a real Kueue against the rules: accept or refuse, the first path, the stored form."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kohort.diagnostics import Consequence, Finding
from kohort.engine.judge import form_findings
from kohort.objects.cluster import Cluster
from kohort.objects.kube import KubeObject, Typed
from kohort.objects.stored import stored_form

_REFUSES = frozenset({Consequence.REFUSED, Consequence.INVALID})
_STEP = re.compile(r"[^.\[\]]+|\[[^\]]*\]")
_UNKNOWN = re.compile(r'unknown field "([^"]+)"')
_CONFIGURATION_FIELD = re.compile(
    r"\[?([a-zA-Z][^\s:]*): (?:Invalid|Unsupported|Duplicate|Required|Forbidden|Too many)"
)


@dataclass(frozen=True, slots=True)
class Verdict:
    """One recorded answer of the server. `field` is the first cause's path, empty where the server named none."""

    id: str
    obj: Mapping[str, Any]
    accepted: bool
    field: str
    stored: Mapping[str, Any] | None
    message: str = ""


@dataclass(frozen=True, slots=True)
class Comparison:
    """One verdict next to what the rules say. None: there was nothing to compare."""

    verdict: Verdict
    accepted: bool
    first: Finding | None
    path_agrees: bool | None
    stored_agrees: bool | None
    stored_difference: str = ""

    @property
    def agrees(self) -> bool:
        """Whether the rules refuse exactly what the server refused."""
        return self.accepted == self.verdict.accepted


def compare(verdict: Verdict, kueue: str) -> Comparison:
    """Judge the recorded object as Kueue `kueue` would on create with strict field validation."""
    obj = _object(verdict.obj)
    if not obj.api_version or not obj.kind:  # what intake reports as OBJ001
        return Comparison(verdict, accepted=False, first=None, path_agrees=None, stored_agrees=None)
    findings = [f for f in form_findings(Cluster([obj], kueue=kueue)) if f.consequence in _REFUSES]
    first = min(findings, key=lambda f: f.code, default=None)
    accepted = not findings
    path = None
    if not verdict.accepted and verdict.field and findings:
        path = any(_related(verdict.field, f.field) for f in findings if first and f.code == first.code)
        path = path or (first is not None and _related(verdict.field, first.field))
    same, difference = None, ""
    if verdict.accepted and verdict.stored is not None:
        ours = stored_form(verdict.obj, kueue)
        again = stored_form(ours, kueue)
        difference = _difference(_comparable(ours), _comparable(verdict.stored))
        if not difference and again != ours:
            difference = f"defaulting the stored form again changes it: {_difference(again, ours)}"
        same = not difference
    return Comparison(verdict, accepted, first, path, same, difference)


def _object(data: Mapping[str, Any]) -> KubeObject:
    metadata = data.get("metadata")
    named = metadata if isinstance(metadata, Mapping) else {}
    texts = {k: named.get(k) if isinstance(named.get(k), str) else "" for k in ("name", "namespace")}
    kind, api_version = data.get("kind"), data.get("apiVersion")
    return KubeObject(
        api_version if isinstance(api_version, str) else "",
        kind if isinstance(kind, str) else "",
        texts["name"] or "",
        texts["namespace"] or "",
        deepcopy(dict(data)),
        Typed("verdict"),
    )


def _steps(field: str) -> list[str]:
    return [step.strip("[]") for step in _STEP.findall(field)]


def _related(one: str, other: str) -> bool:
    a, b = _steps(one), _steps(other)
    return a[: len(b)] == b or b[: len(a)] == a


_ASKER = ("kueue.x-k8s.io/queue-name", "workload.codeflare.dev/user", "workload.codeflare.dev/userid")
_SERVER_OWNED = ("uid", "resourceVersion", "creationTimestamp", "generation", "managedFields", "selfLink")


def _comparable(obj: Mapping[str, Any]) -> dict[str, Any]:
    body = {key: value for key, value in obj.items() if key != "status"}
    if isinstance(body.get("metadata"), Mapping):
        body["metadata"] = {k: v for k, v in body["metadata"].items() if k not in _SERVER_OWNED}
    if body.get("kind") == "AppWrapper":
        _without_asker(body)
    return body


def _without_asker(body: dict[str, Any]) -> None:
    """Drop what AppWrapper's and Kueue's webhooks add by who asks and by their own configuration."""
    metadata = body.get("metadata", {})
    labels = {k: v for k, v in (metadata.get("labels") or {}).items() if k not in _ASKER}
    body["metadata"] = {k: v for k, v in metadata.items() if k != "labels"} | (
        {"labels": labels} if labels else {}
    )
    if isinstance(body.get("spec"), Mapping):
        body["spec"] = {k: v for k, v in body["spec"].items() if k not in {"suspend", "managedBy"}}


def _difference(ours: Any, theirs: Any, path: str = "") -> str:
    if isinstance(ours, Mapping) and isinstance(theirs, Mapping):
        for key in sorted({*ours, *theirs}):
            if key not in ours or key not in theirs:
                return f"{path}.{key}: {'only ours' if key in ours else 'only the server'}: {ours.get(key, theirs.get(key))!r}"
            found = _difference(ours[key], theirs[key], f"{path}.{key}")
            if found:
                return found
        return ""
    if isinstance(ours, list) and isinstance(theirs, list) and len(ours) == len(theirs):
        for index, (a, b) in enumerate(zip(ours, theirs, strict=True)):
            found = _difference(a, b, f"{path}[{index}]")
            if found:
                return found
        return ""
    same = ours == theirs and isinstance(ours, bool) == isinstance(theirs, bool)
    return "" if same else f"{path}: ours {ours!r}, the server {theirs!r}"


def read_verdicts(document: Any, name: str) -> Iterator[Verdict]:
    """The verdicts of one recorded document: a list of entries, or a mapping that holds one under `verdicts`."""
    entries = document
    if isinstance(document, Mapping):
        entries = next(
            (document[k] for k in ("verdicts", "cases", "results") if isinstance(document.get(k), list)),
            [document],
        )
    for index, entry in enumerate(entries if isinstance(entries, list) else []):
        verdict = _read_verdict(entry, f"{name}#{index}")
        if verdict is not None:
            yield verdict


def _read_verdict(entry: Any, name: str) -> Verdict | None:
    if not isinstance(entry, Mapping) or "before" in entry:
        return None  # an update: what creation may hold is the question here
    if isinstance(entry.get("configuration"), str) and isinstance(entry.get("starts"), bool):
        return _configuration(entry, name)
    obj = _first(entry, "object", "input", "manifest", "sent")
    accepted = _first(entry, "accepted", "allowed", "verdict")
    if isinstance(accepted, str):
        accepted = accepted.lower() in {"accepted", "accept", "allowed", "allow", "ok", "true"}
    if not isinstance(obj, Mapping) or not isinstance(accepted, bool):
        return None
    message = str(_first(entry, "message", "error") or "")
    causes = _first(entry, "causes", "errors") or []
    field = ""
    for cause in causes if isinstance(causes, list) else []:
        text = (
            cause
            if isinstance(cause, str)
            else str(_first(cause, "field", "path") or "")
            if isinstance(cause, Mapping)
            else ""
        )
        if text and text != "<nil>":
            field = text
            break
    unknown = _UNKNOWN.search(message)
    if (
        not field and unknown and "denied the request" not in message
    ):  # there it is a path inside a pod's spec
        field = unknown.group(1)
    stored = _first(entry, "stored", "storedForm")
    identity = _first(entry, "id", "name", "case")
    return Verdict(
        str(identity or name), obj, accepted, field, stored if isinstance(stored, Mapping) else None, message
    )


def _configuration(entry: Mapping[str, Any], name: str) -> Verdict:
    """A configuration file of the manager, recorded as whether it `starts`; judged in the ConfigMap that mounts it."""
    message = str(entry.get("error") or "")
    field = _CONFIGURATION_FIELD.search(message) or _UNKNOWN.search(message)
    obj = {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": "kueue-manager-config", "namespace": "kueue-system"},
        "data": {"controller_manager_config.yaml": entry["configuration"]},
    }
    identity = str(entry.get("id") or name)
    return Verdict(identity, obj, bool(entry["starts"]), field.group(1) if field else "", None, message)


def _first(entry: Mapping[str, Any], *keys: str) -> Any:
    return next((entry[key] for key in keys if entry.get(key) is not None), None)


def apply_differences(verdicts: list[Verdict], differences: Any, kueue: str) -> list[Verdict]:
    """Replace verdicts by those that the version recorded otherwise (`webhooks-versions.yaml`)."""
    changed = {v.id: v for v in _differences(differences, kueue)}
    known = {v.id: v for v in verdicts}
    return [changed.get(v.id, v) for v in verdicts] + [
        v for i, v in changed.items() if i not in known and v.obj
    ]


def _differences(document: Any, kueue: str) -> Iterator[Verdict]:
    if not isinstance(document, Mapping):
        return
    versions = document.get("versions", document)
    chosen = versions.get(kueue) if isinstance(versions, Mapping) else None
    if isinstance(chosen, Mapping) and not any(k in chosen for k in ("verdicts", "cases", "results")):
        chosen = [{"id": key, **value} for key, value in chosen.items() if isinstance(value, Mapping)]
    if chosen is not None:
        yield from read_verdicts(chosen, kueue)


def verdict_files(paths: list[Path]) -> list[Path]:
    """The YAML and JSON files below the paths, sorted; files of differences are not verdicts themselves."""
    files: list[Path] = []
    for path in paths:
        files += (
            sorted(p for p in path.rglob("*") if p.suffix in {".yaml", ".yml", ".json"})
            if path.is_dir()
            else [path]
        )
    return [f for f in files if f.stem != "webhooks-versions"]
