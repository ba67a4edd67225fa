"""Colours by hand: the sequences are few, and nothing heavier needs to be loaded."""

from __future__ import annotations

from kohort.dataclass import dataclass
from kohort.diagnostics.finding import Severity

_SEVERITY = {Severity.ERROR: "1;31", Severity.WARNING: "1;33", Severity.INFO: "1;36"}


@dataclass(frozen=True, slots=True)
class Palette:
    """Wraps text in colours, or leaves it as it is."""

    on: bool

    def severity(self, severity: Severity, text: str) -> str:
        """Red for errors, yellow for warnings, cyan for information."""
        return self._paint(_SEVERITY[severity], text)

    def frame(self, text: str) -> str:
        """Line numbers, rules and arrows."""
        return self._paint("1;34", text)

    def strong(self, text: str) -> str:
        """The message."""
        return self._paint("1", text)

    def _paint(self, code: str, text: str) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if self.on and text else text
