"""What reading one document gave: enough to load it again without validating it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from kohort.dataclass import dataclass
from kohort.diagnostics import Finding
from kohort.model.place import misplaced
from kohort.model.repeated import repeated_entries
from kohort.model.repo import Declared

if TYPE_CHECKING:
    from kohort.model.kinds.inventory import InventoryDocument


class Document(Protocol):
    """What is needed of a parsed document: its file, its number in the file, and its plain value."""

    @property
    def file(self) -> str:
        """Path relative to the repository."""

    @property
    def index(self) -> int:
        """Number of the document in its file, from 0."""

    @property
    def value(self) -> Any:
        """The plain value."""


@dataclass(frozen=True, slots=True)
class Taken:
    """One document of group kohort.dev. It depends on the document alone, so it holds until that changes.

    `declared` is empty for an inventory, whose nodes need the cluster's pools, and for what could not be used;
    `about` are the findings about the declaration itself.
    """

    kind: str = ""
    findings: tuple[Finding, ...] = ()
    broken: tuple[str, str] | None = None
    declared: Declared | None = None
    about: tuple[Finding, ...] = ()
    inventory: InventoryDocument | None = None


def about(kind: str, declared: Declared) -> tuple[Finding, ...]:
    """Findings about a declaration by itself."""
    found = misplaced(kind, declared)
    return (*((found,) if found is not None else ()), *repeated_entries(declared))
