"""Reports as text: one module per format, loaded when it is asked for."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import TypeAlias

from kohort.diagnostics.places import Places
from kohort.diagnostics.render.options import RenderOptions
from kohort.diagnostics.report import Report

Renderer: TypeAlias = Callable[[Report, Places, RenderOptions], str]


def _lazy(module: str) -> Renderer:
    def render(report: Report, places: Places, options: RenderOptions) -> str:
        loaded: Renderer = import_module(f"{__name__}.{module}").render
        return loaded(report, places, options)

    return render


FORMATS: dict[str, Renderer] = {
    "full": _lazy("full"),
    "concise": _lazy("concise"),
    "json": _lazy("json_v1"),
    "sarif": _lazy("sarif"),
    "github": _lazy("github"),
    "gitlab": _lazy("gitlab"),
    "junit": _lazy("junit"),
    "markdown": _lazy("markdown"),
}

__all__ = ["FORMATS", "RenderOptions", "Renderer"]
