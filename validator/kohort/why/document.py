"""The answer as plain values for programs. The schema is published as `ci/schemas/answer-v1.schema.json`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from kohort.capacity.words import number
from kohort.semantics.assignment import Mode
from kohort.semantics.reasons import Reason
from kohort.why.answer import Answer, Holding, Look, Quota

SCHEMA: Final = "https://kohort.dev/schemas/answer-v1.schema.json"
_MODES: Final = {
    Mode.NO_FIT: "noFit",
    Mode.NO_CANDIDATES: "nobodyToPreempt",
    Mode.PREEMPT: "preempt",
    Mode.RECLAIM: "reclaim",
    Mode.FIT: "fit",
}


def document(answer: Answer, tool: str) -> dict[str, Any]:
    """Everything in the answer; amounts as `{"units": 8, "text": "8"}`, in Kueue's units and as people type them."""
    spot, said = answer.place, answer.said
    return {
        "$schema": SCHEMA,
        "kind": "Answer",
        "version": 1,
        "tool": {"name": "kohort", "version": tool},
        "job": answer.job,
        "verdict": answer.verdict.value,
        "admitted": answer.verdict.admitted,
        "headline": answer.headline,
        "cluster": answer.cluster,
        "kueue": answer.kueue,
        "localQueue": answer.local_queue,
        "clusterQueue": answer.queue,
        "cohort": answer.cohort,
        "priority": answer.priority,
        "asks": [
            {"podSet": ask.podset, "count": ask.count, "perPod": _amounts(ask.per_pod)} for ask in answer.asks
        ],
        "given": {podset: dict(flavors) for podset, flavors in answer.given.items()},
        "obstacles": [
            {"reason": each.why.name, "message": each.message, "help": each.help} for each in answer.obstacles
        ],
        "flavors": [_look(look) for look in answer.looks],
        "victims": [
            {
                "workload": victim.workload,
                "clusterQueue": victim.queue,
                "priority": victim.priority,
                "rule": victim.rule,
                "frees": [
                    {"flavor": flavor, "resource": resource, **_amount(units, resource)}
                    for (flavor, resource), units in victim.frees.items()
                ],
            }
            for victim in answer.victims
        ],
        "place": None
        if spot is None
        else {
            "position": spot.position,
            "waiting": spot.waiting,
            "strategy": spot.strategy,
            "ahead": list(spot.ahead),
        },
        "first": list(answer.first),
        "changes": [
            {
                "lever": change.lever.value,
                "message": change.message,
                "then": change.then.value,
                "parts": dict(change.parts),
            }
            for change in answer.changes
        ],
        "kueueSays": None
        if said is None
        else {
            "message": said.message,
            "ours": said.ours,
            "agrees": said.agrees,
            "difference": said.difference,
        },
        "nodes": list(answer.nodes),
        "notes": list(answer.notes),
        "remarks": [
            {"kind": remark.kind.value, "subject": remark.subject, "message": remark.message}
            for remark in answer.remarks
        ],
    }


def _look(look: Look) -> dict[str, Any]:
    return {
        "podSet": look.podset,
        "flavor": look.flavor,
        "mode": _MODES[look.mode],
        "chosen": look.chosen,
        "reasons": [_reason(reason) for reason in look.reasons],
        "quotas": [_quota(quota) for quota in look.quotas],
    }


def _reason(reason: Reason) -> dict[str, Any]:
    return {
        "reason": reason.why.name,
        "resource": reason.resource,
        "detail": reason.detail,
        "missing": reason.missing,
        "maximum": reason.maximum,
    }


def _quota(quota: Quota) -> dict[str, Any]:
    r = quota.resource
    return {
        "resource": r,
        "requested": _amount(quota.requested, r),
        "assumed": _amount(quota.assumed, r),
        "guarantee": _amount(quota.guarantee, r),
        "used": _amount(quota.used, r),
        "free": _amount(quota.free, r),
        "borrowable": _amount(quota.borrowable, r),
        "missing": _amount(quota.missing, r),
        "maximum": _amount(quota.maximum, r),
        "limitedBy": quota.limit,
        "lenders": _holdings(quota.lenders, r),
        "users": _holdings(quota.users, r),
    }


def _holdings(holdings: Iterable[Holding], resource: str) -> list[dict[str, Any]]:
    return [
        {"name": each.name, **_amount(each.units, resource), "borrowed": each.borrowed} for each in holdings
    ]


def _amounts(amounts: Mapping[str, int]) -> list[dict[str, Any]]:
    return [{"resource": resource, **_amount(units, resource)} for resource, units in amounts.items()]


def _amount(units: int, resource: str) -> dict[str, Any]:
    return {"units": units, "text": number(units, resource)}
