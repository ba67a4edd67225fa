"""The plan: what a change of the repository means in GPUs, people, objects and disturbance. Pure: two sides in."""

from kohort.planner.plan import Plan
from kohort.planner.side import Side

__all__ = ["Plan", "Side"]
