"""What many undergo in the same way is told once: with their number, the extremes, and where all of them are.

Nothing that asks for agreement or may disturb running work is lost by it: those are still told one by one, a line each.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from functools import cached_property
from typing import Final, TypeAlias, TypeVar

from kohort.capacity.words import unit
from kohort.dataclass import dataclass
from kohort.diagnostics import Finding, Severity
from kohort.diagnostics.count import count_of
from kohort.diagnostics.visible import visible
from kohort.planner.plan import Approval, Disruption, Measure, ObjectChange, Plan
from kohort.planner.render.view import Block, Row, new_findings, shown_fields
from kohort.semantics import UNLIMITED

FEW: Final = 6  # so many of a kind are told one by one
MANY: Final = 40  # where one by one is still more than so many, those of several clusters are told together
_Thing = TypeVar("_Thing")
_Shape: TypeAlias = tuple[str, Hashable]  # the cluster, and what else has to be alike


@dataclass(frozen=True, slots=True)
class Spread:
    """One measure over many holders: those with the least and the most change, and the range on either side."""

    what: str
    unit: str
    least: tuple[str, Row]
    most: tuple[str, Row]
    before: str
    after: str

    @property
    def change(self) -> str:
        """`+8 each`, `+1 to +4`; empty where an end is without bound."""
        low, high = self.least[1], self.most[1]
        if not low.delta or not high.delta:
            return ""
        return f"{low.delta} each" if low.delta == high.delta else f"{low.delta} to {high.delta}"

    @property
    def whose(self) -> str:
        """`least c1, most c4`: who has the extremes; empty where all are alike."""
        (one, low), (other, high) = self.least, self.most
        alike = (low.before, low.after) == (high.before, high.after) or self.change.endswith("each")
        return "" if alike else visible(f"least {one}, most {other}")

    def sentence(self) -> str:
        """`+1 to +4 GPUs: c1 8 → 9, c4 8 → 12`."""
        (one, low), (other, high) = self.least, self.most
        first = f"{visible(one)} {low.before} → {low.after}"
        if (low.before, low.after) == (high.before, high.after):
            return f"{low.before} → {low.after} {self.unit} each" + (f" ({low.delta})" if low.delta else "")
        each = " each" if self.change.endswith("each") else ""
        counted = self.unit if each != " each" else unit(low.effect.key.resource, abs(low.effect.delta))
        change = f"{self.change.removesuffix(' each')} {visible(counted)}{each}: "
        return f"{change if self.change else ''}{first}, {visible(other)} {high.before} → {high.after}"


@dataclass(frozen=True)
class Crowd:
    """Holders of one kind and flavor, of one cluster or several, whose amounts change in the same measures and directions.

    `asking` are those of them whose change somebody must agree to.
    """

    blocks: tuple[Block, ...]
    asking: tuple[Block, ...]

    @property
    def title(self) -> str:
        """`500 cohorts, h100 on pokprod`."""
        first = self.blocks[0]
        flavor = f", {first.flavor}" if first.flavor and first.kind != "flavor" else ""
        cluster = _on(block.cluster for block in self.blocks) if first.kind != "cluster" else ""
        names = dict.fromkeys(block.name for block in self.blocks)
        if len(names) == 1:  # the same one on many clusters
            return visible(f"{first.kind} {first.name}{flavor}{cluster}")
        return visible(f"{count_of(len(names), first.kind)}{flavor}{cluster}")

    @property
    def names(self) -> list[str]:
        """All names, in their order, with the cluster where there are several."""
        return [self.name_of(block) for block in self.blocks]

    def name_of(self, block: Block) -> str:
        """`blue`, `blue on pokprod` where the crowd is on several clusters."""
        several = block.kind != "cluster" and self._several
        return f"{block.name} on {block.cluster}" if several else block.name

    @cached_property
    def _several(self) -> bool:
        return len({one.cluster for one in self.blocks}) > 1

    def spreads(self) -> Iterator[Spread]:
        """Each measure with its extremes."""
        for index, row in enumerate(self.blocks[0].rows):
            every = sorted(
                ((self.name_of(block), block.rows[index]) for block in self.blocks),
                key=lambda pair: _size(pair[1]),
            )
            rows = [row for _, row in every]
            before = _range([(row.effect.before or 0, row.before) for row in rows])
            after = _range([(row.effect.after or 0, row.after) for row in rows])
            yield Spread(row.what, row.unit, every[0], every[-1], before, after)


@dataclass(frozen=True)
class ObjectCrowd:
    """Objects of one kind, of one cluster or several, that change in the same fields, with one class and reason."""

    objects: tuple[ObjectChange, ...]

    @property
    def disturbs(self) -> bool:
        """Whether running work may lose by it: then every one of them is named."""
        return disturbs(self.objects[0])

    @property
    def title(self) -> str:
        """`455 objects Cohort on pokprod`."""
        on = _on(one.cluster for one in self.objects)
        return visible(f"{count_of(len(self.objects), 'object')} of kind {self.objects[0].ref.kind}{on}")

    def name_of(self, one: ObjectChange) -> str:
        """`red/lq`, with the cluster where the crowd is on several."""
        name = f"{one.ref.namespace}/{one.ref.name}" if one.ref.namespace else one.ref.name
        return f"{name} on {one.cluster}" if self._several else name

    @cached_property
    def _several(self) -> bool:
        return len({one.cluster for one in self.objects}) > 1


def _on(clusters: Iterable[str]) -> str:
    names = list(dict.fromkeys(name for name in clusters if name))
    return f" on {names[0]}" if len(names) == 1 else f" on {count_of(len(names), 'cluster')}" if names else ""


def disturbs(one: ObjectChange) -> bool:
    """Whether running work may lose its place, end, or needs steps."""
    return one.disruption.rank >= Disruption.MAY_PREEMPT.rank


def gathered(plan: Plan, blocks: Sequence[Block], *, every: bool = False) -> list[Block | Crowd]:
    """The blocks, with more than a few of a kind as one crowd at the place of its first; all of them with `every`."""
    if every:
        return list(blocks)
    asked = _asked(plan, {(block.flavor, block.cluster) for block in blocks})
    origins = {one.origin for one in plan.approvals or () if one.origin is not None}

    def asks(block: Block) -> bool:
        return (block.kind == "team" and (block.name, block.flavor, block.cluster) in asked) or any(
            row.effect.origin is not None and row.effect.origin in origins for row in block.rows
        )

    return [
        some[0] if len(some) == 1 else Crowd(tuple(some), tuple(block for block in some if asks(block)))
        for some in _gathered(blocks, _shape)
    ]


def _asked(plan: Plan, places: set[tuple[str, str]]) -> set[tuple[str, str, str]]:
    """Team, flavor and cluster of what somebody must agree to; all places of a team where the reason is about none of them."""
    found = set()
    for one in plan.approvals or ():
        meant = {place for place in places if _within(place, one)} or places
        found |= {(team, *place) for team in one.about for place in meant}
    return found


def _within(place: tuple[str, str], one: Approval) -> bool:
    flavor, cluster = place
    return one.flavor in {"", flavor} and one.cluster in {"", cluster}


def telling(block: Block) -> tuple[Row, ...]:
    """Of somebody in a crowd who is asked: what the guarantee becomes; where that stays all that changes."""
    own = tuple(row for row in block.rows if row.effect.key.measure is Measure.GUARANTEE)
    return own or block.rows


def gathered_objects(
    objects: Sequence[ObjectChange], *, every: bool = False
) -> list[ObjectChange | ObjectCrowd]:
    """The objects, with more than a few of a kind as one crowd; all of them with `every`."""
    if every:
        return list(objects)
    return [
        some[0] if len(some) == 1 else ObjectCrowd(tuple(some)) for some in _gathered(objects, _object_shape)
    ]


def gathered_findings(found: Iterable[Finding], *, every: bool = False) -> Iterator[tuple[Finding, int]]:
    """Findings to show; with the last shown warning of a code, how many more of it there are. Errors are all shown."""
    some = [one for one in found if one.severity is not Severity.INFO]
    for group in groups(some, lambda one: (one.code, one.severity)):
        hide = not every and group[0].severity is not Severity.ERROR and len(group) > FEW
        shown = group[: FEW // 2] if hide else group
        for place, one in enumerate(shown, 1):
            yield one, len(group) - len(shown) if place == len(shown) else 0


def plan_findings(plan: Plan, *, every: bool = False) -> list[tuple[Finding, int]]:
    """Findings that the change brings, as `gathered_findings` gives them, errors first; those of the change itself all."""
    found = [
        *gathered_findings(plan.findings, every=True),
        *gathered_findings(new_findings(plan), every=every),
    ]
    return sorted(found, key=lambda pair: pair[0].severity.rank)


def _gathered(things: Sequence[_Thing], shape: Callable[[_Thing], _Shape]) -> list[list[_Thing]]:
    """By cluster and shape; where that leaves too many to read, by shape alone."""
    some = list(groups(things, shape))
    return some if len(some) <= MANY else list(groups(things, lambda thing: shape(thing)[1]))


def groups(things: Sequence[_Thing], shape: Callable[[_Thing], Hashable]) -> Iterator[list[_Thing]]:
    """More than a few of one shape together, at the place of the first; others alone, in their order."""
    shapes: dict[Hashable, list[_Thing]] = {}
    for thing in things:
        shapes.setdefault(shape(thing), []).append(thing)
    told: set[Hashable] = set()
    for thing in things:
        key = shape(thing)
        if len(shapes[key]) <= FEW:
            yield [thing]
        elif key not in told:
            told.add(key)
            yield shapes[key]


def _shape(block: Block) -> _Shape:
    return block.cluster, (block.kind, block.flavor, tuple(_direction(row) for row in block.rows))


def _direction(row: Row) -> Hashable:
    ends = (row.effect.before, row.effect.after)
    return (row.what, row.unit, row.effect.delta > 0, UNLIMITED in ends, ends[0] is None, ends[1] is None)


def _range(values: Sequence[tuple[int, str]]) -> str:
    """`8`, `8 to 16`."""
    low, high = min(values)[1], max(values)[1]
    return low if low == high else f"{low} to {high}"


def _size(row: Row) -> tuple[int, int, int]:
    effect = row.effect
    return (abs(effect.delta), effect.before or 0, effect.after or 0)


def _object_shape(one: ObjectChange) -> _Shape:
    fields = tuple((f.pattern, f.how, f.flavor, f.resource, f.direction) for f in shown_fields(one))
    return one.cluster, (one.ref.group, one.ref.kind, one.how, one.disruption, one.why, fields)
