"""What a job asks for: from plain numbers, or from the pods of an object that a template gives."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

from kohort.capacity.words import is_device
from kohort.model.scenario import JobSource, Restarts
from kohort.objects.durations import MILLISECOND, DurationError, parse_duration
from kohort.objects.kueue import ClusterQueue
from kohort.objects.pod_bounds import refusal
from kohort.objects.podsets import podsets
from kohort.rules.appwrapper.knobs import PREFIX
from kohort.semantics.amount import kueue_request
from kohort.semantics.asks import asks_of
from kohort.semantics.settings import Settings
from kohort.semantics.work import PodSetAsk, TopologyAsk
from kohort.simulator.job import Shape


def accelerator_of(queue: ClusterQueue) -> str:
    """The first device that a queue has quota of, in its order of flavors; empty where it has none."""
    pairs = (
        (quota.resource, quota.nominal) for g in queue.groups for f in g.flavors for quota in f.resources
    )
    devices = [(resource, amount) for resource, amount in pairs if is_device(resource)]
    return next((r for r, amount in devices if amount.sign > 0), devices[0][0] if devices else "")


def plain_shape(declared: JobSource, accelerator: str, *, gang: bool) -> Callable[[int, int], Shape]:
    """Pods that are all alike, by number of pods and of GPUs per pod; equal sizes share one shape."""
    fixed = {name: kueue_request(amount, name) for name, amount in declared.requests.items()}
    near = declared.topology
    topology = (
        None
        if near is None
        else TopologyAsk(near.required, near.preferred, near.unconstrained, near.slice_level, near.slice_size)
    )

    @cache
    def shape(pods: int, gpus: int) -> Shape:
        asks = {**fixed, **({accelerator: gpus} if gpus and accelerator else {})}
        return Shape.of((PodSetAsk("main", pods, asks, topology=topology),), gang=gang and pods > 1)

    return shape


def shape_of_object(
    obj: Mapping[str, Any], settings: Settings, limit_ranges: Sequence[Any], *, gang: bool
) -> Shape:
    """The pod sets of an object as Kueue counts them, its exclusions and transformations included."""
    found = podsets(obj).found
    asks = asks_of(found, settings, limit_ranges)
    return Shape.of(
        asks,
        gang=gang and sum(each.count for each in asks) > 1,
        refused=refusal([each.template for each in found], limit_ranges),
    )


def restarts_of_object(obj: Mapping[str, Any], default: Restarts) -> Restarts | None:
    """What an AppWrapper's annotations say over the operator's defaults; None for any other kind."""
    if obj.get("kind") != "AppWrapper":
        return None
    metadata = obj.get("metadata")
    notes = metadata.get("annotations") if isinstance(metadata, Mapping) else None
    notes = notes if isinstance(notes, Mapping) else {}

    def length(name: str, otherwise: int) -> int:
        try:
            return parse_duration(notes[f"{PREFIX}{name}"]) // MILLISECOND
        except (KeyError, DurationError):
            return otherwise

    limit = str(notes.get(f"{PREFIX}retryLimit", ""))
    return Restarts(
        limit=int(limit) if limit.isascii() and limit.isdigit() else default.limit,
        warmup=length("warmupGracePeriodDuration", default.warmup),
        failure_grace=length("failureGracePeriodDuration", default.failure_grace),
        pause=length("retryPausePeriodDuration", default.pause),
        forceful_deletion=length("forcefulDeletionGracePeriodDuration", default.forceful_deletion),
    )
