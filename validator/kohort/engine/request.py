"""What to render where, as it was asked for on the command line."""

from __future__ import annotations

from dataclasses import dataclass


class ChoiceError(ValueError):
    """A name on the command line that is not there; the text is a sentence for people."""


@dataclass(frozen=True, slots=True)
class Request:
    """What to render where. Empty texts are chosen: the first queue with quota, its first cluster and namespace.

    `values` are the bytes of a YAML file by its name as typed, `sets` texts NAME=VALUE, which win over the file.
    """

    template: str
    team: str
    cluster: str = ""
    queue: str = ""
    namespace: str = ""
    name: str = ""
    priority: str = ""
    values: tuple[str, bytes] | None = None
    sets: tuple[str, ...] = ()
