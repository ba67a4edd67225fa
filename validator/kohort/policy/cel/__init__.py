"""Expressions in CEL: what they may cost, the functions they know, and the process that evaluates them."""

from kohort.policy.cel.answer import Answer, Failure
from kohort.policy.cel.cost import MAX_COST, estimate
from kohort.policy.cel.evaluator import Evaluator

__all__ = ["MAX_COST", "Answer", "Evaluator", "Failure", "estimate"]
