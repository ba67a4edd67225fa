"""Argo CD is killed and started again in the middle of the demo: work goes on without it, and it converges."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pytest
from shipped import KUEUE, ROOT, wait_for
from tutorial import Tutorial

from kohort.lab.compiled import Compiled
from kohort.lab.controlplane import ControlPlane
from kohort.lab.demo import COMPONENTS
from kohort.lab.organisation import load
from kohort.lab.repository import Repository
from kohort.lab.syncing import applications, sync

pytestmark = [pytest.mark.lab, pytest.mark.slow, pytest.mark.timeout(900)]
QUEUES = "clusters/pokprod/manifests/teams"
PROGRAMS = ("argo-controller", "argo-repo", "redis")
BEST, STRICT = "BestEffortFIFO", "StrictFIFO"
_MERGE = "application/merge-patch+json"


@dataclass(frozen=True)
class Synced:
    """The tutorial's cluster, brought by Argo CD, with blue's three jobs on it and a fourth that waits."""

    plane: ControlPlane
    repository: Repository
    platform: str
    stage: Tutorial

    def crash(self) -> None:
        for name in PROGRAMS:
            self.plane.process(name).kill()

    def restart(self) -> None:
        for name in reversed(PROGRAMS):
            self.plane.restart(name)

    def order(self, team: str, strategy: str) -> str:
        """Commit another queueing strategy of a team's queue; return the commit."""
        path = f"{QUEUES}/{team}.yaml"
        text, count = re.subn(
            r"queueingStrategy: \w+", f"queueingStrategy: {strategy}", self.repository.read(path)
        )
        assert count == 1
        return self.repository.commit({path: text})

    def strategy(self, team: str) -> str:
        return str(self.plane.client.must("GET", f"{KUEUE}/clusterqueues/{team}")["spec"]["queueingStrategy"])

    def running(self) -> dict[str, str]:
        """Node of each pod by its identity."""
        return {p["metadata"]["uid"]: p["spec"].get("nodeName", "") for p in self.stage.pods("blue")}


@pytest.fixture(scope="module")
def tutorial(need: Callable[..., None]) -> Iterator[tuple[ControlPlane, Repository, Compiled]]:
    need("etcd", "kubernetes", "kueue", "appwrapper", "kwok", "schedulerplugins", "argocd")
    cluster = load(ROOT, "pokprod")
    with ControlPlane(COMPONENTS, settings=cluster.settings) as plane:
        plane.nodes.add(cluster.nodes)
        repository, _ = sync(plane, cluster)
        yield plane, repository, cluster


@pytest.fixture
def synced(tutorial: tuple[ControlPlane, Repository, Compiled]) -> Iterator[Synced]:
    plane, repository, cluster = tutorial
    stage = Tutorial(plane)
    stage.clear()
    stage.fill(count=3)
    stage.submit("blue", "waiting", 2, 4)
    wait_for(lambda: stage.phases("blue").get("waiting"), "Suspended", 30)
    wait_for(lambda: len(stage.nodes_of("blue")), 6, 30)
    yield Synced(plane, repository, applications(cluster)[1], stage)
    stage.clear()


@pytest.mark.long
def test_a_change_that_is_merged_while_argo_cd_is_away_comes_when_it_is_back(synced: Synced) -> None:
    before = synced.running()
    synced.crash()
    commit = synced.order("red", STRICT)
    synced.stage.stays(lambda: (synced.strategy("red"), synced.running()), (BEST, before), 5)
    # Without Argo CD nothing stands still: what ends makes room for what waits.
    synced.stage.delete("blue", "normal-1")
    synced.stage.until("blue", {"waiting": "Running"}, 60)
    synced.restart()
    synced.plane.argo.wait(synced.platform, revision=commit, seconds=120)
    assert synced.strategy("red") == STRICT
    assert len(set(synced.running()) & set(before)) == 4
    synced.plane.argo.wait(synced.platform, revision=synced.order("red", BEST), seconds=60)


@pytest.mark.long
def test_what_somebody_changes_while_it_is_away_is_put_back(synced: Synced) -> None:
    before = synced.running()
    synced.crash()
    change = {"spec": {"queueingStrategy": STRICT}}
    synced.plane.client.must("PATCH", f"{KUEUE}/clusterqueues/red", change, content_type=_MERGE)
    synced.restart()
    wait_for(lambda: synced.strategy("red"), BEST, 120)
    synced.plane.argo.wait(synced.platform, seconds=60)
    assert synced.running() == before


def test_it_dies_in_the_middle_of_a_sync(synced: Synced) -> None:
    """The operation is in the Application: the new controller goes on with it."""
    before = synced.running()
    synced.order("red", STRICT)
    commit = synced.order("blue", STRICT)
    synced.plane.argo.refresh(synced.platform)

    def begun() -> bool:
        state = synced.plane.argo.state(synced.platform)
        return state.operation == "Running" or STRICT in (synced.strategy("red"), synced.strategy("blue"))

    wait_for(begun, True, 60)
    synced.crash()
    synced.restart()
    synced.plane.argo.wait(synced.platform, revision=commit, seconds=180)
    assert (synced.strategy("red"), synced.strategy("blue")) == (STRICT, STRICT)
    assert synced.running() == before
    synced.order("red", BEST)
    commit = synced.order("blue", BEST)
    synced.plane.argo.refresh(synced.platform)
    synced.plane.argo.wait(synced.platform, revision=commit, seconds=60)
