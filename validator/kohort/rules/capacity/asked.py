"""Where a workload's request was typed, and how its size is said."""

from __future__ import annotations

from collections.abc import Mapping

from kohort.capacity.asks import Ask
from kohort.capacity.words import amount, by_weight
from kohort.objects.podset import value_at
from kohort.objects.quantity_format import is_bytes
from kohort.spans import Path


def place(ask: Ask, resource: str) -> Path:
    """The path of the first container's request of a resource, else of the pod template."""
    for field in ("requests", "limits"):
        inner: Path = ("spec", "containers", 0, "resources", field, resource)
        if value_at(ask.podset.template, inner) is not None:
            return (*ask.podset.path, *inner)
    return ask.podset.path


def size(request: Mapping[str, int]) -> str:
    """`8 GPUs / 96 cpu / 1Ti memory`."""
    return " / ".join(amount(request[resource], resource) for resource in by_weight(request))


def exact(units: int, resource: str) -> str:
    """Number and unit, bytes spelled out: `1863Gi memory (2000381018112 bytes)`."""
    text = amount(units, resource)
    return f"{text} ({units} bytes)" if is_bytes(resource) else text


def podset(ask: Ask) -> str:
    """`Job team-a/train` or `PyTorchJob team-a/train, pod set worker`."""
    return ask.obj.ref if ask.podset.name == "main" else f"{ask.obj.ref}, pod set {ask.podset.name}"
