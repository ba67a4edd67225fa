"""What reading found, before it is known in which file: a code, words and a place."""

from __future__ import annotations

from kohort.dataclass import dataclass
from kohort.diagnostics import Audience, CodeDoc, Finding, Label, line_origin
from kohort.spans import Origin, Part, Path, show_path


@dataclass(frozen=True, slots=True)
class Spot:
    """A place in the text, counted from 1; `end` is the column after it on the same line, 0 for the line's end."""

    line: int
    column: int
    end: int = 0


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong: with a `spot` where no key or value holds the place, otherwise with a path."""

    rule: CodeDoc
    message: str
    document: int = 0
    path: Path = ()
    part: Part = "value"
    spot: Spot | None = None
    label: str = ""
    related: tuple[tuple[Spot, str], ...] = ()
    help: tuple[str, ...] = ()

    def finding(self, file: str) -> Finding:
        """The finding in a file."""
        origin = Origin(file, self.document, self.path, self.part)
        if self.spot is not None:
            origin = line_origin(file, self.spot.line, self.spot.column, self.spot.end)
        return Finding(
            code=self.rule.code,
            name=self.rule.name,
            severity=self.rule.severity,
            consequence=self.rule.consequence,
            audience=Audience.TEAM,
            message=self.message,
            primary=Label(origin, self.label),
            field=show_path(self.path) if self.spot is None else "",
            related=tuple(
                Label(line_origin(file, spot.line, spot.column, spot.end), text)
                for spot, text in self.related
            ),
            help=self.help,
        )
