"""Named health vocabularies, read from `data/health.json`."""

from __future__ import annotations

import json
from functools import cache
from importlib import resources
from typing import Any, Literal, TypeAlias, get_args

from kohort.objects.health import ConditionSignal, HealthVocabulary, LabelSignal, TaintSignal

Preset: TypeAlias = Literal[
    "kubernetes",
    "autopilot",
    "nvsentinel",
    "npd",
    "aks",
    "eks",
    "hyperpod",
    "oci",
    "gcm",
    "soperator",
    "medik8s",
    "autoscaler",
    "karpenter",
    "gpu-operator",
    "skyhook",
]
PRESETS: tuple[str, ...] = get_args(Preset)


@cache
def preset(name: str) -> HealthVocabulary:
    """The signals of one source. `kubernetes` holds what Kubernetes itself says of a lost node."""
    entry = _data()[name]
    return HealthVocabulary(
        labels=tuple(
            LabelSignal(
                key, tuple(signal["bad"]), tuple(signal.get("warn", ())), signal.get("monitored", False)
            )
            for key, signal in entry.get("labels", {}).items()
        ),
        conditions=tuple(
            ConditionSignal(kind, tuple(bad)) for kind, bad in entry.get("conditions", {}).items()
        ),
        taints=tuple(TaintSignal(key, tuple(effects)) for key, effects in entry.get("taints", {}).items()),
        origin="declared",
    )


@cache
def _data() -> Any:
    text = resources.files("kohort.model").joinpath("data/health.json").read_text(encoding="utf-8")
    return json.loads(text)
