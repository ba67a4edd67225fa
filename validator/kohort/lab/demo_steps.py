"""The steps of the tutorial. A step's first line is its title; it returns whether it went as expected, and what happened."""

from __future__ import annotations

import time
from collections import Counter
from typing import TYPE_CHECKING, Any

from kohort.lab.failure import LabError
from kohort.lab.patience import stretched
from kohort.lab.watching import ENDED, KUEUE, RUNNING, SUSPENDED, WAITING
from kohort.lab.work import API, pods, wrapped

if TYPE_CHECKING:
    from collections.abc import Callable

    from kohort.lab.controlplane import ControlPlane
    from kohort.lab.watching import Change, Watch

Result = tuple[bool, str]
_HEALTH = "autopilot.ibm.com/gpuhealth"
_GROUPS = "/apis/scheduling.x-k8s.io/v1alpha1/namespaces"
_MERGE = "application/merge-patch+json"


class Stage:
    """What every step works with: the lab, its watch, and who submits what."""

    def __init__(self, plane: ControlPlane, watch: Watch, tell: Callable[[Change], None]) -> None:
        self.plane = plane
        self.watch = watch
        self.tell = tell
        self.device = _device(plane)

    def submit(self, user: str, team: str, name: str, count: int, each: int, **options: Any) -> None:
        """Let a user submit a job of `count` pods with `each` devices; see `pods` and `wrapped`."""
        seconds = options.pop("seconds", None)
        job = pods(count, {"cpu": "1", "memory": "1Gi", self.device: str(each)}, seconds=seconds)
        path = f"/apis/{API}/namespaces/{team}/appwrappers"
        self.plane.client.must("POST", path, wrapped(name, team, job, **options), impersonate=user)

    def until(self, condition: Callable[[], bool], seconds: float) -> bool:
        """Tell what happens until a condition holds; False when time ran out before."""
        return self.watch.follow(self.tell, until=condition, seconds=stretched(seconds))

    def count(self) -> Counter[str]:
        """Return how many pieces of work have each state."""
        return Counter(self.watch.states().values())

    def state(self, name: str) -> str:
        """Return the state of one piece of work, empty when there is none."""
        return self.watch.states().get(name, "")

    def nodes_of(self, namespace: str, selector: str = "") -> list[str]:
        """Return the node of each pod that runs, sorted."""
        path = f"/api/v1/namespaces/{namespace}/pods"
        found = self.plane.client.must("GET", path, parameters={"labelSelector": selector})["items"]
        return sorted(
            pod["spec"]["nodeName"]
            for pod in found
            if pod["spec"].get("nodeName") and pod["status"].get("phase") in ("Pending", "Running")
        )

    def queue(self, name: str) -> dict[str, Any]:
        """Return a ClusterQueue's status."""
        found: dict[str, Any] = self.plane.client.must("GET", f"/apis/{KUEUE}/clusterqueues/{name}")
        return found.get("status") or {}

    def clear(self) -> None:
        """Remove all work and wait until its pods are gone."""
        client = self.plane.client
        for team in ("blue", "red"):
            client.must("DELETE", f"/apis/{API}/namespaces/{team}/appwrappers")
        end = time.monotonic() + stretched(60)
        while True:
            self.watch.poll()
            left = client.must("GET", "/api/v1/pods")["items"]
            if not self.watch.states() and not left:
                return
            if time.monotonic() > end:
                raise LabError(f"work did not go: {self.watch.states()}, {len(left)} pods")
            time.sleep(0.3)


def short_jobs(stage: Stage) -> Result:
    """Alice of team blue submits seven short jobs of 8 GPUs; the cluster has 24.

    Three run, two of them on quota that red and slack lend; four wait their turn.
    """
    names = [f"blue/short-{number}" for number in range(1, 8)]
    for name in names:
        stage.submit("alice", "blue", name.partition("/")[2], 2, 4, seconds=8)
    most = 0

    def all_ended() -> bool:
        nonlocal most
        most = max(most, stage.count()[RUNNING])
        return stage.count()[ENDED] == len(names)

    first = stage.until(lambda: stage.count()[RUNNING] == 3 and stage.count()[WAITING] == 4, 20)
    ended = stage.until(all_ended, 120)
    return first and ended and most == 3, (
        f"at most {most} ran at once, {stage.count()[ENDED]} of {len(names)} have ended"
    )


def borrowing(stage: Stage) -> Result:
    """Alice submits four long jobs of 8 GPUs: three run, one waits."""
    for number in range(1, 5):
        stage.submit("alice", "blue", f"normal-{number}", 2, 4)
        time.sleep(1)  # admitted within one second, the newest could not be told
    good = stage.until(lambda: stage.count() == {RUNNING: 3, WAITING: 1}, 20)
    time.sleep(1)
    used, lent = _usage(stage, "blue")
    text = f"blue uses {used} GPUs, {lent} of them borrowed; {stage.count()[WAITING]} job waits"
    good = good and (used, lent) == (24, 16)
    return _keep(stage, good), text


def preemption(stage: Stage) -> Result:
    """With all GPUs in use, Alice submits a job of high priority.

    Exactly one of her own team's jobs is suspended for it, the newest of lowest priority.
    """
    _fill(stage)
    stage.submit("alice", "blue", "important", 2, 4, priority="high-priority")
    good = stage.until(lambda: stage.state("blue/important") == RUNNING, 30)
    stage.until(lambda: False, 2)
    suspended = [name for name, state in stage.watch.states().items() if state == SUSPENDED]
    text = f"important {stage.state('blue/important')}; suspended: {', '.join(suspended) or 'none'}"
    return good and suspended == ["blue/normal-3"], text


def reclaim(stage: Stage) -> Result:
    """Bob of team red wants his guarantee back while blue uses everything.

    One job of 16 GPUs is more than red's share and waits; of two jobs of 8 the first gets its GPUs from blue at once.
    """
    _fill(stage)
    stage.submit("bob", "red", "large", 4, 4)
    stage.until(lambda: False, 6)
    waited = stage.state("red/large") == WAITING and stage.count()[RUNNING] == 3
    stage.plane.client.must("DELETE", f"/apis/{API}/namespaces/red/appwrappers/large")
    stage.submit("bob", "red", "first", 2, 4)
    time.sleep(1)
    stage.submit("bob", "red", "second", 2, 4)
    good = stage.until(lambda: stage.state("red/first") == RUNNING, 30)
    stage.until(lambda: False, 3)
    states = stage.watch.states()
    suspended = [name for name, state in states.items() if state == SUSPENDED]
    text = (
        f"large {'waited' if waited else 'did not wait'}; first {states.get('red/first')}, "
        f"second {states.get('red/second')}; suspended: {', '.join(suspended) or 'none'}"
    )
    return waited and good and suspended == ["blue/normal-3"] and states["red/second"] == WAITING, text


def packing(stage: Stage) -> Result:
    """Eight jobs of one GPU each are packed onto one node, so that whole nodes stay free."""
    for number in range(1, 9):
        stage.submit("alice", "blue", f"small-{number}", 1, 1)
    stage.until(lambda: len(stage.nodes_of("blue")) == 8, 30)
    nodes = Counter(stage.nodes_of("blue"))
    used = ", ".join(f"{name}: {count}" for name, count in sorted(nodes.items()))
    return list(nodes.values()) == [8], f"pods by node: {used}"


def gang(stage: Stage) -> Result:
    """A gang of four pods with 8 GPUs each on three nodes: none of them starts, since all cannot."""
    client, name = stage.plane.client, "gang"
    stage.plane.create([{"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}}])
    group = {
        "apiVersion": "scheduling.x-k8s.io/v1alpha1",
        "kind": "PodGroup",
        "metadata": {"name": name, "namespace": name},
        "spec": {"minMember": 4},
    }
    stage.plane.create([group])
    scheduler = stage.plane.settings.scheduler["profiles"][0]["schedulerName"]
    labels = {"scheduling.x-k8s.io/pod-group": name}
    job = pods(4, {stage.device: "8"}, labels=labels, scheduler=scheduler)
    stage.plane.create(
        [
            {
                "apiVersion": "batch/v1",
                "kind": "Job",
                "metadata": {"name": name, "namespace": name},
                "spec": job,
            }
        ]
    )
    stage.until(lambda: False, 5)
    bound = len(stage.nodes_of(name))
    client.must(
        "PATCH", f"{_GROUPS}/{name}/podgroups/{name}", {"spec": {"minMember": 3}}, content_type=_MERGE
    )
    stage.until(lambda: len(stage.nodes_of(name)) == 3, 30)
    after = len(stage.nodes_of(name))
    client.must(
        "DELETE",
        f"/apis/batch/v1/namespaces/{name}/jobs/{name}",
        parameters={"propagationPolicy": "Background"},
    )
    text = f"{bound} of 4 pods started; when three were declared enough, {after} started"
    return (bound, after) == (0, 3), text


def eviction(stage: Stage) -> Result:
    """A job of 16 GPUs runs on two nodes; one of them gets the health label EVICT.

    AppWrapper resets the job, and it runs on the other two nodes without anybody's doing.
    """
    pause = {"workload.codeflare.dev.appwrapper/retryPausePeriodDuration": "5s"}
    stage.submit("alice", "blue", "large", 4, 4, annotations=pause)
    stage.until(lambda: len(stage.nodes_of("blue")) == 4, 30)
    before = sorted(set(stage.nodes_of("blue")))
    if not before:
        return False, "the job did not start"
    stage.plane.nodes.label(before[0], _HEALTH, "EVICT")

    def moved() -> bool:
        nodes = stage.nodes_of("blue")
        return len(nodes) == 4 and before[0] not in nodes

    good = stage.until(moved, 120)
    after = sorted(set(stage.nodes_of("blue")))
    stage.plane.nodes.label(before[0], _HEALTH, "PASS")
    text = f"from {' and '.join(before)} to {' and '.join(after)} after {before[0]} was marked"
    return good and len(before) == 2 and len(after) == 2, text


def _fill(stage: Stage) -> None:
    for number in range(1, 4):
        stage.submit("alice", "blue", f"normal-{number}", 2, 4)
        time.sleep(1.1)  # the newest is told by whole seconds
    stage.until(lambda: stage.count()[RUNNING] == 3, 20)


def _keep(stage: Stage, good: bool) -> bool:
    return good and stage.count()[RUNNING] == 3


def _usage(stage: Stage, queue: str) -> tuple[int, int]:
    for flavor in stage.queue(queue).get("flavorsUsage") or ():
        for resource in flavor["resources"]:
            if resource["name"] == stage.device:
                return int(resource.get("total", "0")), int(resource.get("borrowed", "0"))
    return 0, 0


def _device(plane: ControlPlane) -> str:
    """Return the device that the nodes have: the resource with a vendor's name."""
    for node in plane.client.must("GET", "/api/v1/nodes")["items"]:
        for name in node["status"].get("allocatable") or ():
            if "/" in name:
                return str(name)
    raise LabError("the cluster's nodes have no devices")
