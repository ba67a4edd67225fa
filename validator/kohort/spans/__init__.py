"""Where things stand in files: the lowest layer, known to every other one."""

from kohort.spans.origin import Origin, Part, Path, show_path
from kohort.spans.span import Span

__all__ = ["Origin", "Part", "Path", "Span", "show_path"]
