"""One rule per file; `kohort.planner.disruption.table` finds them here."""
