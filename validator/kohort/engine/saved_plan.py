"""A plan in a file, bound to its commits, and whether it still holds."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import Any, Final

from kohort import __version__
from kohort.diagnostics.json_text import as_json
from kohort.engine.comparing import Choice, Compared, plan_commits
from kohort.engine.outcome import Settings
from kohort.engine.repository import is_source
from kohort.engine.usage import UsageProblem
from kohort.planner.render.json_v1 import document
from kohort.planner.render.view import Sides
from kohort.source.git import Commit, GitProblem, GitTree, History

_KIND: Final = "SavedPlan"
_VERSION: Final = 2
_LARGEST: Final = 256 << 20
_HASH: Final = re.compile(r"[0-9a-f]{40,64}")
_NAMES: Final = ("base", "head", "tool")  # how commits are called is not part of what must come out again
# What ran then, and the loads that were played, are not here to be asked again.
_OF_A_SNAPSHOT: Final = (
    "snapshot",
    "work",
    "overQuota",
    "runbooks",
    "findings",
    "verdict",
    "newFindings",
    "fixedFindings",
)
_OF_A_LOAD: Final = ("simulations", "findings", "verdict")


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a saved plan holds, and why (not), in sentences."""

    holds: bool
    reasons: tuple[str, ...]


def saved(compared: Compared, settings: Settings) -> str:
    """The file's text: the plan, its commits, who proposed it and on which day. Raises UsageProblem where there are no commits."""
    if compared.base is None or compared.head is None or compared.onto is None:
        raise UsageProblem("--out binds a plan to two commits: commit the change and name it with --head")
    plan = _document(compared)
    return as_json(
        {
            "kind": _KIND,
            "version": _VERSION,
            "tool": {"name": "kohort", "version": __version__},
            "base": {"name": compared.onto.name, "tip": compared.onto.sha, "commit": compared.base.sha},
            "head": {"name": compared.head.name, "commit": compared.head.sha},
            "actor": {"name": settings.actor, "groups": list(settings.actor_groups)},
            "at": settings.at.isoformat() if settings.at is not None else None,
            "digest": _digest(plan),
            "plan": plan,
        }
    )


def verify(root: Path, file: Path, settings: Settings, *, base: str = "", head: str = "") -> Verdict:
    """Whether the plan in a file is still what merging does.

    The head must hold the same source as when the plan was made, the branch it goes to too, and making the plan again
    must give the same. Raises UsageProblem where the file is no saved plan or the commits are not there.
    """
    known = _read(file)
    try:
        history = History(root)
        onto = history.demand(base or known["base"]["name"])
        tip = history.demand(head or "HEAD")
        reasons = [
            *_moved(history, "the head", known["head"]["commit"], tip),
            *_moved(history, f"the base {onto.name}", known["base"]["tip"], onto),
        ]
        if reasons:
            return Verdict(holds=False, reasons=tuple(reasons))
        choice = Choice(
            known["base"]["commit"], known["head"]["commit"], exact=True, rules=known["base"]["tip"]
        )
        again = _document(plan_commits(root, choice, _as_then(known, settings)))
    except GitProblem as problem:
        raise UsageProblem(str(problem)) from problem
    if _digest(known["plan"]) != known["digest"]:
        return Verdict(holds=False, reasons=("the file was edited after the plan was saved",))
    left_out = _not_made_again(known["plan"])
    if _digest(again, left_out) != _digest(known["plan"], left_out):
        made = known["tool"].get("version", "")
        by = "" if made == __version__ else f" (it was made by Kohort {made}, this is {__version__})"
        return Verdict(holds=False, reasons=(f"making the plan again gives another one{by}",))
    then = "; what it says of work that runs or is played is of then" if len(left_out) > len(_NAMES) else ""
    return Verdict(
        holds=True,
        reasons=(f"{tip.short} onto {onto.name} ({onto.short}) does what the plan says{then}",),
    )


def _as_then(known: Mapping[str, Any], settings: Settings) -> Settings:
    """With the actor and the day that the plan was made for."""
    return replace(
        settings,
        actor=known["actor"]["name"],
        actor_groups=tuple(known["actor"]["groups"]),
        at=date.fromisoformat(known["at"]) if known.get("at") else None,
    )


def _moved(history: History, what: str, sha: str, now: Commit) -> list[str]:
    if sha == now.sha:
        return []
    old = history.find(sha)
    if old is None:
        return [
            f"{what} moved from {sha[:10]}, which is not here any more, to {now.short}: make the plan again"
        ]
    before, after = (_sources(history, commit) for commit in (old, now))
    changed = sorted(name for name in {*before, *after} if before.get(name) != after.get(name))
    if not changed:
        return []
    more = f" and {len(changed) - 3} more" if len(changed) > 3 else ""
    return [
        f"{what} moved from {old.short} to {now.short} and changes {', '.join(changed[:3])}{more}: make the plan again"
    ]


def _sources(history: History, commit: Commit) -> Mapping[str, str]:
    return {name: sha for name, sha in GitTree(history, commit).hashes.items() if is_source(name)}


def _document(compared: Compared) -> dict[str, Any]:
    planned = compared.planned
    return document(planned.plan, Sides(planned.base, planned.head), version=__version__)


def _not_made_again(plan: Mapping[str, Any]) -> tuple[str, ...]:
    """The parts that a plan of the same commits may say in other words."""
    snapshot = _OF_A_SNAPSHOT if plan.get("snapshot") else ()
    return (*_NAMES, *snapshot, *(_OF_A_LOAD if plan.get("simulations") else ()))


def _digest(plan: Mapping[str, Any], left_out: Sequence[str] = ()) -> str:
    """Of the text as JSON would carry it, so that reading it back gives the same."""
    lasting = {key: value for key, value in plan.items() if key not in left_out}
    text = json.dumps(json.loads(as_json(lasting)), sort_keys=True, ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()


def _read(file: Path) -> dict[str, Any]:
    try:
        with file.open("rb") as opened:
            data = opened.read(_LARGEST)
        value = json.loads(data)
    except OSError as error:
        raise UsageProblem(f"cannot read {file}: {error.strerror or error}") from error
    except (ValueError, RecursionError) as error:
        raise UsageProblem(f"{file} is no saved plan: it is not JSON") from error
    if isinstance(value, dict) and value.get("kind") == _KIND and value.get("version") != _VERSION:
        raise UsageProblem(
            f"{file} was saved by another Kohort, in format {value.get('version')!s:.20} where this one reads {_VERSION}: "
            "make the plan again"
        )
    if not _is_saved(value):
        raise UsageProblem(f"{file} is no saved plan; `kohort plan --out FILE` makes one")
    return dict(value)


def _is_saved(value: Any) -> bool:
    if not isinstance(value, dict) or value.get("kind") != _KIND:
        return False
    parts = [value.get(name) for name in ("base", "head", "plan", "tool")]
    if not all(isinstance(part, dict) for part in parts):
        return False
    base, head = value["base"], value["head"]
    commits = (base.get("tip"), base.get("commit"), head.get("commit"))
    return (
        isinstance(base.get("name"), str)
        and all(isinstance(commit, str) and _HASH.fullmatch(commit) for commit in commits)
        and isinstance(value.get("digest"), str)
        and _is_actor(value.get("actor"))
        and _is_day(value.get("at"))
    )


def _is_actor(value: Any) -> bool:
    groups = value.get("groups") if isinstance(value, dict) else None
    return (
        isinstance(groups, list)
        and isinstance(value.get("name"), str)
        and all(isinstance(group, str) for group in groups)
    )


def _is_day(value: Any) -> bool:
    if value is None:
        return True
    try:
        return bool(date.fromisoformat(value))
    except (TypeError, ValueError):
        return False
