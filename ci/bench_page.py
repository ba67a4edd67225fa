"""docs/bench.md: the table of `ci/bench` on top, then a section for each other measurement, under a heading of its own."""

from __future__ import annotations

from pathlib import Path

PAGE = Path(__file__).parents[1] / "docs" / "bench.md"
_HEADING = "\n## "


def store_top(text: str) -> None:
    """Replace what stands above the first section; the sections stay."""
    _, *sections = _parts()
    _write([text, *sections])


def store_section(title: str, text: str) -> None:
    """Put a section in the place of the one of its title, else below all others, which stay."""
    new, parts = f"{title}\n\n{text}", _parts()
    titles = [part.partition("\n")[0] for part in parts[1:]]
    if title in titles:
        parts[1 + titles.index(title)] = new
    else:
        parts.append(new)
    _write(parts)


def _parts() -> list[str]:
    return PAGE.read_text("utf-8").split(_HEADING) if PAGE.is_file() else [""]


def _write(parts: list[str]) -> None:
    PAGE.write_text(f"\n{_HEADING}".join(part.strip("\n") for part in parts) + "\n", "utf-8")
