"""What makes a node unhealthy: a vocabulary of labels, taints and conditions, as data of the cluster."""

from __future__ import annotations

from typing import Literal

from kohort.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class LabelSignal:
    """A node label that reports health.

    A value in `bad` takes the node out; `monitored` tells whether a node without the label is worth a remark.
    """

    key: str
    bad: tuple[str, ...]
    warn: tuple[str, ...] = ()
    monitored: bool = True


@dataclass(frozen=True, slots=True)
class ConditionSignal:
    """A node condition; `bad` is the status that takes the node out: True for most, False where True is health."""

    type: str
    bad: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TaintSignal:
    """A taint key that reports ill health whatever the flavor tolerates."""

    key: str
    effects: tuple[str, ...] = ("NoSchedule", "NoExecute")


@dataclass(frozen=True, slots=True)
class HealthVocabulary:
    """The signals of one cluster. Cordon and Ready are always read."""

    labels: tuple[LabelSignal, ...] = ()
    conditions: tuple[ConditionSignal, ...] = ()
    taints: tuple[TaintSignal, ...] = ()
    origin: Literal["default", "declared"] = "default"

    @classmethod
    def default(cls) -> HealthVocabulary:
        """Autopilot's label vocabulary, and the taints that Kubernetes itself sets on lost nodes.

        TESTING, EVICT and v1's ERR take a node out; WARN and PASS do not.
        """
        return cls(
            labels=(
                LabelSignal("autopilot.ibm.com/gpuhealth", bad=("TESTING", "EVICT", "ERR"), warn=("WARN",)),
            ),
            taints=(
                TaintSignal("node.kubernetes.io/unreachable"),
                TaintSignal("node.kubernetes.io/not-ready"),
            ),
        )
