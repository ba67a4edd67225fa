"""Random edits of the wide world: any value of any declaration, a whole declaration, a new name by `previously`."""

from __future__ import annotations

import copy
import json
from datetime import date
from typing import Any

import yaml
from hypothesis import strategies as st
from wide_world import WIDE

Files = tuple[tuple[str, str], ...]
Documents = dict[str, list[Any]]
Place = tuple[str, int, tuple[str | int, ...]]

_NOT_DOCUMENTS = ("ci/baseline.json",)
# Where these are wrong nothing is planned: an error of usage, which has tests of its own.
_SETTINGS = ("requiredVersion", "severities", "baseline")
# Words that stand nowhere in the world beside those that do, by the field that takes them.
_WORDS = {
    "amount": ["remainder"],
    "borrow": ["any", "none"],
    "effect": ["NoSchedule", "NoExecute", "PreferNoSchedule"],
    "kueue": ["0.17.1"],
    "lend": ["any", "none"],
    "policy": ["Never", "LowerPriority"],
    "podSecurity": ["privileged", "restricted"],
    "preference": ["BorrowingOverPreemption"],
    "reclaimWithinCohort": ["Never", "LowerPriority", "Any"],
    "state": ["active", "planned", "done"],
    "stop": ["None", "Hold", "HoldAndDrain"],
    "strategy": ["BestEffortFIFO", "StrictFIFO"],
    "until": ["2026-01-01"],
    "weight": ["0", "5"],
    "whenCanBorrow": ["MayStopSearch"],
    "whenCanPreempt": ["MayStopSearch"],
    "withinClusterQueue": ["Never", "LowerOrNewerEqualPriority"],
    "writer": ["git", "external"],
}


def plain(value: Any) -> Any:
    """As JSON has it: dates and keys are texts."""
    if isinstance(value, dict):
        return {str(key): plain(each) for key, each in value.items()}
    if isinstance(value, list):
        return [plain(each) for each in value]
    return value.isoformat() if isinstance(value, date) else value


DOCUMENTS: Documents = {
    file: [plain(each) for each in yaml.safe_load_all(text)]
    for file, text in WIDE.items()
    if file not in _NOT_DOCUMENTS
}


def files_of(documents: Documents) -> Files:
    """The files' texts, in order of their names; a file without a document is gone."""
    texts = {file: WIDE[file] for file in _NOT_DOCUMENTS}
    for file, some in documents.items():
        if some:
            texts[file] = "---\n".join(f"{json.dumps(each)}\n" for each in some)
    return tuple(sorted(texts.items()))


def places(value: Any, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    """The paths of a value and of all that it holds."""
    found = [path]
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, each in inner:
        found += places(each, (*path, step))
    return found


PLACES: list[Place] = [
    (file, number, ("spec", *path))
    for file, some in DOCUMENTS.items()
    for number, each in enumerate(some)
    for path in places(each["spec"])
    if path and path[0] not in _SETTINGS
]


def at(value: Any, path: tuple[str | int, ...]) -> Any:
    for step in path:
        value = value[step]
    return value


def field_of(path: tuple[str | int, ...]) -> str:
    """The last name in a path: what kind of value stands there."""
    return next(str(step) for step in reversed(path) if isinstance(step, str))


def _words() -> dict[str, list[str]]:
    found: dict[str, set[str]] = {field: set(words) for field, words in _WORDS.items()}
    for file, number, path in PLACES:
        value = at(DOCUMENTS[file][number], path)
        if isinstance(value, str):
            found.setdefault(field_of(path), {"other"}).add(value)
    return {field: sorted(words) for field, words in found.items()}


WORDS = _words()


def other(draw: Any, path: tuple[str | int, ...], value: Any) -> Any:
    """Another value of the same kind, most often one that is right there."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return draw(st.sampled_from([0, 1, value + 1, 2 * value, max(0, value - 1)]))
    if isinstance(value, str):
        return draw(st.sampled_from(WORDS[field_of(path)]))
    if isinstance(value, list):
        return draw(st.sampled_from([value[::-1], value[1:], [*value, *value[:1]]]))
    keys = draw(st.sets(st.sampled_from(sorted(value)))) if value else set()
    return {key: each for key, each in value.items() if key not in keys}


def edit(draw: Any, documents: Documents, place: Place) -> None:
    """Take the value at a place away, or put another one there; where an earlier edit took it, nothing."""
    file, number, path = place
    try:
        around = at(documents[file][number], path[:-1])
        value = around[path[-1]]
    except (KeyError, IndexError, TypeError):
        return
    if draw(st.integers(0, 3)) == 0:
        del around[path[-1]]
    else:
        around[path[-1]] = other(draw, path, value)


def rename(documents: Documents, kind: str, old: str, new: str) -> None:
    """Give a team or flavor another name, which says what it was called before, wherever it is named."""
    named = {"Team": ("team", "queue"), "Flavor": ("flavor",)}[kind]  # a team's only queue goes by its name
    for each in (one for some in documents.values() for one in some):
        if (each["kind"], each["metadata"]["name"]) == (kind, old):
            each["metadata"]["name"] = new
            each["spec"]["previously"] = old
        for path in places(each):
            if path and path[-1] in named and at(each, path) == old:
                at(each, path[:-1])[path[-1]] = new
    if kind == "Team":
        for file in [file for file in documents if file.startswith(f"teams/{old}/")]:
            documents[file.replace(f"/{old}/", f"/{new}/", 1)] = documents.pop(file)


@st.composite
def organisations(draw: Any) -> Files:
    """The wide world after up to six edits; policies are there in one of eight, since asking them takes a process."""
    documents = copy.deepcopy(DOCUMENTS)
    if draw(st.integers(0, 7)):
        documents["ci/policies/people.yaml"] = []
    for place in draw(st.lists(st.sampled_from(PLACES), max_size=6)):
        edit(draw, documents, place)
    if draw(st.integers(0, 4)) == 0:
        file = draw(st.sampled_from(sorted(file for file, some in documents.items() if some)))
        del documents[file][draw(st.integers(0, len(documents[file]) - 1))]
    for kind, old, new in draw(
        st.sets(st.sampled_from([("Team", "red", "crimson"), ("Flavor", "mig", "parts")]))
    ):
        if draw(st.integers(0, 2)) == 0:
            rename(documents, kind, old, new)
    return files_of(documents)
