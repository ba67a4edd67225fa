"""What a rule asks for, before it is known whose agreement that is."""

from __future__ import annotations

from kohort.dataclass import dataclass
from kohort.spans import Origin


@dataclass(frozen=True, slots=True)
class Need:
    """A reason why somebody must agree: `team` names whose admins, empty the organisation's (and the cluster's).

    `or_admins`: instead of the team an admin of the base may agree, who answers for the whole tree. `about` are teams, by
    their names after the change, whose amounts it is about besides those of who must agree; of `flavor` where it is about one.
    """

    why: str
    rule: str
    team: str = ""
    cluster: str = ""
    origin: Origin | None = None
    or_admins: bool = False
    about: tuple[str, ...] = ()
    flavor: str = ""


@dataclass(frozen=True, slots=True)
class Granted:
    """A reason why nobody need agree to a part of the change."""

    why: str
