"""Which flavors a workload gets, or why none: `assign` and what belongs to it."""

from kohort.semantics.flavors.assign import assign
from kohort.semantics.flavors.oracle import Nobody, Oracle

__all__ = ["Nobody", "Oracle", "assign"]
