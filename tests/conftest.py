"""What all tests share."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

# No test answers from what an earlier one found, nor leaves anything in the user's cache; those of the cache say so.
os.environ["KOHORT_CACHE"] = "off"

# How long one example takes is a matter of what else the machine does; tests/perf and ci/bench judge speed.
settings.register_profile("kohort", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("kohort")
