"""Health vocabulary of a cluster: named presets and signals of one's own."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from kohort.model.kinds.base import Strict
from kohort.model.presets import Preset, preset
from kohort.objects.health import ConditionSignal, HealthVocabulary, LabelSignal, TaintSignal

Effect = Literal["NoSchedule", "PreferNoSchedule", "NoExecute"]
Status = Literal["True", "False", "Unknown"]


class LabelSignalField(Strict):
    """A node label that reports health."""

    key: str = Field(description="Key of the label.", examples=["example.com/gpu-health"], min_length=1)
    bad: list[str] = Field(description="Values that take the node out.", examples=[["failed"]], min_length=1)
    warn: list[str] = Field(
        default_factory=list, description="Values that are worth a remark.", examples=[["degraded"]]
    )
    monitored: bool = Field(
        default=True, description="Whether a node without the label is worth a remark.", examples=[False]
    )


class ConditionSignalField(Strict):
    """A node condition that reports health."""

    type: str = Field(description="Type of the condition.", examples=["GpuXid"], min_length=1)
    bad: list[Status] = Field(
        default=["True"],
        description="Statuses that take the node out, as quoted text.",
        examples=[["True"], ["False", "Unknown"]],
        min_length=1,
    )


class TaintSignalField(Strict):
    """A taint that reports ill health whatever the flavor tolerates."""

    key: str = Field(description="Key of the taint.", examples=["example.com/broken"], min_length=1)
    effects: list[Effect] = Field(
        default=["NoSchedule", "NoExecute"],
        description="Effects that count.",
        examples=[["NoExecute"]],
    )


class HealthField(Strict):
    """What marks a node as unhealthy. Cordon, Ready and the taints of lost nodes always count."""

    presets: list[Preset] = Field(
        default=["autopilot"],
        description="Vocabularies of known health checkers.",
        examples=[["autopilot", "npd"]],
    )
    labels: list[LabelSignalField] = Field(
        default_factory=list,
        description="Labels of one's own.",
        examples=[[{"key": "example.com/gpu-health", "bad": ["failed"]}]],
    )
    conditions: list[ConditionSignalField] = Field(
        default_factory=list,
        description="Conditions of one's own.",
        examples=[[{"type": "GpuXid", "bad": ["True"]}]],
    )
    taints: list[TaintSignalField] = Field(
        default_factory=list, description="Taints of one's own.", examples=[[{"key": "example.com/broken"}]]
    )

    def declare(self, *, declared: bool) -> HealthVocabulary:
        """Presets in order, then the cluster's own signals; of two with one key the own one counts."""
        if not declared:
            return HealthVocabulary.default()
        parts = [preset("kubernetes"), *(preset(name) for name in self.presets if name != "kubernetes")]
        labels = {signal.key: signal for part in parts for signal in part.labels}
        conditions = {signal.type: signal for part in parts for signal in part.conditions}
        taints = {signal.key: signal for part in parts for signal in part.taints}
        for label in self.labels:
            labels[label.key] = LabelSignal(label.key, tuple(label.bad), tuple(label.warn), label.monitored)
        for condition in self.conditions:
            conditions[condition.type] = ConditionSignal(condition.type, tuple(condition.bad))
        for taint in self.taints:
            taints[taint.key] = TaintSignal(taint.key, tuple(taint.effects))
        return HealthVocabulary(
            tuple(labels.values()), tuple(conditions.values()), tuple(taints.values()), "declared"
        )
