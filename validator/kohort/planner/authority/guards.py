"""Guard rails: what one change may not do without a waiver (codes AUT1xx)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kohort.capacity.words import is_device, listed
from kohort.diagnostics import Finding
from kohort.diagnostics.count import count_of
from kohort.model.repo import Subjects
from kohort.planner.authority.change import Change, people
from kohort.planner.plan import Effect, Measure, Member
from kohort.rules.authority_codes import FEWER_ADMINS, PINNED, TOO_MUCH
from kohort.spans import Origin


def guards(change: Change) -> Iterator[Finding]:
    """The findings of a change, by the limits of the branch; both sides were read whole."""
    yield from _pinned(change)
    yield from _fewest(change)
    yield from _removals(change)


def _admins(change: Change) -> tuple[Subjects, Origin]:
    """The admins that the change leaves, nobody where it takes the whole declaration away; and where they stand."""
    head, base = change.head.organisation, change.base.organisation
    if head is not None:
        return head.admins, head.at("spec", "access", "admins")
    return Subjects(), base.at("spec", "access", "admins") if base is not None else Origin("kohort.yaml")


def _pinned(change: Change) -> Iterator[Finding]:
    """Whom the change found among the admins, and leaves out; who was none is not removed by it."""
    rules = change.authority
    admins, place = _admins(change)
    before = _before(change)
    for kind, pinned, had, kept in (
        ("Group", rules.pinned_groups, before.groups, admins.groups),
        ("User", rules.pinned_users, before.users, admins.users),
    ):
        for name in pinned:
            if name in had and name not in kept:
                yield PINNED.finding(
                    f"{kind} {name} is pinned as an admin of the organisation, and the change removes it",
                    place,
                    subject=f"{kind} {name}",
                    help=("keep it, or unpin it first in a change of its own",),
                )


def _before(change: Change) -> Subjects:
    """The admins that the change found."""
    return change.base.organisation.admins if change.base.organisation is not None else Subjects()


def _later(change: Change) -> Subjects:
    """Admins who were appointed after the change had parted from its branch: it does not remove them."""
    now, before = change.admins(), _before(change)
    return Subjects(
        groups=tuple(name for name in now.groups if name not in before.groups),
        users=tuple(name for name in now.users if name not in before.users),
    )


def _fewest(change: Change) -> Iterator[Finding]:
    admins, place = _admins(change)
    count = len(people(admins)) + len(people(_later(change)))
    least = change.authority.minimum_admins
    if count < least and change.organisation is not None and count < len(people(change.organisation.admins)):
        yield FEWER_ADMINS.finding(
            f"the organisation would have {count_of(count, 'admin')} (groups and users), fewer than {least}",
            place,
            subject="Organisation",
            help=("add another admin in the same change",),
        )


def _removals(change: Change) -> Iterator[Finding]:
    most = change.authority.removal
    plan = change.plan
    left = [m for m in plan.members if not m.joined]
    queues = [o for o in plan.objects if o.how == "removed" and o.ref.kind == "ClusterQueue"]
    lost = [e for e in change.amounts(Measure.GUARANTEE) if e.delta < 0 and is_device(e.key.resource)]
    gone = -sum(e.delta for e in lost)
    names = [f"{m.subject} ({m.team or m.cluster or 'organisation'})" for m in left]
    yield from _above(len(left), most.members, "people and groups leave their circles", names, _place(left))
    named = [f"{o.ref.name} on {o.cluster}" if o.cluster else o.ref.name for o in queues]
    yield from _above(len(queues), most.queues, "ClusterQueues go", named, None)
    teams = [f"{e.key.name} {-e.delta} {e.key.flavor}" for e in lost]
    yield from _above(gone, most.guarantee, "GPUs of guarantees go", teams, _place(lost))


def _place(changes: Sequence[Effect | Member]) -> Origin | None:
    return next((each.origin for each in changes if each.origin is not None), None)


def _above(
    count: int, most: int | None, what: str, names: list[str], origin: Origin | None
) -> Iterator[Finding]:
    if most is None or count <= most:
        return
    yield TOO_MUCH.finding(
        f"{count} {what} in one change, more than {most}: {listed(names)}",
        origin or Origin("kohort.yaml"),
        subject="the change",
        help=(
            "split the change",
            "or add an Exception with reason and expiry, which an admin of the base agrees to",
        ),
    )
