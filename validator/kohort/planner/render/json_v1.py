"""Everything a plan holds, for programs. The schema is published as `ci/schemas/plan-v1.schema.json`.

Names, order of fields and closed lists stay as they are in version 1; a later version is another format. Amounts are
canonical quantities as texts, as Kubernetes writes them, and integers in Kueue's units beside them.
"""

from __future__ import annotations

from typing import Any

from kohort.capacity.words import number
from kohort.diagnostics import Finding
from kohort.diagnostics.identity import fingerprints
from kohort.diagnostics.json_text import as_json
from kohort.diagnostics.places import Places, is_line, locate
from kohort.diagnostics.render.json_v1 import finding_json
from kohort.planner.plan import Effect, FieldChange, ObjectChange, Plan, Ref
from kohort.planner.render.sentences import verdict
from kohort.planner.render.view import Sides
from kohort.spans import Origin, show_path

SCHEMA = "https://kohort.dev/schemas/plan-v1.schema.json"


def render(plan: Plan, sides: Sides, *, version: str) -> str:
    """One JSON object, indented, its last line ended."""
    return as_json(document(plan, sides, version=version))


def document(plan: Plan, sides: Sides, *, version: str) -> dict[str, Any]:
    """The plan as plain data."""
    return {
        "$schema": SCHEMA,
        "kind": "Plan",
        "version": 1,
        "tool": {"name": "kohort", "version": version},
        "base": plan.base,
        "head": plan.head,
        "changes": not plan.empty,
        "verdict": verdict(plan),
        "disruption": plan.disruption.value,
        "snapshot": plan.snapshot,
        "unchangedClusters": plan.alike,
        "effects": [_effect(one, sides) for one in plan.effects],
        "members": [
            {
                "team": one.team,
                "cluster": one.cluster,
                "circle": one.circle,
                "subject": one.subject,
                "joined": one.joined,
                "place": _place(one.origin, sides.head if one.joined else sides.base),
            }
            for one in plan.members
        ],
        "access": [
            {
                "cluster": one.cluster,
                "subject": one.subject,
                "ability": one.ability,
                "gained": one.gained,
                "namespaces": list(one.where),
                "queues": list(one.queues),
            }
            for one in plan.access
        ],
        "renames": [
            {
                "kind": one.kind,
                "before": one.before,
                "after": one.after,
                "place": _place(one.origin, sides.head),
            }
            for one in plan.renames
        ],
        "objects": [_object(one, sides) for one in plan.objects],
        "work": [
            {
                "cluster": one.cluster,
                "namespace": one.namespace,
                "name": one.name,
                "queue": one.queue,
                "running": one.running,
                "disruption": one.disruption.value,
                "why": one.why,
            }
            for one in plan.work
        ],
        "overQuota": [
            {
                "cluster": one.cluster,
                "queue": one.queue,
                "flavor": one.flavor,
                "resource": one.resource,
                "used": number(one.used, one.resource),
                "before": number(one.before, one.resource),
                "after": number(one.after, one.resource),
                "limit": number(one.limit, one.resource),
                "workloads": list(one.workloads),
            }
            for one in plan.over_quota
        ],
        "runbooks": [
            {
                "cluster": one.cluster,
                "title": one.title,
                "why": one.why,
                "steps": [
                    {"text": step.text, "commands": list(step.commands), "wait": step.wait}
                    for step in one.steps
                ],
            }
            for one in plan.runbooks
        ],
        "findings": _findings(plan.findings, sides.head),
        "newFindings": _findings(plan.new, sides.head),
        "fixedFindings": _findings(plan.fixed, sides.base),
        "baseErrors": _findings(plan.base_errors, sides.base),
        "headErrors": _findings(plan.head_errors, sides.head),
        "approvals": None
        if plan.approvals is None
        else [
            {
                "who": one.who,
                "why": one.why,
                "rule": one.rule,
                "people": list(one.people),
                "given": one.given,
            }
            for one in plan.approvals
        ],
        "selfService": list(plan.self_service),
        **_played(plan),
    }


def _played(plan: Plan) -> dict[str, Any]:
    """The played loads; a plan without any does not read the simulator's modules."""
    if not plan.played:
        return {}
    from kohort.planner.render.played_json import played_json

    return {"simulations": [played_json(one) for one in plan.played]}


def _effect(one: Effect, sides: Sides) -> dict[str, Any]:
    key = one.key

    def side(units: int | None) -> dict[str, Any] | None:
        return None if units is None else {"amount": number(units, key.resource), "units": units}

    return {
        "cluster": key.cluster,
        "holder": {"kind": key.kind, "name": key.name, "team": one.team},
        "measure": key.measure.value,
        "flavor": key.flavor,
        "resource": key.resource,
        "before": side(one.before),
        "after": side(one.after),
        "delta": one.delta,
        "place": _place(one.origin, sides.base if one.gone else sides.head),
    }


def _ref(ref: Ref) -> dict[str, str]:
    return {"group": ref.group, "kind": ref.kind, "namespace": ref.namespace, "name": ref.name}


def _object(one: ObjectChange, sides: Sides) -> dict[str, Any]:
    side = one.after or one.before
    places = sides.base if one.after is None else sides.head
    return {
        "cluster": one.cluster,
        "object": _ref(one.ref),
        "change": one.how,
        "disruption": one.disruption.value,
        "why": one.why,
        "rule": one.rule,
        "shows": one.shows,
        "place": _place(side.at() if side is not None else None, places),
        "fields": [_field(field, sides) for field in one.fields],
    }


def _field(field: FieldChange, sides: Sides) -> dict[str, Any]:
    return {
        "path": field.path,
        "change": field.how,
        "direction": field.direction,
        "flavor": field.flavor,
        "resource": field.resource,
        "before": field.before,
        "after": field.after,
        "arithmetic": field.arithmetic,
        "disruption": field.disruption.value,
        "why": field.why,
        "rule": field.rule,
        "place": _place(field.origin, sides.head),
        "basePlace": _place(field.base_origin, sides.base),
    }


def _findings(found: tuple[Finding, ...], places: Places) -> list[dict[str, Any]]:
    return [finding_json(one, places, mark) for one, mark in zip(found, fingerprints(found), strict=True)]


def _place(origin: Origin | None, places: Places) -> dict[str, Any] | None:
    if origin is None or not origin.file:
        return None
    span = locate(places, origin)
    path = () if is_line(origin) else origin.path
    return {
        "file": origin.file,
        "document": origin.document,
        "field": show_path(path),
        "line": span.line if span is not None else None,
        "column": span.column if span is not None else None,
    }
