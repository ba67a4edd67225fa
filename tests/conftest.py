"""What all tests share."""

from __future__ import annotations

import os

# No test answers from what an earlier one found, nor leaves anything in the user's cache; those of the cache say so.
os.environ["KOHORT_CACHE"] = "off"
