"""Where each changed object is seen in the plan: what its rule promises, held against what came out of the change."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from kohort.planner.disruption.rule import ACCESS, AMOUNTS, BEHAVIOUR, NOTHING
from kohort.planner.plan import AccessChange, Effect, ObjectChange

_SAME_AMOUNTS: Final = "no effect: every amount comes out as before"
_SAME_RIGHTS: Final = "no effect: nobody may do more or less than before"


def shown(
    changes: Sequence[ObjectChange],
    effects: Sequence[Effect],
    access: Sequence[AccessChange],
    slack: frozenset[str],
) -> Iterator[ObjectChange]:
    """The changes of one cluster, given its effects; `slack` are its queues that no effect names.

    A limit above all that there is to reach, or a second binding of somebody who has the right already, is seen in no
    amount and no right, so nobody is sent to look for it there.
    """
    queues = {effect.key.name for effect in effects if effect.key.kind == "queue"}
    flavors = {effect.key.flavor for effect in effects}
    for one in changes:
        name = one.ref.name
        told = bool(effects)
        if one.ref.kind == "ClusterQueue" and name not in slack:
            told = name in queues
        elif one.ref.kind == "ResourceFlavor":
            told = name in flavors
        if one.shows == AMOUNTS and not told:
            yield replace(one, shows=_instead(one, _SAME_AMOUNTS))
        elif one.shows == ACCESS and not access:
            yield replace(one, shows=_instead(one, _SAME_RIGHTS))
        else:
            yield one


def _instead(one: ObjectChange, why: str) -> str:
    """What work notices of it is told with the object itself."""
    return why if one.disruption is NOTHING else BEHAVIOUR
