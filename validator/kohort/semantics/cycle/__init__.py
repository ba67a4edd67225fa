"""One scheduling cycle: the heads of the queues, what each is given, and who has to wait for whom."""

from kohort.semantics.cycle.entry import Entry, Status
from kohort.semantics.cycle.fruitless import Fruitless, fruitless, stands_aside
from kohort.semantics.cycle.run import run

__all__ = ["Entry", "Fruitless", "Status", "fruitless", "run", "stands_aside"]
