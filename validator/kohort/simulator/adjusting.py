"""LimitRanges and RuntimeClasses change while work waits: its requests follow.

Source: Kueue 0.19.1 `workload_controller.go` (resourceUpdatesHandler) and the queue's PushOrUpdate: only work whose adjusted spec is
another one now is put anew; whether it keeps within its bounds is asked each time that it is looked at.
"""

from __future__ import annotations

from collections.abc import Callable

from kohort.objects.kube import KubeObject
from kohort.objects.pod_requests import adjusted, pod_requests
from kohort.semantics.asks import templates, work_of
from kohort.semantics.work import Phase
from kohort.simulator.world import World


def put_limit_range(world: World, obj: KubeObject) -> None:
    """Create or replace a LimitRange."""
    _set_ranges(world, obj.namespace, [*_others(world, obj.namespace, obj.name), obj])


def remove_limit_range(world: World, namespace: str, name: str) -> None:
    """Delete a LimitRange."""
    _set_ranges(world, namespace, _others(world, namespace, name))


def put_runtime_class(world: World, obj: KubeObject) -> None:
    """Create or replace a RuntimeClass."""
    _readjust(world, lambda: world.runtimes.update({obj.name: obj.data}))


def remove_runtime_class(world: World, name: str) -> None:
    """Delete a RuntimeClass."""
    _readjust(world, lambda: world.runtimes.pop(name, None))


def _others(world: World, namespace: str, name: str) -> list[KubeObject]:
    return [each for each in world.limits.get(namespace, ()) if each.name != name]


def _set_ranges(world: World, namespace: str, ranges: list[KubeObject]) -> None:
    _readjust(world, lambda: world.limits.update({namespace: ranges}))


def _readjust(world: World, change: Callable[[], object]) -> None:
    waiting = [
        (work, world.sources[key])
        for key, work in world.works.items()
        if key in world.sources and work.phase is Phase.PENDING
    ]
    before = [_adjusted(world, obj) for _, obj in waiting]
    change()
    for (work, obj), old in zip(waiting, before, strict=True):
        made = work_of(obj.data, world.state.settings, world.adjusting(obj.namespace))
        work.refused = made.refused
        if _adjusted(world, obj) != old:
            work.podsets, work.plan, work.tried = made.podsets, None, {}
            world.put(work, changed=True)


def _adjusted(world: World, obj: KubeObject) -> list[object]:
    around = world.adjusting(obj.namespace)
    return [(list(adjusted(each, around)), pod_requests(each, around).values) for each in templates(obj.data)]
