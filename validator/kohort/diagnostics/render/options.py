"""What a renderer is told besides the report."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Protocol

from kohort.dataclass import dataclass
from kohort.diagnostics.finding import Severity


class Documented(Protocol):
    """The documentation of one code; `CodeDoc` and the documentation of a rule are such."""

    @property
    def severity(self) -> Severity:
        """The weight before the organisation changed it."""

    @property
    def summary(self) -> str:
        """One sentence."""

    @property
    def why(self) -> str:
        """What follows from it."""

    @property
    def bad(self) -> str:
        """An example that has the finding."""

    @property
    def good(self) -> str:
        """The example without it."""


@dataclass(frozen=True, slots=True)
class RenderOptions:
    """`width` in columns of a terminal; `version` is Kohort's; `docs` are the codes' documentation, for SARIF."""

    color: bool = False
    width: int = 100
    version: str = ""
    show_help: bool = True
    docs: Mapping[str, Documented] = field(default_factory=dict)
