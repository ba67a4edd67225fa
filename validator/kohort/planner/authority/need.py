"""What a rule asks for, before it is known whose agreement that is."""

from __future__ import annotations

from dataclasses import dataclass

from kohort.spans import Origin


@dataclass(frozen=True, slots=True)
class Need:
    """A reason why somebody must agree: `team` names whose admins, empty the organisation's (and the cluster's)."""

    why: str
    rule: str
    team: str = ""
    cluster: str = ""
    origin: Origin | None = None


@dataclass(frozen=True, slots=True)
class Granted:
    """A reason why nobody need agree to a part of the change."""

    why: str
