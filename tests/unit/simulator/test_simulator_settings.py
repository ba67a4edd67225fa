"""What a manager's Configuration means for decisions, by API version and version of Kueue."""

from __future__ import annotations

from fractions import Fraction

import pytest

from kohort.semantics.settings import FINAL_SHARE, INITIAL_SHARE, AdmissionSharing, PodsReady, Transformation
from kohort.simulator.settings import read_settings

OLD, NEW = "config.kueue.x-k8s.io/v1beta1", "config.kueue.x-k8s.io/v1beta2"


def test_defaults_of_a_version():
    now = read_settings(None, "0.19.1")
    assert (now.kueue, now.fair_sharing, now.admission_sharing, now.ignore_undeclared) == (
        "0.19.1",
        False,
        None,
        False,
    )
    assert now.pods_ready == PodsReady(1_800_000, 1_800_000)
    assert read_settings(None, "0.18.0").pods_ready is None
    assert (now.batch, now.resolution) == (1_000, 1_000)


@pytest.mark.parametrize(
    ("version", "sharing", "expected"),
    [
        (NEW, {}, (FINAL_SHARE, INITIAL_SHARE)),
        (NEW, {"preemptionStrategies": [INITIAL_SHARE]}, (INITIAL_SHARE,)),
        (OLD, {"enable": True}, (FINAL_SHARE, INITIAL_SHARE)),
        (OLD, {"enable": False}, ()),
        (OLD, {"preemptionStrategies": [FINAL_SHARE]}, ()),
        (NEW, None, ()),
        (NEW, "yes", ()),
    ],
)
def test_fair_sharing_is_on_by_its_presence_or_in_v1beta1_by_its_field(version, sharing, expected):
    assert read_settings({"apiVersion": version, "fairSharing": sharing}, "0.19.1").strategies == expected


def test_admission_fair_sharing():
    found = read_settings(
        {"admissionFairSharing": {"usageHalfLifeTime": "168h", "resourceWeights": {"cpu": 2, "memory": 0.5}}},
        "0.19.1",
    ).admission_sharing
    assert found == AdmissionSharing(168 * 3_600_000, 300_000, {"cpu": Fraction(2), "memory": Fraction(1, 2)})
    every = read_settings(
        {"admissionFairSharing": {"usageSamplingInterval": "1m"}}, "0.19.1"
    ).admission_sharing
    assert every == AdmissionSharing(0, 60_000, {})


@pytest.mark.parametrize(
    ("version", "kueue", "wait", "expected"),
    [
        (NEW, "0.18.0", {}, PodsReady(1_800_000, 1_800_000)),
        (NEW, "0.19.1", {"timeout": "5m"}, PodsReady(300_000, 300_000)),
        (NEW, "0.19.1", {"timeout": "5m", "recoveryTimeout": "3m"}, PodsReady(300_000, 180_000)),
        (OLD, "0.19.1", {"enable": False}, None),
        (OLD, "0.19.1", {"enable": True}, PodsReady(300_000, 0, block_admission=True)),
        (
            NEW,
            "0.19.1",
            {
                "blockAdmission": True,
                "requeuingStrategy": {
                    "timestamp": "Creation",
                    "backoffLimitCount": 3,
                    "backoffBaseSeconds": 10,
                    "backoffMaxSeconds": 100,
                },
            },
            PodsReady(1_800_000, 1_800_000, True, False, 3, 10_000, 100_000),
        ),
    ],
)
def test_waiting_for_pods(version, kueue, wait, expected):
    assert read_settings({"apiVersion": version, "waitForPodsReady": wait}, kueue).pods_ready == expected


def test_resources():
    found = read_settings(
        {
            "resources": {
                "excludeResourcePrefixes": ["example.com/"],
                "quotaCheckStrategy": "IgnoreUndeclared",
                "transformations": [
                    {
                        "input": "mig",
                        "strategy": "Replace",
                        "outputs": {"gpu-memory": "5Gi", "credits": "500m"},
                    },
                    {"input": "cpu", "multiplyBy": "hours"},
                    {"outputs": {"lost": 1}},
                ],
            }
        },
        "0.19.1",
    )
    assert (found.excluded_prefixes, found.ignore_undeclared) == (("example.com/",), True)
    assert found.transformations == (
        Transformation("mig", {"gpu-memory": Fraction(5 * 2**30), "credits": Fraction(1, 2)}, replace=True),
        Transformation("cpu", {}, multiply_by="hours"),
    )


def test_gates_of_the_version_and_of_the_configuration():
    found = read_settings({"featureGates": {"PartialAdmission": False, "Unknown": True}}, "0.19.1")
    assert not found.on("PartialAdmission")
    assert found.on("SchedulingEquivalenceHashing")
    assert not read_settings(None, "0.17.1").on("SchedulingEquivalenceHashing")
    assert "Unknown" not in found.gates
