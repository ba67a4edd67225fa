"""Argo CD in the lab: it reads a repository on disk, applies, heals, follows commits, and says what fails."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from kohort.lab.controlplane import ControlPlane
from kohort.lab.failure import LabError
from kohort.lab.repository import Repository

pytestmark = [pytest.mark.lab, pytest.mark.slow]
PATH = "/api/v1/namespaces/default/configmaps"
MAP = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: %s, namespace: default}\ndata: {size: '%s'}\n"


@pytest.fixture(scope="module")
def argo(need: Callable[..., None]) -> Iterator[ControlPlane]:
    need("etcd", "kubernetes", "argocd")
    with ControlPlane(["argocd"]) as running:
        yield running


@pytest.fixture(scope="module")
def repository(argo: ControlPlane) -> Repository:
    made = argo.argo.repository({"app/a.yaml": MAP % ("a", 1)})
    argo.argo.add("app", made.url, "app")
    return made


def size(argo: ControlPlane, name: str) -> str | None:
    answer = argo.request("GET", f"{PATH}/{name}")
    return str(answer.body["data"]["size"]) if answer.ok else None


def test_commits_are_followed_and_removed_files_pruned(argo: ControlPlane, repository: Repository) -> None:
    argo.argo.wait("app")
    assert size(argo, "a") == "1"
    commit = repository.commit({"app/a.yaml": MAP % ("a", 2), "app/b.yaml": MAP % ("b", 1)})
    argo.argo.refresh("app")
    argo.argo.wait("app", revision=commit)
    assert (size(argo, "a"), size(argo, "b")) == ("2", "1")
    commit = repository.commit({"app/b.yaml": None})
    argo.argo.refresh("app")
    argo.argo.wait("app", revision=commit)
    assert (size(argo, "a"), size(argo, "b")) == ("2", None)


def test_a_broken_commit_is_told_in_argos_words(argo: ControlPlane, repository: Repository) -> None:
    # An application of its own: Argo CD retries the broken commit for minutes before it looks at a later one.
    commit = repository.commit({"broken/c.yaml": "apiVersion: v1\nkind: Nonsense\nmetadata: {name: c}\n"})
    argo.argo.add("broken", repository.url, "broken")
    with pytest.raises(LabError, match=r"application broken is not Synced/Healthy after 15 s: .*Nonsense"):
        argo.argo.wait("broken", revision=commit, seconds=15)


def test_a_missing_repository_is_told(argo: ControlPlane, repository: Repository) -> None:
    argo.argo.add("lost", "file:///nowhere/at/all", "app")
    with pytest.raises(LabError, match=r"application lost is not Synced/any after 20 s: .*ComparisonError"):
        argo.argo.wait("lost", health=None, seconds=20)
    assert "lost" in argo.argo.names()


def test_its_programs_may_be_restarted(argo: ControlPlane, repository: Repository) -> None:
    for name in ("redis", "argo-repo", "argo-controller"):
        argo.restart(name)
    commit = repository.commit({"app/a.yaml": MAP % ("a", 9)})
    argo.argo.refresh("app")
    argo.argo.wait("app", revision=commit)
    assert size(argo, "a") == "9"
