"""Kohort: share GPU clusters fairly, by pull request. The names below are the supported Python API.

    report = kohort.check("path/to/repository")
    for finding in report.findings:
        print(finding.severity.value, finding.code, finding.message)

Importing the package imports nothing else: every name is fetched when it is first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from kohort.engine.api import (
        Answer,
        Bundle,
        Finding,
        Inquiry,
        Plan,
        Repo,
        Report,
        Session,
        Severity,
        Simulated,
        UsageProblem,
        ask,
        build,
        check,
        load,
        make_plan,
        simulate,
    )

__version__ = "0.1.0"
__all__ = [
    "Answer",
    "Bundle",
    "Finding",
    "Inquiry",
    "Plan",
    "Repo",
    "Report",
    "Session",
    "Severity",
    "Simulated",
    "UsageProblem",
    "__version__",
    "ask",
    "build",
    "check",
    "load",
    "make_plan",
    "simulate",
]


def __getattr__(name: str) -> Any:
    """Fetch a name of the API when it is first used."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module("kohort.engine.api"), name)
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
