"""One thing for which the manager does not start."""

from __future__ import annotations

from typing import Literal

from kohort.dataclass import dataclass
from kohort.spans import Path

# `text`: no YAML or another kind of document; `field`: unknown or twice; `type`: no value of the field's type;
# `value`: read, then refused by validation; `gate`: feature gates
Reason = Literal["text", "field", "type", "value", "gate"]


@dataclass(frozen=True, slots=True)
class Fault:
    """Where in the configuration, what is wrong in words that stand after the path, and what may have been meant."""

    path: Path
    reason: Reason
    message: str
    help: tuple[str, ...] = ()
