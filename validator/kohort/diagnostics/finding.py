"""The one shape of a diagnostic. Rules build it, renderers read it, nothing else knows how it looks.

Its sentences hold names from strangers. They are made safe to print here, once for all rules and all readers; what
identifies things (`subject`, `field`, an edit's text) stays as it was typed, and renderers make it visible.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Literal

from kohort.dataclass import dataclass
from kohort.diagnostics.visible import visible
from kohort.spans import Origin


class Severity(StrEnum):
    """How much a finding weighs; `--fail-on` compares with it."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"

    @property
    def rank(self) -> int:
        """0 for errors, rising as the weight falls."""
        return _RANK[self]


_RANK = {Severity.ERROR: 0, Severity.WARNING: 1, Severity.INFO: 2}


class Consequence(StrEnum):
    """What happens if nobody acts on the finding."""

    INVALID = "invalid"  # Kohort cannot read or compile it
    REFUSED = "refused"  # the API server rejects the object
    INACTIVE = "inactive"  # accepted, but the queue never becomes active
    STUCK = "stuck"  # work waits for ever
    UNSAFE = "unsafe"
    DISRUPTIVE = "disruptive"
    DRIFT = "drift"  # Git and cluster never agree
    POLICY = "policy"
    STYLE = "style"
    NOTE = "note"

    @property
    def severity(self) -> Severity:
        """The severity that a rule of this consequence has unless it says otherwise."""
        if self in {Consequence.INVALID, Consequence.REFUSED, Consequence.INACTIVE, Consequence.STUCK}:
            return Severity.ERROR
        if self in {Consequence.STYLE, Consequence.NOTE}:
            return Severity.INFO
        return Severity.WARNING


class Audience(StrEnum):
    """Who can act on the finding."""

    TEAM = "team"
    ADMIN = "admin"


@dataclass(frozen=True, slots=True)
class Label:
    """A place and the short sentence that stands beside it."""

    origin: Origin
    text: str = ""

    def __post_init__(self) -> None:
        """Make the sentence safe to print."""
        _make_visible(self, "text", self.text)


@dataclass(frozen=True, slots=True)
class Term:
    """One row of a finding's arithmetic: `+ 16  team blue, queue train`. `sign` is +, -, = or blank."""

    sign: Literal["+", "-", "=", "×", "÷", ">", "<", "≤", " "]
    amount: str
    text: str
    origin: Origin | None = None

    def __post_init__(self) -> None:
        """Make the row safe to print."""
        _make_visible(self, "amount", self.amount)
        _make_visible(self, "text", self.text)


@dataclass(frozen=True, slots=True)
class Edit:
    """One change of source text.

    `text` is the YAML to write: for `replace` the value's new text, for `rename`
    the key's new text, for `insert` the lines of a new entry of the mapping or list at `origin` (indented from 0);
    `move` reorders the list at `origin` into the order of `order` (indices of the present items); `quote` puts the
    value's source text in double quotes.
    """

    action: Literal["replace", "rename", "insert", "delete", "move", "quote"]
    origin: Origin
    text: str = ""
    order: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Fix:
    """Edits that remove the finding. `safe` ones never change what the object means."""

    title: str
    edits: tuple[Edit, ...]
    safe: bool = True

    def __post_init__(self) -> None:
        """Make the title safe to print."""
        _make_visible(self, "title", self.title)


@dataclass(frozen=True, slots=True)
class Finding:
    """One defect.

    `message` is true on its own, in one line, and names the object and the number. `field` is the path in the
    Kubernetes object (Kubernetes' notation) where the server would point. `subject` names the object
    (`ClusterQueue train`). `clusters` are the declared clusters it concerns (empty in plain mode).
    """

    code: str
    name: str
    severity: Severity
    consequence: Consequence
    audience: Audience
    message: str
    primary: Label
    subject: str = ""
    field: str = ""
    related: tuple[Label, ...] = ()
    terms: tuple[Term, ...] = ()
    help: tuple[str, ...] = ()
    fix: Fix | None = None
    clusters: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Make the sentences safe to print."""
        _make_visible(self, "message", self.message)
        if self.help:
            shown = tuple(visible(text) for text in self.help)
            if shown != self.help:
                object.__setattr__(self, "help", shown)


def _make_visible(part: object, field: str, text: str) -> None:
    shown = visible(text)
    if shown is not text:
        object.__setattr__(part, field, shown)
