"""What a change does to work on the cluster: a table of rules, one file each, and how a change is looked up in it."""

from kohort.planner.disruption.judge import judge_object

__all__ = ["judge_object"]
