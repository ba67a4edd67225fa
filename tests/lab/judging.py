"""Many objects of one kind before the real server and before Kohort's rules, and where the two differ."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

from random_objects import KUEUE, Object, smaller

from kohort.engine.judge import form_findings
from kohort.engine.verdicts import Verdict, compare
from kohort.lab.client import Answer
from kohort.lab.controlplane import ControlPlane
from kohort.lab.verdicts import collection
from kohort.objects.cluster import Cluster
from kohort.objects.kube import KubeObject, Typed

_STRICT = {"dryRun": "All", "fieldValidation": "Strict"}
_THREADS = 4


@dataclass
class Judged:
    """What came of some objects of one kind."""

    kind: str
    asked: int = 0
    accepted: int = 0
    differing: list[str] = field(default_factory=list)
    codes: Counter[str] = field(default_factory=Counter)  # refusing rules where both refuse
    causes: Counter[str] = field(default_factory=Counter)  # the server's messages without names and numbers


def ask(plane: ControlPlane, kind: str, each: Object) -> Answer:
    """The server's strict verdict; nothing is stored, so that a broken connection is no reason not to ask again."""
    try:
        return plane.client.request("POST", collection(kind, each), each, _STRICT)
    except OSError:
        return plane.client.request("POST", collection(kind, each), each, _STRICT)


def ask_all(plane: ControlPlane, kind: str, objects: Sequence[Object]) -> list[Answer]:
    """The verdicts in order, asked for by several threads, each over one connection."""

    def some(first: int) -> list[Answer]:
        try:
            return [ask(plane, kind, each) for each in objects[first::_THREADS]]
        finally:
            plane.client.close()  # this thread's connection

    result: list[Answer] = [Answer(0, "")] * len(objects)
    with ThreadPoolExecutor(_THREADS) as threads:
        for first, answers in enumerate(threads.map(some, range(_THREADS))):
            result[first::_THREADS] = answers
    return result


def rules_accept(each: Object) -> bool:
    """Whether Kohort's rules let the object pass, as the server would on creation."""
    return compare(Verdict("random", each, accepted=True, field="", stored=None), KUEUE).accepted


def refusing_codes(each: Object) -> set[str]:
    """Codes of the refusing findings on the object alone."""
    meta = each.get("metadata")
    named = meta if isinstance(meta, dict) else {}
    name, namespace = (str(v) if isinstance(v := named.get(k), str) else "" for k in ("name", "namespace"))
    obj = KubeObject(
        str(each.get("apiVersion")), str(each.get("kind")), name, namespace, dict(each), Typed("random")
    )
    found = form_findings(Cluster([obj], kueue=KUEUE))
    return {f.code for f in found if f.consequence.value in ("refused", "invalid")}


def judge(plane: ControlPlane, kind: str, objects: Iterable[Object], *, shown: int = 10) -> Judged:
    """Ask both about every object; up to `shown` differences are reduced and described."""
    result = Judged(kind)
    objects = list(objects)
    differing = []
    for each, answer in zip(objects, ask_all(plane, kind, objects), strict=True):
        result.asked += 1
        result.accepted += answer.ok
        ours = rules_accept(each)
        if ours is not answer.ok:
            differing.append(each)
        elif not ours:
            result.codes.update(refusing_codes(each))
        if not answer.ok:
            result.causes.update(causes(answer))
    seen: set[str] = set()
    for each in differing:
        if len(result.differing) >= shown:
            result.differing.append(f"and {len(differing) - shown} more")
            break
        least = smaller(each, lambda some: ask(plane, kind, some).ok is not rules_accept(some))
        answer = ask(plane, kind, least)
        said = "accepts" if answer.ok else f"refuses ({message(answer)[:400]})"
        words = f"server {said}, Kohort {sorted(refusing_codes(least)) or 'accepts'}: {least}"
        if words not in seen:
            seen.add(words)
            result.differing.append(words)
    return result


def message(answer: Answer) -> str:
    return str(answer.body.get("message", "")) if isinstance(answer.body, dict) else str(answer.body)


def causes(answer: Answer) -> set[str]:
    """The kinds of complaint: each cause's words without what differs from object to object."""
    details: dict[str, Any] = (answer.body.get("details") or {}) if isinstance(answer.body, dict) else {}
    found = [str(each.get("message", "")) for each in details.get("causes") or ()] or [message(answer)]
    return {re.sub(r'"[^"]*"|[0-9]+|\[[^]]*\]', "…", text)[:160] for text in found}
