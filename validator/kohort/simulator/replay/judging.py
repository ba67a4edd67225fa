"""Compare what a machine showed after each step with what was recorded."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from kohort.simulator.events import AnyOf, Event, Happened
from kohort.simulator.replay.named import Names
from kohort.simulator.replay.playing import Played
from kohort.simulator.replay.trace import PRIMARY, RESTLESS, SECONDARY, Plain, Step
from kohort.simulator.replay.values import alike


@dataclass(frozen=True, slots=True)
class Difference:
    """One entry on which the two disagree.

    Attributes:
        field: of `after`.
        key: workload or queue.
        recorded: what the server showed; None: nothing.
        ours: what the machine shows; None: nothing.
    """

    field: str
    key: str
    recorded: Any
    ours: Any


@dataclass(frozen=True, slots=True)
class Judged:
    """One step, judged.

    Attributes:
        counts: it changed something beyond its own submission, or the machine disagrees about it.
        primary: differences in primary fields; none where it agrees.
        secondary: differences in secondary fields.
        said: secondary fields that had something to say in this step.
        open: causes of outcomes that the machine declared as any of several and that were needed to agree.
    """

    counts: bool
    primary: Sequence[Difference]
    secondary: Sequence[Difference]
    said: frozenset[str]
    open: Sequence[str]


def judge(step: Step, after: Plain, before: Plain, played: Played, names: Names, also: Plain) -> Judged:
    """Judge one step.

    Args:
        step: what was done.
        after: complete recorded outcome; a field that is absent was not recorded and is not compared.
        before: the recorded outcome of the step before.
        played: what the machine showed.
        names: short names of workloads.
        also: further values that agree, field -> key -> list.
    """
    ours = names.shortened(played.view)
    ours["evictions"] = _evictions(played.events, names)
    choices = {(each.field, names.short(each.key)): each for each in played.view.any_of}
    used: list[str] = []
    found: dict[bool, list[Difference]] = {True: [], False: []}
    restless = step.nondeterministic.startswith(RESTLESS)
    if restless:
        ours["evictions"] = sorted(set(ours["evictions"]))
    for field in (*PRIMARY, *SECONDARY):
        if (field not in after or restless) and field != "evictions":
            continue
        for difference in _differences(
            field, after.get(field), ours.get(field), also.get(field) or {}, names
        ):
            choice = choices.get((field, difference.key)) or choices.get((field, ""))
            if choice is not None and _allows(choice, difference):
                used.append(choice.cause)
            else:
                found[field in PRIMARY].append(difference)
    said = (
        frozenset()
        if restless
        else frozenset(f for f in SECONDARY if f in after and after.get(f) != before.get(f))
    )
    counts = bool(found[True]) or _changed(step, after, before)
    wrong = {each.field for each in found[False]}
    return Judged(counts, found[True], found[False], frozenset({*said, *wrong}), used)


def _changed(step: Step, after: Plain, before: Plain) -> bool:
    """Say whether anything happened beyond what the step itself says."""
    if after.get("evictions"):
        return True
    own = step.workload
    for field in PRIMARY:
        old, new = before.get(field) or {}, after.get(field) or {}
        if field == "evictions" or old == new:
            continue
        changed = {key for key in old.keys() | new.keys() if old.get(key) != new.get(key)}
        trivial = field == "states" and new.get(own) == ("pending" if step.do == "submit" else None)
        if step.do in ("submit", "delete") and trivial:
            changed.discard(own)
        if changed - (
            {own} if step.do == "delete" and old.get(own) is not None and new.get(own) is None else set()
        ):
            return True
    return False


def _differences(
    field: str, recorded: Any, ours: Any, also: Mapping[str, Sequence[Any]], names: Names
) -> Iterable[Difference]:
    if field == "evictions":
        yield from _other_evictions(recorded or (), ours, names)
        return
    theirs = {names.short(key): value for key, value in (recorded or {}).items()}
    allowed = {names.short(key): value for key, value in also.items()}
    mine = ours or {}
    for key in sorted(theirs.keys() | mine.keys()):
        one, other = theirs.get(key), mine.get(key)
        if alike(field, one, other) or any(alike(field, each, other) for each in allowed.get(key) or ()):
            continue
        yield Difference(field, key, one, other)


def _evictions(events: Sequence[Event], names: Names) -> list[tuple[str, str, str]]:
    return [
        (names.short(each.workload), each.reason, names.short(each.preemptor))
        for each in events
        if each.kind is Happened.EVICTED
    ]


def _other_evictions(
    recorded: Iterable[Any], ours: list[tuple[str, str, str]], names: Names
) -> Iterable[Difference]:
    left = Counter(ours)
    missing = []
    for each in recorded:
        victim = names.short(str(each.get("victim") or each.get("workload") or ""))
        reason, by = str(each.get("reason") or ""), names.short(str(each.get("preemptor") or ""))
        match = next((e for e in left if e[0] == victim and e[1] == reason and (not by or e[2] == by)), None)
        if match is None:
            missing.append((victim, reason, by))
            continue
        left[match] -= 1
        if not left[match]:
            del left[match]
    for victim, reason, by in missing:
        other = next((e for e in left if e[0] == victim), None)
        if other is not None:
            left[other] -= 1
            if not left[other]:
                del left[other]
        yield Difference("evictions", victim, _said(reason, by), _said(*other[1:]) if other else None)
    for victim, reason, by in left.elements():
        yield Difference("evictions", victim, None, _said(reason, by))


def _said(reason: str, preemptor: str) -> str:
    return f"{reason} for {preemptor}" if preemptor else reason


def _allows(choice: AnyOf, difference: Difference) -> bool:
    return any(alike(difference.field, difference.recorded, each) for each in choice.values)
