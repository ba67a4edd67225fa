"""How the manager is configured, as far as its decisions depend on it (`config.kueue.x-k8s.io` Configuration).

`simulator` reads it from an object or takes the defaults of the version. Durations are in milliseconds.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final

from kohort.semantics.gates import gates

FINAL_SHARE: Final = "LessThanOrEqualToFinalShare"
INITIAL_SHARE: Final = "LessThanInitialShare"


@dataclass(frozen=True, slots=True)
class PodsReady:
    """`waitForPodsReady`: time-outs in milliseconds (0: none)."""

    timeout: int = 300_000
    recovery: int = 0
    block_admission: bool = False
    by_eviction: bool = True  # requeuingStrategy.timestamp Eviction, else Creation
    backoff_limit: int | None = None
    backoff_base: int = 60_000
    backoff_max: int = 3_600_000


@dataclass(frozen=True, slots=True)
class AdmissionSharing:
    """`admissionFairSharing`: fair order among LocalQueues of one ClusterQueue."""

    half_life: int = 0
    sampling: int = 300_000
    weights: Mapping[str, Fraction] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Transformation:
    """One entry of `resources.transformations`."""

    source: str
    outputs: Mapping[str, Fraction]
    replace: bool = False  # strategy Replace drops the source; Retain keeps it
    multiply_by: str = ""


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything of the manager's configuration that a decision reads.

    `strategies` is empty without fair sharing. `on(name)` asks for a gate or behaviour (`gates.py`).
    """

    kueue: str = "0.19.1"
    strategies: tuple[str, ...] = ()
    admission_sharing: AdmissionSharing | None = None
    pods_ready: PodsReady | None = None
    ignore_undeclared: bool = False  # resources.quotaCheckStrategy IgnoreUndeclared
    excluded_prefixes: tuple[str, ...] = ()
    transformations: tuple[Transformation, ...] = ()
    gates: Mapping[str, bool] = field(default_factory=lambda: gates("0.19.1"))
    batch: int = 1_000  # unparked work is looked at again after this pause
    cycle: int = 0  # time that one cycle takes; the real one is bound by its API server
    write: int = 0  # time that writing one admission or eviction takes
    resolution: int = 1_000  # API timestamps are whole seconds

    @property
    def fair_sharing(self) -> bool:
        """Whether fair sharing is on."""
        return bool(self.strategies)

    def on(self, name: str) -> bool:
        """Whether a gate or behaviour is on."""
        return self.gates[name]
