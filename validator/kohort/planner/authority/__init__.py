"""Who must agree to a change: worked out from its effects, by the rules and people of the base."""

from kohort.planner.authority.change import Actor, Change
from kohort.planner.authority.decide import decide

__all__ = ["Actor", "Change", "decide"]
