"""CODEOWNERS of a repository: the same owners that a plan asks, for a forge that asks by path.

A forge's rule is coarser than a plan's: it knows paths, not effects. The later line wins, as forges read it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from kohort.model.repo import Repo, Subjects

_PLAIN: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_ADDRESS: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]*@[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?")
_HEAD: Final = "# Made by `kohort owners` from kohort.yaml and teams/: edit those, then run it again."


@dataclass(frozen=True, slots=True)
class Owned:
    """One path pattern and who owns it; `left_out` are subjects that are no names of a forge (blanks, distinguished names)."""

    pattern: str
    owners: tuple[str, ...]
    left_out: tuple[str, ...] = ()


def owned(repo: Repo, organisation: str) -> Iterator[Owned]:
    """Admins own everything, teams their folders; nobody need agree to compiled output, which follows from the rest.

    Groups are written `@organisation/group`, users `@user` or, where the name is one, as their mail address. A team
    without admins is owned by the organisation's, and so is one whose admins are all no names of a forge: a line without
    owners would ask nobody.
    """
    admins = repo.organisation.admins if repo.organisation is not None else Subjects()
    yield _owned("*", admins, organisation)
    for name, cluster in sorted(repo.clusters.items()):
        if cluster.admins:
            yield _owned(f"/clusters/{name}/", admins | cluster.admins, organisation)
    for name, team in sorted(repo.teams.items()):
        if team.admins:
            owners = _owned(f"/teams/{name}/", team.admins, organisation)
            yield (
                owners
                if owners.owners
                else replace(_owned(owners.pattern, admins, organisation), left_out=owners.left_out)
            )
    for name in sorted(repo.clusters):
        for folder in ("manifests", "argocd"):
            yield Owned(f"/clusters/{name}/{folder}/", ())


def codeowners(repo: Repo, organisation: str) -> str:
    """The file's text."""
    lines = [_HEAD, *(" ".join((each.pattern, *each.owners)) for each in owned(repo, organisation))]
    return "\n".join(lines) + "\n"


def _owned(pattern: str, subjects: Subjects, organisation: str) -> Owned:
    names = [(_group(name, organisation), name) for name in subjects.groups]
    names += [(_user(name), name) for name in subjects.users]
    return Owned(
        pattern,
        tuple(dict.fromkeys(shown for shown, _ in names if shown)),
        tuple(name for shown, name in names if not shown),
    )


def _group(name: str, organisation: str) -> str:
    return f"@{organisation}/{name}" if _PLAIN.fullmatch(name) else ""


def _user(name: str) -> str:
    if _ADDRESS.fullmatch(name):
        return name
    return f"@{name}" if _PLAIN.fullmatch(name) else ""
