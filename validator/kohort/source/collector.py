"""Python's cycle collector while much is made that is kept."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def no_collection() -> Iterator[None]:
    """Run a block without the collector.

    Values, layouts, objects and the jobs of a run are trees without cycles: the collector would only walk them again and
    again as they grow. What does hold cycles, the world of a run, goes with the next collection after the block.
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()
