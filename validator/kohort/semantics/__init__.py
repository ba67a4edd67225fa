"""Kueue's arithmetic: amounts, the quota tree and its usage. Pure: no input, no output, no clock."""

from kohort.semantics.amount import MOST_NEGATIVE, UNLIMITED, kueue_amount, kueue_request
from kohort.semantics.tree import FlavorResource, Limits, QuotaTree, TreeNode
from kohort.semantics.usage import Usage

__all__ = [
    "MOST_NEGATIVE",
    "UNLIMITED",
    "FlavorResource",
    "Limits",
    "QuotaTree",
    "TreeNode",
    "Usage",
    "kueue_amount",
    "kueue_request",
]
