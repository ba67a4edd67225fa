"""A change planned in memory, and the plan as short lines that a person can check."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from plan_world import FILES

from kohort.capacity.words import is_device, number
from kohort.engine.outcome import Settings
from kohort.engine.planning import plan_repositories
from kohort.planner.plan import Plan
from kohort.source.tree import MemoryTree


def planned(after: dict, before: dict | None = None, snapshot=None):
    """The plan between two repositories given as files. Who must agree is another part's and has its own tests."""
    done = plan_repositories(
        MemoryTree(FILES if before is None else before), MemoryTree(after), Settings(), snapshot=snapshot
    )
    return replace(done, plan=replace(done.plan, approvals=None))


@cache
def of_scenario(name: str):
    """The plan of a scenario, made once."""
    from plan_world import changed

    from scenarios import SCENARIOS

    scenario = next(one for one in SCENARIOS if one.name == name)
    return planned(changed(scenario.edits), changed(scenario.before))


@cache
def base_findings() -> tuple:
    return planned(FILES, {}).plan.new


def amounts(plan: Plan, *, devices: bool = True) -> set[str]:
    """`team blue h100 guarantee 8 → 12`: effects of GPUs and other devices (or of what else there is)."""
    return {
        line(effect)
        for effect in plan.effects
        if is_device(effect.key.resource) is devices and effect.key.kind != "queue"
    }


def queue_amounts(plan: Plan) -> set[str]:
    return {line(e) for e in plan.effects if is_device(e.key.resource) and e.key.kind == "queue"}


def line(effect) -> str:
    key = effect.key
    where = " ".join(
        part for part in (key.kind, key.name, key.flavor if key.kind != "flavor" else "") if part
    )
    resource = "" if key.resource == "nvidia.com/gpu" else f" {key.resource}"
    before, after = (
        "none" if units is None else number(units, key.resource) for units in (effect.before, effect.after)
    )
    return f"{where}{resource} {key.measure.value} {before} → {after}"


def classes(plan: Plan) -> dict[str, str]:
    return {str(one.ref): one.disruption.value for one in plan.objects}
