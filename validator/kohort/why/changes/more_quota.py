"""How much more guarantee, or how much higher a borrow limit, admits the job now."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import ExitStack
from typing import Final

from kohort.capacity.words import amount, by_weight, number
from kohort.objects.names import visible
from kohort.semantics.tree import FlavorResource, Limits, TreeNode
from kohort.semantics.what_if import other_limits
from kohort.why.answer import Change, Lever, Verdict
from kohort.why.arithmetic import limiting
from kohort.why.changes.situation import Lack, Situation
from kohort.why.trying import outcome

_FLAVORS: Final = 3


def more_quota(now: Situation) -> Change | None:
    """The least additional guarantee of the job's queue, on the flavor that lacks least."""
    node = now.queue.node
    if node is None:
        return None
    for lack in now.lacks()[:_FLAVORS]:
        limits = {
            pair: Limits(
                now.cell(pair).nominal + more, _limits(node, pair).borrowing, _limits(node, pair).lending
            )
            for pair, more in lack.missing.items()
        }
        verdict = _tried(now, node, limits)
        if verdict is not None:
            told = {pair: (now.cell(pair).nominal, new.nominal) for pair, new in limits.items()}
            queue, flavor = visible(now.queue.name), visible(lack.flavor)
            message = f"raise the guarantee of {queue} on flavor {flavor} to {_words(told)}, if `kohort check` says that nodes hold it"
            return Change(Lever.QUOTA, message, verdict, _parts("queue", now.queue.name, lack, told))
    return None


def higher_limit(now: Situation) -> Change | None:
    """The least higher borrow limit where one, not idle quota, stands in the way of everything that is missing."""
    for lack in now.lacks()[:_FLAVORS]:
        capping = {limiting(now.cell(pair)) for pair in lack.missing}
        node = capping.pop()
        if node is None or capping:
            continue
        told = {}
        limits = {}
        for pair, more in lack.missing.items():
            before = _limits(node, pair)
            if before.borrowing is not None:
                told[pair] = (before.borrowing, before.borrowing + more)
                limits[pair] = before._replace(borrowing=before.borrowing + more)
        verdict = _tried(now, node, limits)
        if verdict is not None:
            message = f"let {visible(node.name)} borrow {_words(told)} of flavor {visible(lack.flavor)}"
            return Change(Lever.BORROW, message, verdict, _parts("node", node.name, lack, told))
    return None


def _limits(node: TreeNode, pair: FlavorResource) -> Limits:
    return node.limits.get(pair, Limits(0, None, None))


def _tried(now: Situation, node: TreeNode, limits: Mapping[FlavorResource, Limits]) -> Verdict | None:
    with ExitStack() as stack:
        for pair, changed in limits.items():
            stack.enter_context(other_limits(now.state, node, pair, changed))
        return outcome(now.work, now.queue, now.state)


def _words(told: Mapping[FlavorResource, tuple[int, int]]) -> str:
    of = {resource: sizes for (_, resource), sizes in told.items()}
    return " and ".join(f"{amount(of[r][1], r)} (now {number(of[r][0], r)})" for r in by_weight(of))


def _parts(
    kind: str, name: str, lack: Lack, told: Mapping[FlavorResource, tuple[int, int]]
) -> dict[str, object]:
    resources = {resource: {"from": low, "to": high} for (_, resource), (low, high) in told.items()}
    return {kind: name, "flavor": lack.flavor, "resources": resources}
