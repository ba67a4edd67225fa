"""Feature gates in the configuration file: which exist, which are locked, which need another one.

Source: Kueue `pkg/features/kube_features.go` (table written by `ci/gate_tables.py`) and, for dependencies,
`LoadAndValidateFeatureGates` of 0.19.1; before 0.19 the file's gates are read after the dependencies were looked at.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Any, Final

from kohort.diagnostics.suggest import did_you_mean
from kohort.objects.configuration.fault import Fault
from kohort.objects.versions import version_key

_TAS: Final = "TopologyAwareScheduling"
_REPLACEMENT: Final = "TASFailedNodeReplacement"
_DRA: Final = "KueueDRAIntegration"
# gate → the gates it needs
_NEEDS: Final[Mapping[str, tuple[str, ...]]] = {
    "TASProfileMixed": (_TAS,),
    "TASHandleOverlappingFlavors": (_TAS,),
    _REPLACEMENT: (_TAS,),
    "TASFailedNodeReplacementFailFast": (_TAS, _REPLACEMENT),
    "TASReplaceNodeOnPodTermination": (_TAS, _REPLACEMENT),
    "TASReplaceNodeDueToNotReadyOverFixedTime": (_TAS, _REPLACEMENT),
    "TASBalancedPlacement": (_TAS,),
    "TASReplaceNodeOnNodeTaints": (_TAS,),
    "TASMultiLayerTopology": (_TAS,),
    "TASRespectNodeAffinityPreferred": (_TAS,),
    "TASRecomputeAssignmentWithinSchedulingCycle": (_TAS,),
    "UnadmittedWorkloadsExplicitStatus": ("UnadmittedWorkloadsObservability",),
    "ElasticJobsViaWorkloadSlicesWithTAS": ("ElasticJobsViaWorkloadSlices", _TAS),
    "KueueDRAIntegrationExtendedResource": (_DRA,),
    "KueueDRAIntegrationPartitionableDevices": (_DRA,),
    "KueueDRAIntegrationConsumableCapacity": (_DRA,),
}
_DEPENDENCIES_SINCE: Final = (0, 19)
_STAGES: Final = {"AllAlpha": "a", "AllBeta": "b"}
# The patch of each line that the table was made from; later patches got gates of newer lines.
_READ: Final = {
    "0.15": (0, 15, 2),
    "0.16": (0, 16, 1),
    "0.17": (0, 17, 1),
    "0.18": (0, 18, 0),
    "0.19": (0, 19, 1),
}


@cache
def _table() -> Any:
    return json.loads((files("kohort.objects.configuration") / "gates.json").read_text(encoding="utf-8"))


def _line(kueue: str) -> str:
    minor = ".".join(map(str, version_key(kueue)[:2]))
    return minor if minor in _table()["kueue"] else "0.19"


def enabled(gate: str, chosen: Mapping[str, Any], kueue: str) -> bool:
    """Whether a gate is on, with what the configuration file says about gates."""
    known = _table()["kueue"][_line(kueue)].get(gate)
    if known is None:
        return False
    if isinstance(chosen.get(gate), bool):
        return bool(chosen[gate])
    for every, stage in _STAGES.items():
        if isinstance(chosen.get(every), bool) and known[1] == stage:
            return bool(chosen[every])
    return bool(known[0] == "+")


def check_gates(chosen: Any, kueue: str) -> Iterator[Fault]:
    """What the manager has against `featureGates`."""
    if not isinstance(chosen, Mapping):
        chosen = {}
    known, server = _table()["kueue"][_line(kueue)], _table()["server"]
    newer = version_key(kueue) > _READ[_line(kueue)]
    wrong = False
    for gate, on in chosen.items():
        words = known.get(gate) or server.get(gate)
        if words is None and gate not in _STAGES:
            if newer and gate in _table()["kueue"]["0.19"]:
                continue  # may have been given to this patch later
            wrong = True
            yield Fault(
                ("featureGates", gate), "gate", f"unrecognized feature gate: {gate}", _advice(gate, known)
            )
        elif words is not None and words.endswith("!") and bool(on) is not (words[0] == "+"):
            wrong = True
            message = f"cannot set feature gate {gate} to {str(bool(on)).lower()}, feature is locked"
            yield Fault(("featureGates", gate), "gate", message, ("leave the key out",))
    if wrong or version_key(kueue)[:2] < _DEPENDENCIES_SINCE:
        return
    for gate, needed in _NEEDS.items():
        if not enabled(gate, chosen, kueue):
            continue
        for other in needed:
            if not enabled(other, chosen, kueue):
                place = gate if gate in chosen else other
                yield Fault(
                    ("featureGates", place) if place in chosen else ("featureGates",),
                    "gate",
                    f"{gate} requires {other} to be enabled",
                    (f"turn {gate} off too",) if gate not in chosen else (f"turn {other} on",),
                )


def _advice(gate: str, known: Mapping[str, str]) -> tuple[str, ...]:
    for line, gates in _table()["kueue"].items():
        if gate in gates:
            return (f"Kueue {line} has this gate, the cluster's version does not",)
    close = did_you_mean(gate, known)
    return (f"did you mean {' or '.join(close)}?",) if close else ()
