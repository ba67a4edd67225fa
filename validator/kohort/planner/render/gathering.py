"""What many undergo in the same way is told once: with their number, the extremes, and where all of them are.

Nothing that asks for agreement or may disturb running work is lost by it: those are still told one by one, a line each.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from typing import Final, TypeVar

from kohort.dataclass import dataclass
from kohort.diagnostics import Finding, Severity
from kohort.diagnostics.count import count_of
from kohort.diagnostics.visible import visible
from kohort.planner.plan import Disruption, ObjectChange, Plan
from kohort.planner.render.view import Block, Row, shown_fields
from kohort.semantics import UNLIMITED

FEW: Final = 6  # so many of a kind are told one by one
_Thing = TypeVar("_Thing")


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
        change = f"{self.change.removesuffix(' each')} {self.unit}{' each' if self.change.endswith('each') else ''}: "
        return f"{change if self.change else ''}{first}, {visible(other)} {high.before} → {high.after}"


@dataclass(frozen=True, slots=True)
class Crowd:
    """Holders of one kind on one cluster and flavor whose amounts change in the same measures and directions.

    `asking` are those of them whose change somebody must agree to.
    """

    blocks: tuple[Block, ...]
    asking: tuple[Block, ...]

    @property
    def title(self) -> str:
        """`500 cohorts, h100 on pokprod`."""
        first = self.blocks[0]
        flavor = f", {first.flavor}" if first.flavor and first.kind != "flavor" else ""
        cluster = f" on {first.cluster}" if first.cluster and first.kind != "cluster" else ""
        return visible(f"{count_of(len(self.blocks), first.kind)}{flavor}{cluster}")

    @property
    def names(self) -> list[str]:
        """All names, in their order."""
        return [block.name for block in self.blocks]

    def spreads(self) -> Iterator[Spread]:
        """Each measure with its extremes."""
        for index, row in enumerate(self.blocks[0].rows):
            every = sorted(
                ((block.name, block.rows[index]) for block in self.blocks), key=lambda pair: _size(pair[1])
            )
            rows = [row for _, row in every]
            before = _range([(row.effect.before or 0, row.before) for row in rows])
            after = _range([(row.effect.after or 0, row.after) for row in rows])
            yield Spread(row.what, row.unit, every[0], every[-1], before, after)


@dataclass(frozen=True, slots=True)
class ObjectCrowd:
    """Objects of one kind that change in the same fields, with the same class and for the same reason."""

    objects: tuple[ObjectChange, ...]

    @property
    def disturbs(self) -> bool:
        """Whether running work may lose by it: then every one of them is named."""
        return disturbs(self.objects[0])

    @property
    def title(self) -> str:
        """`455 objects Cohort on pokprod`."""
        first = self.objects[0]
        on = f" on {first.cluster}" if first.cluster else ""
        return visible(f"{count_of(len(self.objects), 'object')} of kind {first.ref.kind}{on}")


def disturbs(one: ObjectChange) -> bool:
    """Whether running work may lose its place, end, or needs steps."""
    return one.disruption.rank >= Disruption.MAY_PREEMPT.rank


def gathered(plan: Plan, blocks: Sequence[Block], *, every: bool = False) -> list[Block | Crowd]:
    """The blocks, with more than a few of a kind as one crowd at the place of its first; all of them with `every`."""
    if every:
        return list(blocks)
    asked = frozenset(name for one in plan.approvals or () for name in one.about)
    origins = {one.origin for one in plan.approvals or () if one.origin is not None}

    def asks(block: Block) -> bool:
        return (block.kind == "team" and block.name in asked) or any(
            row.effect.origin is not None and row.effect.origin in origins for row in block.rows
        )

    return [
        some[0] if len(some) == 1 else Crowd(tuple(some), tuple(block for block in some if asks(block)))
        for some in _groups(blocks, _shape)
    ]


def gathered_objects(
    objects: Sequence[ObjectChange], *, every: bool = False
) -> list[ObjectChange | ObjectCrowd]:
    """The objects, with more than a few of a kind as one crowd; all of them with `every`."""
    if every:
        return list(objects)
    return [
        some[0] if len(some) == 1 else ObjectCrowd(tuple(some)) for some in _groups(objects, _object_shape)
    ]


def gathered_findings(found: Iterable[Finding], *, every: bool = False) -> Iterator[tuple[Finding, int]]:
    """Findings to show; with the last shown warning of a code, how many more of it there are. Errors are all shown."""
    some = [one for one in found if one.severity is not Severity.INFO]
    for group in _groups(some, lambda one: (one.code, one.severity)):
        hide = not every and group[0].severity is not Severity.ERROR and len(group) > FEW
        shown = group[: FEW // 2] if hide else group
        for place, one in enumerate(shown, 1):
            yield one, len(group) - len(shown) if place == len(shown) else 0


def _groups(things: Sequence[_Thing], shape: Callable[[_Thing], Hashable]) -> Iterator[list[_Thing]]:
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


def _shape(block: Block) -> Hashable:
    return (block.kind, block.flavor, block.cluster, tuple(_direction(row) for row in block.rows))


def _direction(row: Row) -> Hashable:
    ends = (row.effect.before, row.effect.after)
    return (row.what, row.unit, row.effect.delta > 0, UNLIMITED in ends, ends[0] is None, ends[1] is None)


def _range(values: Sequence[tuple[int, str]]) -> str:
    """`8`, `8 to 16`."""
    low, high = min(values)[1], max(values)[1]
    return low if low == high else f"{low} to {high}"


def _size(row: Row) -> tuple[int, int, int]:
    effect = row.effect
    return (effect.delta, effect.before or 0, effect.after or 0)


def _object_shape(one: ObjectChange) -> Hashable:
    fields = tuple((f.pattern, f.how, f.flavor, f.resource, f.direction) for f in shown_fields(one))
    return (one.cluster, one.ref.group, one.ref.kind, one.how, one.disruption, one.why, fields)
