"""All needs of a change, brought to the people of the base."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from kohort.dataclass import dataclass
from kohort.planner.authority.change import Change, people
from kohort.planner.authority.need import Granted, Need
from kohort.planner.authority.rules.comes_closer import comes_closer
from kohort.planner.authority.rules.grant_lasts import grant_lasts
from kohort.planner.authority.rules.guarantee_grows import guarantee_grows
from kohort.planner.authority.rules.lent_to_others import lent_to_others
from kohort.planner.authority.rules.new_ground import new_ground
from kohort.planner.authority.rules.new_privilege import new_privilege
from kohort.planner.authority.rules.overcommit import overcommit
from kohort.planner.authority.rules.owned_files import owned_files
from kohort.planner.authority.rules.pod_security import pod_security
from kohort.planner.authority.rules.protection import protection
from kohort.planner.authority.rules.share_falls import share_falls
from kohort.planner.authority.rules.slack_falls import slack_falls
from kohort.planner.authority.rules.team_loses import team_loses
from kohort.planner.authority.rules.typed_amounts import typed_amounts
from kohort.planner.authority.rules.waivers import waivers
from kohort.planner.plan import Approval

Rule = Callable[[Change], Iterator[Need | Granted] | Iterator[Need]]

RULES: Final[tuple[Rule, ...]] = (
    guarantee_grows,
    grant_lasts,
    typed_amounts,
    team_loses,
    comes_closer,
    lent_to_others,
    share_falls,
    protection,
    slack_falls,
    overcommit,
    new_ground,
    new_privilege,
    pod_security,
    owned_files,
    waivers,
)


@dataclass(frozen=True, slots=True)
class Decision:
    """Who must agree, each with the reason; and why nobody need agree to the rest.

    Self-service is a plan in which nobody else need agree: `open` is empty.
    """

    approvals: tuple[Approval, ...]
    granted: tuple[str, ...]

    @property
    def open(self) -> tuple[Approval, ...]:
        """What the actor does not already give."""
        return tuple(each for each in self.approvals if not each.given)


def decide(change: Change) -> Decision:
    """Ask every rule. Equal needs are one; the order is admins, then teams by name, then that of the rules."""
    approvals: dict[tuple[str, str], Approval] = {}
    granted: list[str] = []
    for rule in RULES:
        for said in rule(change):
            if isinstance(said, Granted):
                granted.append(said.why)
                continue
            approval = _approval(change, said)
            approvals.setdefault((approval.who, approval.why), approval)
    found = sorted(approvals.values(), key=lambda each: (each.who != "admins", each.who))
    return Decision(tuple(found), tuple(dict.fromkeys(granted)))


def _approval(change: Change, need: Need) -> Approval:
    """A team without admins is spoken for by the organisation's."""
    admins = change.admins(need.cluster)
    subjects = change.team_admins(need.team) if need.team else admins
    why, who = need.why, f"team {need.team}" if need.team else "admins"
    if need.team and not subjects:
        who, why, subjects = "admins", f"team {need.team}, which names no admins: {need.why}", admins
    elif need.team and need.or_admins:
        who, subjects = f"{who} or admins", subjects | admins
    given = change.actor.among(subjects)
    about = dict.fromkeys((*((change.now(need.team),) if need.team else ()), *need.about))
    return Approval(
        who,
        why,
        need.rule,
        people(subjects),
        need.origin,
        given,
        tuple(about),
        flavor=need.flavor,
        cluster=need.cluster,
    )
