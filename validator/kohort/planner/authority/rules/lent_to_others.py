"""Those who lend agree when others come to use it, or may use more of it: whoever moved, in whichever file.

A queue or cohort that moves, a new queue, a limit that rises or goes: what counts is how much of an idle guarantee a team
may use that could use less of it before. Slack, pools and queues without a team are the admins'.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from kohort.capacity.words import amount, listed, number
from kohort.planner.authority.change import Change
from kohort.planner.authority.need import Need
from kohort.planner.authority.reach import MOST_PAIRS, Chain, Standing, reach
from kohort.planner.authority.rules.team_loses import own_lending
from kohort.semantics import FlavorResource, TreeNode
from kohort.spans import Origin


class _Case(NamedTuple):
    """Who lends, and what of it could be used before and after: all takers of one case are one need."""

    team: str  # name in the base; empty: the admins'
    what: str
    flavor: str
    resource: str
    before: int
    after: int


class _Taker(NamedTuple):
    """Who comes to use it: a team, or a queue without one."""

    kind: str
    name: str


def lent_to_others(change: Change) -> Iterator[Need]:
    """One need per lender, flavor and pair of numbers, which names all who come to use it."""
    asked = own_lending(change)
    for name, base, head in change.standings():
        yield from _on(change, name, base, head, asked)


def _on(
    change: Change, cluster: str, base: Standing, head: Standing, asked: frozenset[tuple[str, str, str]]
) -> Iterator[Need]:
    for pair in change.counted(cluster, head):
        cases: dict[_Case, dict[_Taker, Origin]] = defaultdict(dict)
        old, new = base.takers(pair), head.takers(pair)
        moved = {name for name, steps in new.items() if old.get(name) != steps}
        lenders = [(node, lent, _before(base, node, pair)) for node, lent in head.lenders(pair)]
        moving = sum(was is not None and was != head.chain(node, pair) for node, _, was in lenders)
        if len(lenders) * len(moved) + moving * len(new) > MOST_PAIRS:
            yield Need(
                f"{len(moved)} queues change their place or limits at once ({pair[0]} on {cluster})",
                "lent-to-others",
                cluster=cluster,
                flavor=pair[0],
            )
            continue
        known = _by_owner(base, old)
        for node, lent, was in lenders:
            whose = _Lender(change, head, node)
            if was is None or whose.new or (cluster, whose.name, pair[0]) in asked:
                continue
            now = head.chain(node, pair)
            for taker in new if was != now else moved:
                owner = head.owners.get(taker, "")
                if whose.name and owner == whose.name:
                    continue
                after = reach(lent, now, new[taker])
                same = known.get(change.before(owner), ()) if owner else (old.get(taker, ()),)
                before = max((reach(lent, was, steps) for steps in same), default=0)
                if after > before:
                    queue = head.cluster.queues[taker]
                    who = _Taker("team", owner) if owner else _Taker("ClusterQueue", taker)
                    case = _Case(whose.in_base, whose.what, *pair, before, after)
                    cases[case].setdefault(who, queue.obj.at("spec", queue.cohort_field))
        for case, takers in cases.items():
            yield _need(cluster, case, takers)


class _Lender:
    """Whose it is that is lent."""

    def __init__(self, change: Change, side: Standing, node: TreeNode) -> None:
        slack = node.is_queue and node.name in side.cluster.slack_queues
        self.name = side.owners.get(node.name, "") if node.is_queue else ""
        self.in_base = change.before(self.name) if self.name else ""
        self.new = bool(self.name) and self.in_base not in change.base.teams
        if self.name:
            self.what = "its guarantee"
        elif node.is_queue:
            self.what = f"{'slack queue' if slack else 'ClusterQueue'} {node.name}"
        else:
            self.what = f"the pool of cohort {node.name}"


def _before(base: Standing, node: TreeNode, pair: FlavorResource) -> Chain | None:
    """Where the lender stood in the base; None where it did not."""
    old = (base.tree.queues if node.is_queue else base.tree.cohorts).get(node.name)
    return base.chain(old, pair) if old is not None else None


def _by_owner(base: Standing, old: Mapping[str, Chain]) -> dict[str, list[Chain]]:
    """Every team of the base with the places of its queues."""
    found: dict[str, list[Chain]] = defaultdict(list)
    for name, steps in old.items():
        found[base.owners.get(name, "")].append(steps)
    return found


def _need(cluster: str, case: _Case, takers: Mapping[_Taker, Origin]) -> Need:
    before = number(case.before, case.resource) if case.before else "none"
    why = (
        f"{listed([' '.join(taker) for taker in takers])} could use up to {amount(case.after, case.resource)} of {case.what} while idle, "
        f"so far {before} ({case.flavor} on {cluster})"
    )
    origin = next(iter(takers.values()))
    about = tuple(taker.name for taker in takers if taker.kind == "team")
    return Need(
        why,
        "lent-to-others",
        team=case.team,
        cluster=cluster,
        origin=origin,
        or_admins=True,
        about=about,
        flavor=case.flavor,
    )
