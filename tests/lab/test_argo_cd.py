"""Argo CD in the lab: it reads a repository on disk, applies, heals, follows commits, and says what fails.

Each test has a folder and an application of its own, so that they may come in any order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from kohort.lab.controlplane import ControlPlane
from kohort.lab.failure import LabError
from kohort.lab.repository import Repository

pytestmark = [pytest.mark.lab, pytest.mark.slow]
PATH = "/api/v1/namespaces/default/configmaps"
MAP = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: %s, namespace: default}\ndata: {size: '%s'}\n"
BROKEN = "apiVersion: v1\nkind: Nonsense\nmetadata: {name: n}\n"


@pytest.fixture(scope="module")
def argo(need: Callable[..., None]) -> Iterator[ControlPlane]:
    need("etcd", "kubernetes", "argocd")
    with ControlPlane(["argocd"]) as running:
        yield running


@pytest.fixture(scope="module")
def repository(argo: ControlPlane) -> Repository:
    return argo.argo.repository({"README": "one folder for each test"})


def size(argo: ControlPlane, name: str) -> str | None:
    answer = argo.request("GET", f"{PATH}/{name}")
    return str(answer.body["data"]["size"]) if answer.ok else None


def begin(argo: ControlPlane, repository: Repository, name: str, text: str, **options: Any) -> str:
    """Commit `NAME/one.yaml` and add the application NAME for that folder; return the commit."""
    commit = repository.commit({f"{name}/one.yaml": text})
    argo.argo.add(name, repository.url, name, **options)
    return commit


def follow(argo: ControlPlane, repository: Repository, name: str, **files: str | None) -> None:
    """Commit files of a folder, and wait until its application has taken them."""
    commit = repository.commit({f"{name}/{file}.yaml": text for file, text in files.items()})
    argo.argo.refresh(name)
    argo.argo.wait(name, revision=commit)


def test_commits_are_followed_and_removed_files_pruned(argo: ControlPlane, repository: Repository) -> None:
    begin(argo, repository, "followed", MAP % ("followed-a", 1))
    argo.argo.wait("followed")
    assert size(argo, "followed-a") == "1"
    follow(argo, repository, "followed", one=MAP % ("followed-a", 2), two=MAP % ("followed-b", 1))
    assert (size(argo, "followed-a"), size(argo, "followed-b")) == ("2", "1")
    follow(argo, repository, "followed", two=None)
    assert (size(argo, "followed-a"), size(argo, "followed-b")) == ("2", None)


def test_a_broken_commit_is_told_in_argos_words(argo: ControlPlane, repository: Repository) -> None:
    commit = begin(argo, repository, "broken", BROKEN)
    with pytest.raises(LabError, match=r"application broken is not Synced/Healthy after 15 s: .*Nonsense"):
        argo.argo.wait("broken", revision=commit, seconds=15)


RETRY = {"limit": 5, "backoff": {"duration": "5s", "factor": 1}}


def test_with_refresh_a_fix_is_taken_at_the_next_retry(argo: ControlPlane, repository: Repository) -> None:
    begin(argo, repository, "mended", BROKEN, retry={**RETRY, "refresh": True})
    with pytest.raises(LabError, match="Nonsense"):
        argo.argo.wait("mended", seconds=6)
    follow(argo, repository, "mended", one=MAP % ("mended", 1))
    assert size(argo, "mended") == "1"


def test_a_missing_repository_is_told(argo: ControlPlane) -> None:
    argo.argo.add("lost", "file:///nowhere/at/all", "app")
    with pytest.raises(LabError, match=r"application lost is not Synced/any after 20 s: .*ComparisonError"):
        argo.argo.wait("lost", health=None, seconds=20)
    assert "lost" in argo.argo.names()


def test_its_programs_may_be_restarted(argo: ControlPlane, repository: Repository) -> None:
    begin(argo, repository, "restarted", MAP % ("restarted", 1))
    argo.argo.wait("restarted")
    for name in ("redis", "argo-repo", "argo-controller"):
        argo.restart(name)
    follow(argo, repository, "restarted", one=MAP % ("restarted", 9))
    assert size(argo, "restarted") == "9"
