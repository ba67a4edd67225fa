"""The health vocabulary of a cluster: presets and signals of its own."""

from __future__ import annotations

import pytest
from model_support import CLUSTER, found, repo_of

from kohort.model.presets import PRESETS, preset
from kohort.objects.health import HealthVocabulary


def cluster_with(text: str) -> str:
    return CLUSTER.replace("  rackLabel:", f"  health: {text}\n  rackLabel:")


def declared(text: str) -> HealthVocabulary:
    repo = repo_of(cluster_with(text))
    assert repo.findings == ()
    return repo.clusters["lab"].health


def test_without_a_word_it_is_autopilots():
    assert repo_of(CLUSTER).clusters["lab"].health == HealthVocabulary.default()


def test_the_default_is_what_its_presets_say():
    assert declared("{}").labels == HealthVocabulary.default().labels
    assert declared("{}").taints == HealthVocabulary.default().taints
    assert declared("{}").origin == "declared"


def test_own_signals_come_after_the_presets_and_override_them():
    got = declared(
        "{presets: [autopilot, eks], labels: [{key: autopilot.ibm.com/gpuhealth, bad: [EVICT]}, {key: x/y, bad: [gone], monitored: false}],"
        " conditions: [{type: GpuXid}, {type: KernelReady, bad: ['False', Unknown]}], taints: [{key: x/broken, effects: [NoExecute]}]}"
    )
    assert [(s.key, s.bad, s.monitored) for s in got.labels] == [
        ("autopilot.ibm.com/gpuhealth", ("EVICT",), True),
        ("x/y", ("gone",), False),
    ]
    bad = {s.type: s.bad for s in got.conditions}
    assert bad["GpuXid"] == ("True",)
    assert bad["KernelReady"] == ("False", "Unknown")
    assert bad["StorageReady"] == ("False",)  # a signal of health, so its absence is ill
    assert [s.key for s in got.taints] == [
        "node.kubernetes.io/unreachable",
        "node.kubernetes.io/not-ready",
        "x/broken",
    ]


def test_a_misspelt_preset():
    ((code, place, message),) = found(cluster_with("{presets: [autopilott]}"))
    assert (code, place) == ("SRC104", "clusters/lab/cluster.yaml:6:22")
    assert message == "Cluster lab: spec.health.presets[0] cannot be `autopilott`; did you mean `autopilot`?"


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_has_signals(name):
    signals = preset(name)
    assert signals.labels or signals.conditions or signals.taints
    assert all(each.bad for each in signals.labels)
    assert all(each.bad for each in signals.conditions)


def test_autopilots_warning_is_no_loss():
    (signal,) = preset("autopilot").labels
    assert set(signal.bad) == {"TESTING", "EVICT", "ERR"}
    assert signal.warn == ("WARN",)
