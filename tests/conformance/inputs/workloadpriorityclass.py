"""Inputs for WorkloadPriorityClass."""

from __future__ import annotations

from typing import Any

from edit import GROUP, NOT_A_NUMBER, NOT_TEXT, common, drop, each, put

KIND = "WorkloadPriorityClass"
GOOD: dict[str, Any] = {
    "apiVersion": f"{GROUP}/v1beta2",
    "kind": KIND,
    "metadata": {"name": "high"},
    "value": 1000,
    "description": "Before others",
}


def cases() -> list[tuple[str, Any]]:
    return [
        *common("wp", GOOD),
        ("wp-no-value", drop(GOOD, "value")),
        *each("wp-value", GOOD, "value", {**NOT_A_NUMBER, "zero": 0, "minus-one": -1, "int32-max": 2**31 - 1, "int32-max-plus-1": 2**31, "int32-min": -(2**31), "int32-min-minus-1": -(2**31) - 1, "whole-float": 7.0}),
        ("wp-no-description", drop(GOOD, "description")),
        *each("wp-description-not", GOOD, "description", NOT_TEXT),
        *each("wp-description", GOOD, "description", {"empty": "", "2048": "d" * 2048, "2049": "d" * 2049}),
        ("wp-spec", put(GOOD, "spec", {"value": 5})),
        ("wp-global-default", put(GOOD, "globalDefault", True)),
    ]  # fmt: skip


def updates() -> list[tuple[str, Any, Any]]:
    return [
        ("wp-update-value", GOOD, put(GOOD, "value", 5)),
        ("wp-update-description", GOOD, put(GOOD, "description", "other")),
    ]
