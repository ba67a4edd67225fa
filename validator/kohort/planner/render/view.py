"""A plan arranged for reading, without a format: blocks of rows, the weightiest resource in front."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from kohort.capacity.words import by_weight, is_device
from kohort.dataclass import dataclass
from kohort.diagnostics.finding import Finding
from kohort.diagnostics.places import Places, locate
from kohort.diagnostics.visible import visible
from kohort.planner.plan import Effect, FieldChange, HolderKind, Measure, ObjectChange, Plan
from kohort.planner.render import words
from kohort.spans import Origin

_LONGEST = 120
_BEHIND = (Measure.GUARANTEE, Measure.SLACK)
_PEOPLE_FIRST = {"team": 0, "queue": 1, "cohort": 2, "flavor": 3, "cluster": 4}


@dataclass(frozen=True, slots=True)
class Row:
    """One amount: what, before, after, the difference, its unit and where it was typed."""

    what: str
    before: str
    after: str
    delta: str
    unit: str
    place: str
    effect: Effect


@dataclass(frozen=True, slots=True)
class Block:
    """What changes for one holder on one cluster and flavor. `behind` are the resources that come with it."""

    kind: HolderKind
    name: str
    flavor: str
    cluster: str
    rows: tuple[Row, ...]
    behind: tuple[Row, ...]

    def behind_it(self) -> str:
        """`cpu 216 → 432, slack cpu 40 → 0`."""
        return ", ".join(
            f"{'slack ' if row.effect.key.measure is Measure.SLACK else ''}{row.unit} {row.before} → {row.after}"
            for row in self.behind
        )

    @property
    def title(self) -> str:
        """`team blue, h100 on pokprod`."""
        flavor = f", {self.flavor}" if self.flavor and self.kind != "flavor" else ""
        cluster = f" on {self.cluster}" if self.cluster and self.kind != "cluster" else ""
        name = self.name or "(these manifests)"
        return visible(f"{self.kind} {name}{flavor}{cluster}")


@dataclass(frozen=True, slots=True)
class Sides:
    """Where origins resolve: before the change and after it."""

    base: Places
    head: Places

    def of(self, origin: Origin | None, *, gone: bool = False) -> str:
        """`teams/blue/team.yaml:18:38`; empty without an origin. A file that only the base has is read there."""
        if origin is None:
            return ""
        span = locate(self.base if gone else self.head, origin)
        if span is None and not gone:
            span = locate(self.base, origin)
        file = visible(origin.file)
        return f"{file}:{span.line}:{span.column}" if span is not None else file


def blocks(plan: Plan, sides: Sides) -> list[Block]:
    """Everything that changes, people first: teams, queues, cohorts, flavors, clusters.

    A queue that is its team's only one with effects says nothing that the team does not.
    """
    several: dict[tuple[str, str], set[str]] = {}
    for effect in plan.effects:
        if effect.key.kind == "queue" and effect.team:
            several.setdefault((effect.key.cluster, effect.team), set()).add(effect.key.name)
    groups: dict[tuple[str, HolderKind, str, str], list[Effect]] = {}
    for effect in plan.effects:
        key = effect.key
        if key.kind == "queue" and effect.team and len(several[key.cluster, effect.team]) == 1:
            continue
        groups.setdefault((key.cluster, key.kind, key.name, key.flavor), []).append(effect)
    ordered = sorted(groups, key=lambda g: (_PEOPLE_FIRST[g[1]], g[2], g[3], g[0]))
    return [_block(*group, groups[group], sides) for group in ordered]


def _block(
    cluster: str, kind: HolderKind, name: str, flavor: str, effects: list[Effect], sides: Sides
) -> Block:
    resources = by_weight({effect.key.resource for effect in effects})
    main = {r for r in resources if is_device(r)} or set(resources[:1])
    many = len(main) > 1
    rows = [_row(effect, sides, named=many) for effect in effects if effect.key.resource in main]
    behind = [
        _row(effect, sides, named=True)
        for effect in effects
        if effect.key.resource not in main and effect.key.measure in _BEHIND
    ]
    return Block(kind, name, flavor, cluster, tuple(rows), tuple(behind))


def _row(effect: Effect, sides: Sides, *, named: bool) -> Row:
    resource = effect.key.resource
    what = words.MEASURES[effect.key.measure]
    return Row(
        f"{what} ({visible(resource)})" if named and words.unit(effect) != resource else what,
        words.side(effect.before, resource),
        words.side(effect.after, resource),
        words.delta(effect),
        visible(words.unit(effect)),
        sides.of(effect.origin, gone=effect.gone) if effect.key.measure is Measure.GUARANTEE else "",
        effect,
    )


def shown_objects(plan: Plan) -> tuple[list[ObjectChange], int]:
    """The objects worth reading, the most disturbing first, and how many differ only in notes."""
    seen = [one for one in plan.objects if not one.only_notes]
    ordered = sorted(seen, key=lambda one: (-one.disruption.rank, one.cluster))
    return ordered, len(plan.objects) - len(seen)


def shown_fields(one: ObjectChange) -> Iterator[FieldChange]:
    """The fields of an object that are worth a line."""
    return (field for field in one.fields if not field.is_note)


def short_path(field: FieldChange) -> str:
    """The path for people: of quota `h100 nvidia.com/gpu: nominalQuota`, else without the names of resource groups."""
    last = field.path.rpartition(".")[2]
    if field.flavor and field.resource:
        text = f"{field.flavor} {field.resource}"
        return visible(text if last.startswith("resources[") or "]" in last else f"{text}: {last}")
    if field.flavor and field.pattern.endswith("flavors[*]"):
        return visible(f"flavor {field.flavor}")
    if field.pattern.endswith("resourceGroups[*].flavors"):
        return "order of flavors"
    return visible(field.path.removeprefix("spec."))


def value(value: Any) -> str:
    """A value in one line, cut where it gets long."""
    if isinstance(value, str):
        text = value
    elif isinstance(value, bool):
        text = "true" if value else "false"
    elif value is None:
        text = "–"
    elif isinstance(value, dict):
        text = "{" + ", ".join(f"{key}: {_inner(item)}" for key, item in value.items()) + "}"
    elif isinstance(value, list):
        text = "[" + ", ".join(_inner(item) for item in value) + "]"
    else:
        text = str(value)
    text = visible(text)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


def _inner(item: Any) -> str:
    if isinstance(item, dict):
        return "{…}" if "name" not in item else str(item["name"])
    return "[…]" if isinstance(item, list) else str(item)


def new_findings(plan: Plan) -> list[Finding]:
    """What `kohort check` finds only after the change, without what is told as unreadable."""
    unread = {id(one) for one in plan.head_errors}
    return [one for one in plan.new if id(one) not in unread]


def listed(names: Iterable[str], most: int = 6) -> str:
    """`a, b and 4 more`, each made visible."""
    every = [visible(name) for name in names]
    if len(every) <= most:
        return ", ".join(every)
    return f"{', '.join(every[:most])} and {len(every) - most} more"
