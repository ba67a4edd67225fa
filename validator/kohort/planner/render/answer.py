"""A plan in a few lines, before all else: who gains, who loses, what capacity changes, what runs, who must agree."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from kohort.capacity.words import number, unit
from kohort.diagnostics.count import count_of
from kohort.planner.plan import Effect, Measure, Plan
from kohort.planner.render import words
from kohort.planner.render.view import Block, listed
from kohort.semantics import UNLIMITED

AGREE: Final = "must agree"
HOLDERS: Final = ("gains", "loses")
FEW: Final = 3  # holders that are told one by one
_BESIDE: Final = (Measure.BORROW, Measure.SHARE)  # what a change means for those whose guarantee stays
_ORDER: Final = (Measure.GUARANTEE, Measure.POOL, *_BESIDE)
_CAPACITY: Final = (Measure.HARDWARE, Measure.HEALTHY, Measure.SLACK)


class Line(NamedTuple):
    """One line: of what it speaks, and what is to be said of it. Plain text of strangers: not yet made visible."""

    word: str
    text: str


def answer(plan: Plan, blocks: Sequence[Block]) -> list[Line]:
    """The lines in order of weight; none where nothing changes that they speak of. `blocks` are those of the plan."""
    return [
        *_holders([own for block in blocks if (own := _own(block))]),
        *(Line("capacity", text) for text in _capacity(blocks)),
        *(Line("access", text) for text in _privileged(plan)),
        *(Line("work", text) for text in _work(plan)),
        *(Line("played", text) for text in _played(plan)),
        *(Line(AGREE, text) for text in _agreement(plan)),
    ]


def answer_above(plan: Plan, blocks: Sequence[Block]) -> list[Line]:
    """The lines where the reasons of those who must agree stand right below: these name them."""
    named = plan.approvals is not None
    return [line for line in answer(plan, blocks) if not (named and line.word == AGREE)]


def _own(block: Block) -> list[Effect]:
    """What a team has by it, or a queue of no team: its guarantee, else what else it can get. Of a cohort its own pool."""
    effects = [row.effect for row in block.rows]
    if block.kind == "cohort":
        return [each for each in effects if each.key.measure is Measure.POOL]
    if block.kind not in {"team", "queue"} or (block.kind == "queue" and any(each.team for each in effects)):
        return []
    own = [each for each in effects if each.key.measure is Measure.GUARANTEE]
    return own or [each for each in effects if each.key.measure in _BESIDE]


def _holders(found: Sequence[Sequence[Effect]]) -> Iterator[Line]:
    """Guarantees first, a line for each of a few holders and one for many, and those who gain before those who lose."""
    ways: dict[tuple[int, str, bool, str], list[Effect]] = {}
    for effects in found:
        for each in effects:
            key = each.key
            ways.setdefault((_ORDER.index(key.measure), key.kind, each.delta < 0, key.resource), []).append(
                each
            )
    for way in sorted(ways):
        place, _, loses, _ = way
        measure = _ORDER[place]
        some = sorted(ways[way], key=lambda each: (-abs(each.delta), each.key.name, each.key.cluster))
        names = list(dict.fromkeys(each.key.name for each in some))
        word = HOLDERS[loses]
        if len(names) <= FEW:
            for name in names:
                mine = ", ".join(_change(each) for each in some if each.key.name == name)
                yield Line(word, f"{some[0].key.kind} {name}: {words.MEASURES[measure]} {mine}")
        else:
            yield Line(word, _many(names, some, words.MEASURES[measure]))


def _change(effect: Effect) -> str:
    """`+8 GPUs (h100 on pokprod)`."""
    where = _where([effect])
    return f"{_by(effect)}{f' ({where})' if where else ''}"


def _by(effect: Effect) -> str:
    """`+8 GPUs`, `8 → unlimited GPUs`."""
    resource = effect.key.resource
    if UNLIMITED in (effect.before, effect.after):
        return (
            f"{words.side(effect.before, resource)} → {words.side(effect.after, resource)} {unit(resource)}"
        )
    return f"{words.delta(effect)} {unit(resource, abs(effect.delta))}"


def _many(names: Sequence[str], some: Sequence[Effect], measure: str) -> str:
    """`12 teams: guarantee +1 to +8 GPUs, +40 in all (h100 on pokprod), most blue`: `some` have the most change first."""
    first, last, resource = some[0], some[-1], some[0].key.resource
    kind = first.key.kind
    bounded = not any(UNLIMITED in (each.before, each.after) for each in some)
    if not bounded:
        change = f"{measure} {'up to' if first.delta > 0 else 'down from'} unlimited"
    elif first.delta == last.delta:
        change = f"{measure} {_by(first)} each"
    else:
        change = f"{measure} {words.delta(last)} to {words.delta(first)} {unit(resource)}"
    total = sum(each.delta for each in some)
    sign = "+" if total > 0 else "-"
    all_ = (
        f", {sign}{number(abs(total), resource)} in all"
        if bounded and first.key.measure in _ORDER[:2]
        else ""
    )
    most = "" if first.delta == last.delta else f", most {names[0]}"
    where = _where(some)
    return f"{count_of(len(names), kind)}: {change}{all_}{f' ({where})' if where else ''}{most}"


def _where(some: Sequence[Effect]) -> str:
    """`h100 on pokprod`, `h100, a100 on 19 clusters`."""
    flavors = list(dict.fromkeys(each.key.flavor for each in some if each.key.flavor))
    clusters = list(dict.fromkeys(each.key.cluster for each in some if each.key.cluster))
    on = ", ".join(clusters) if len(clusters) <= FEW else count_of(len(clusters), "cluster")
    return f"{listed(flavors, FEW)}{f' on {on}' if on else ''}"


def _capacity(blocks: Sequence[Block]) -> Iterator[str]:
    """Hardware, what of it is healthy, and slack, of flavors as wholes; the first few."""
    found = [
        row.effect
        for block in blocks
        if block.kind == "flavor"
        for row in block.rows
        if row.effect.key.measure in _CAPACITY
    ]
    for each in found[:FEW]:
        resource = each.key.resource
        ends = f"{words.side(each.before, resource)} → {words.side(each.after, resource)} {unit(resource)}"
        on = f" on {each.key.cluster}" if each.key.cluster else ""
        yield f"{words.MEASURES[each.key.measure]} {ends} ({each.key.flavor}{on})"
    if len(found) > FEW:
        yield f"{len(found) - FEW} more amounts of flavors change"


def _privileged(plan: Plan) -> Iterator[str]:
    for gained, may in ((True, "may newly administer"), (False, "may no longer administer")):
        who = dict.fromkeys(
            one.subject for one in plan.access if one.ability == "administer" and one.gained is gained
        )
        if who:
            yield f"{listed(who, FEW)} {may}"


def _work(plan: Plan) -> Iterator[str]:
    """What a snapshot says; nothing without one."""
    if not plan.snapshot or plan.empty:
        return
    if not plan.work:
        yield "none of what runs or waits is concerned"
        return
    running = [f"{one.namespace}/{one.name}" for one in plan.work if one.running]
    pending = len(plan.work) - len(running)
    named = f" ({listed(running, FEW)})" if running else ""
    yield f"{len(running)} running{named} and {pending} pending are concerned"


def _played(plan: Plan) -> Iterator[str]:
    """Who is hurt by a played load, or why it was not played."""
    if not plan.played:
        return
    from kohort.planner.render.played import told

    for one in plan.played:
        lines = told(one)
        hurt = [line for line in lines if line.startswith("hurt: team ")] or lines[:1]
        yield from (f"{one.scenario}: {line}" for line in hurt[:FEW])
        if len(hurt) > FEW:
            yield f"{one.scenario}: {count_of(len(hurt) - FEW, 'more team')} hurt"


def _agreement(plan: Plan) -> Iterator[str]:
    if plan.approvals is None:
        if (plan.base_errors or plan.head_errors) and not plan.empty:
            yield "not judged while a side cannot be read whole"
        return
    if plan.empty:
        return
    asked = list(dict.fromkeys(one.who for one in plan.approvals if not one.given))
    if not asked:
        yield "nobody else: the author may" if plan.approvals else "nobody: this is self-service"
        return
    teams = [who for who in asked if who != "admins"]
    if len(teams) <= FEW:
        yield ", ".join(asked)
        return
    yield f"{'admins and ' if len(teams) < len(asked) else ''}{count_of(len(teams), 'team')}"
