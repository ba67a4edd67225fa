"""Pending work of one ClusterQueue: its order, who is looked at next, and who waits for something to change."""

from kohort.semantics.queues.outcome import Outcome, returns_at_once
from kohort.semantics.queues.pending import Pending
from kohort.semantics.queues.shape import Shape, shape_of

__all__ = ["Outcome", "Pending", "Shape", "returns_at_once", "shape_of"]
