"""One control plane for all tests that need it, or a clear reason why there is none."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator

import pytest
from shipped import Standing, stand_in_scheduler, standing
from tutorial import Tutorial

from kohort.lab.build import missing
from kohort.lab.controlplane import ControlPlane
from kohort.lab.families import FAMILIES
from kohort.lab.kwok import node

GANGS = not missing([name for name, _ in FAMILIES["schedulerplugins"].programs])
CORE = ("etcd", "kubernetes", "kueue", "appwrapper", "kwok")


def pytest_itemcollected(item: pytest.Item) -> None:
    """One worker runs all tests of the lab: two labs at once would make each other slow."""
    item.add_marker(pytest.mark.xdist_group("lab"))


def require(*families: str) -> None:
    """Skip, with the reason, where these programs are absent and may not be built."""
    if shutil.which("openssl") is None:
        pytest.skip("the lab needs the openssl program")
    if shutil.which("go") is None:
        pytest.skip("the lab needs Go (`go` is not on PATH)")
    lacking = missing(name for family in families for name, _ in FAMILIES[family].programs)
    if lacking and not os.environ.get("KOHORT_LAB"):
        pytest.skip(f"not built: {', '.join(lacking)}; set KOHORT_LAB=1 to build them (minutes)")


@pytest.fixture(scope="session")
def need() -> Callable[..., None]:
    """For fixtures elsewhere that need more families than most."""
    return require


@pytest.fixture(scope="session")
def programs() -> None:
    require(*CORE)


@pytest.fixture(scope="session")
def plane(programs: None) -> Iterator[ControlPlane]:
    with ControlPlane() as running:
        yield running


@pytest.fixture(scope="module")
def cluster(programs: None) -> Iterator[ControlPlane]:
    """Everything, with three fake nodes of eight GPUs."""
    settings = {
        "manageJobsWithoutQueueName": True,
        "managedJobsNamespaceSelector": {"matchLabels": {"team": "yes"}},
        "fairSharing": {"preemptionStrategies": ["LessThanOrEqualToFinalShare", "LessThanInitialShare"]},
    }
    capacity = {"cpu": "64", "memory": "512Gi", "nvidia.com/gpu": "8"}
    parts = ("appwrapper", "controllers", "scheduler", "kwok")
    with ControlPlane(parts, kueue_configuration=settings) as running:
        running.nodes.add(node(f"node-{i}", capacity, {"nvidia.com/gpu.present": "true"}) for i in range(3))
        yield running


@pytest.fixture(scope="session", params=["pokprod", "vela"])
def organisation(request: pytest.FixtureRequest, programs: None) -> Iterator[Standing]:
    """A shipped cluster as compiled, one after the other; its queues are Active and nothing runs."""
    with standing(request.param, "appwrapper") as running:
        yield running


@pytest.fixture(scope="session")
def demo(programs: None) -> Iterator[ControlPlane]:
    """The tutorial's cluster as compiled, with nodes, schedulers and everything that runs work."""
    parts = ("appwrapper", "controllers", "scheduler", "kwok")
    with standing("pokprod", *parts, *(("second-scheduler",) if GANGS else ())) as running:
        if not GANGS:
            stand_in_scheduler(running.plane)
        yield running.plane


@pytest.fixture
def second_scheduler() -> None:
    """Skip where the scheduler that starts gangs is not built; packing needs only the stock one."""
    require("schedulerplugins")


@pytest.fixture
def stage(demo: ControlPlane) -> Iterator[Tutorial]:
    """The tutorial's cluster with nothing on it, before and after."""
    tutorial = Tutorial(demo)
    tutorial.clear()
    yield tutorial
    tutorial.clear()
