"""What the status of objects says: the one place that reads a Workload's and a ClusterQueue's."""

from kohort.semantics.status.reading import Odd, Oddity, Status, read_status, stand

__all__ = ["Odd", "Oddity", "Status", "read_status", "stand"]
