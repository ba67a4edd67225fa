"""The repository asks for another version of Kohort than this one.

Why:
    Another version may judge and compile otherwise. The organisation states which versions its pull requests are judged
    with, so that nobody's laptop compiles what the pipeline would not.

Bad:
    # file: kohort.yaml
    apiVersion: kohort.dev/v1alpha1
    kind: Organisation
    metadata: {name: example}
    spec: {requiredVersion: ">=99"}

Good:
    # file: kohort.yaml
    apiVersion: kohort.dev/v1alpha1
    kind: Organisation
    metadata: {name: example}
    spec: {requiredVersion: ">=0.1,<99"}

Source:
    Kohort: Organisation.requiredVersion
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from kohort import __version__
from kohort.diagnostics import Consequence, Finding
from kohort.model.repo import Repo
from kohort.objects.names import visible
from kohort.objects.versions import version_key
from kohort.rules.base import Rule

RULE = Rule("SRC205", "required-version", Consequence.INVALID)
_COMPARISON: Final = re.compile(r"\s*(>=|<=|==|!=|>|<|=|~=)?\s*v?([0-9]{1,9}(?:\.[0-9]{1,9}){0,3})\s*")
_PARTS: Final = 4


@RULE.repo
def check(repo: Repo) -> Iterator[Finding]:
    """One finding per comparison that does not hold or cannot be read."""
    organisation = repo.organisation
    if organisation is None or not organisation.required_version:
        return
    for part in organisation.required_version.split(","):
        match = _COMPARISON.fullmatch(part)
        if match is None:
            what = f'requiredVersion: "{visible(part.strip()[:60])}" is no comparison such as >=0.1'
        elif not _holds(match[1] or "==", match[2]):
            what = f"this repository requires Kohort {visible(part.strip())}; this is {__version__}"
        else:
            continue
        yield RULE.finding(what, organisation.at("spec", "requiredVersion"), subject="Organisation")


def _holds(operator: str, wanted: str) -> bool:
    ours, theirs = _key(__version__), _key(wanted)
    if operator == "~=":  # the last part may be newer
        parts = version_key(wanted)[:-1]
        return ours >= theirs and version_key(__version__)[: len(parts)] == parts
    return {
        ">=": ours >= theirs,
        "<=": ours <= theirs,
        ">": ours > theirs,
        "<": ours < theirs,
        "!=": ours != theirs,
    }.get(operator, ours == theirs)


def _key(version: str) -> tuple[int, ...]:
    parts = version_key(version)
    return (*parts, *(0,) * (_PARTS - len(parts)))
