"""A live cluster at one moment: its configuration, the work that uses quota, and the work that waits in each queue."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from kohort.live.forests import plant
from kohort.live.gaps import activate, fill
from kohort.live.reading import Tell, read
from kohort.live.remark import Kind, Remarks
from kohort.live.sums import compare
from kohort.live.users import UsersOf
from kohort.live.works import LiveWork, read_work
from kohort.objects.adjusting import Adjusting
from kohort.objects.cluster import KUEUE_GROUP, Cluster
from kohort.objects.kube import KubeObject, Typed, mappings
from kohort.objects.names import visible
from kohort.semantics.settings import Settings
from kohort.semantics.state import State
from kohort.semantics.work import Phase, Work
from kohort.simulator.settings import read_settings
from kohort.source.collector import no_collection
from kohort.source.reader import read_file

_WANTED: Final = frozenset(
    {
        "AdmissionCheck",
        "ClusterQueue",
        "Cohort",
        "ConfigMap",
        "Configuration",
        "LimitRange",
        "LocalQueue",
        "Namespace",
        "Node",
        "ResourceFlavor",
        "RuntimeClass",
        "Topology",
        "WorkloadPriorityClass",
    }
)
_OF_KUEUE: Final = _WANTED - {
    "ConfigMap",
    "Configuration",
    "LimitRange",
    "Namespace",
    "Node",
    "RuntimeClass",
}
CONFIGURATION_KEY: Final = "controller_manager_config.yaml"


@dataclass(eq=False, slots=True)
class Snapshot:
    """What was read. `waiting` holds, by ClusterQueue, what has no quota, in the order of the queue.

    `lost` is waiting work whose LocalQueue leads nowhere. `taken` is the newest time that any object states, in
    milliseconds since 1970: the snapshot is not older.
    """

    cluster: Cluster
    state: State
    works: dict[str, LiveWork] = field(default_factory=dict)
    waiting: dict[str, list[Work]] = field(default_factory=dict)
    lost: list[Work] = field(default_factory=list)
    remarks: Remarks = field(default_factory=Remarks)
    taken: int = 0
    configured: bool = True  # whether the manager's Configuration is known
    gaps: tuple[str, ...] = ()  # kinds that were left out, and what that means
    users: UsersOf = field(default_factory=UsersOf)  # who uses what, as it is asked for

    @property
    def classes(self) -> dict[str, int]:
        """The declared priorities: name → value."""
        found = {}
        for obj in self.cluster.kueue_kind("WorkloadPriorityClass"):
            value = obj.get("value")
            if isinstance(value, int) and not isinstance(value, bool):
                found[obj.name] = value
        return found


def take(
    files: Iterable[tuple[str, bytes]],
    tell: Tell,
    *,
    kueue: str,
    configuration: Mapping[str, Any] | None = None,
) -> Snapshot:
    """Read the files of one snapshot, each as (name, bytes). Never raises for what they hold.

    The manager's Configuration is taken from the snapshot if it is in there, else `configuration` counts, else the
    defaults of version `kueue`.
    """
    remarks = Remarks()
    objects: list[KubeObject] = []
    workloads: list[Mapping[str, Any]] = []
    seen: set[tuple[str, str, str]] = set()
    with no_collection():
        for file, data in files:
            tell(f"reading {file}")
            for obj in read(file, data, remarks, tell):
                if obj["kind"] == "Workload" and str(obj.get("apiVersion")).startswith(f"{KUEUE_GROUP}/"):
                    workloads.append(obj)
                else:
                    _sort(file, obj, objects, seen, remarks)
        found = next((config for obj in objects if (config := configuration_in(obj)) is not None), None)
        settings = read_settings(configuration if found is None else found, kueue)
        tell(f"counting what {len(workloads):,} workloads use")
        works = _works(workloads, settings, remarks, Adjusting(objects))
        snapshot = assemble(Cluster(objects, kueue=kueue), works, settings, remarks)
    snapshot.configured = found is not None or configuration is not None
    return snapshot


def configuration_in(obj: KubeObject) -> Mapping[str, Any] | None:
    """The manager's Configuration that an object is or holds; None for any other."""
    if obj.kind == "Configuration" and obj.group == "config.kueue.x-k8s.io":
        return obj.data
    text = obj.get("data", CONFIGURATION_KEY) if obj.kind == "ConfigMap" else None
    if not isinstance(text, str):
        return None
    documents = read_file(CONFIGURATION_KEY, text.encode("utf-8", "replace")).documents
    return documents[0].value if documents else None


def _works(
    workloads: list[Mapping[str, Any]], settings: Settings, remarks: Remarks, adjusting: Adjusting
) -> dict[str, LiveWork]:
    """By key. What is read is let go at once: pods take most of the memory of a snapshot."""
    works: dict[str, LiveWork] = {}
    workloads.reverse()
    while workloads:
        work = read_work(workloads.pop(), settings, remarks, adjusting)
        if work is None:
            continue
        if work.work.key in works:
            _twice(remarks, f"Workload {work.work.key}")
        works.setdefault(work.work.key, work)
    return works


def _sort(
    file: str,
    obj: Mapping[str, Any],
    objects: list[KubeObject],
    seen: set[tuple[str, str, str]],
    remarks: Remarks,
) -> None:
    kind, version = obj["kind"], obj.get("apiVersion")
    version = version if isinstance(version, str) else ""
    if kind not in _WANTED or (kind in _OF_KUEUE and version.partition("/")[0] != KUEUE_GROUP):
        return
    metadata = obj["metadata"]
    name, namespace = metadata.get("name"), metadata.get("namespace")
    name = name if isinstance(name, str) else ""
    namespace = namespace if isinstance(namespace, str) else ""
    if (kind, namespace, name) in seen:
        _twice(remarks, f"{kind} {namespace}/{name}" if namespace else f"{kind} {name}")
        return
    seen.add((kind, namespace, name))
    objects.append(KubeObject(version, kind, name, namespace, obj, Typed(file)))


def _twice(remarks: Remarks, subject: str) -> None:
    subject = visible(subject)
    remarks.add(Kind.TWICE, subject, f"{subject} is in the snapshot twice: the first one counts")


def assemble(cluster: Cluster, works: dict[str, LiveWork], settings: Settings, remarks: Remarks) -> Snapshot:
    """The state of a cluster with this work in it."""
    state = State(
        settings,
        specs=dict(cluster.queues),
        cohorts=dict(cluster.cohorts),
        flavors=dict(cluster.flavors),
        local_queues=dict(cluster.local_queues),
        # the server labels every namespace with its name
        namespaces={
            n: {**o.labels(), "kubernetes.io/metadata.name": n} for n, o in cluster.namespaces.items()
        },
        topologies=dict(_topologies(cluster)),
    )
    gaps = fill(state, cluster)
    state.rebuild()
    activate(state, cluster)
    snapshot = Snapshot(cluster, state, works, remarks=remarks, gaps=gaps)
    waiting: defaultdict[str, list[Work]] = defaultdict(list)
    for live in works.values():
        work = live.work
        snapshot.taken = max(
            snapshot.taken, work.created, *(condition.at for condition in work.conditions.values())
        )
        if work.assignment is not None:
            _use(state, work, remarks)
        elif work.phase is Phase.PENDING:
            queue = state.queue_of(work)
            (snapshot.lost if queue is None else waiting[queue.name]).append(work)
    for queue in state.queues.values():
        queue.works = dict(sorted(queue.works.items(), key=lambda item: (item[1].reserved_at, item[0])))
    for name, listed in waiting.items():
        snapshot.waiting[name] = sorted(listed, key=rank)
    plant(state, cluster)
    compare(state, remarks)
    state.now = snapshot.taken
    return snapshot


def _topologies(cluster: Cluster) -> Iterator[tuple[str, tuple[str, ...]]]:
    for obj in cluster.kueue_kind("Topology"):
        labels = (level.get("nodeLabel") for _, level in mappings(obj.get("spec", "levels")))
        yield obj.name, tuple(label for label in labels if isinstance(label, str))


def rank(work: Work) -> tuple[bool, int, int, str]:
    """The order of a queue: priority, then time, then uid (kueue.md 5.1)."""
    return (not work.sticky, -work.priority, work.order_time, work.uid)


def _use(state: State, work: Work, remarks: Remarks) -> None:
    """Count what the work uses in its queue, as far as queue and flavors are there."""
    subject = f"Workload {visible(work.key)}"
    queue = state.queues.get(work.cluster_queue)
    if queue is None:
        remarks.add(
            Kind.NO_QUEUE,
            subject,
            f"{subject} is admitted to ClusterQueue {visible(work.cluster_queue) or '(none)'}, which is not in the "
            "snapshot: it counts nowhere",
        )
        return
    for (flavor, resource), units in work.usage.items():
        if not units or (flavor, resource) in queue.cells:
            continue
        uses = f"{subject} uses {visible(resource)} of flavor {visible(flavor)} in ClusterQueue {visible(queue.name)}"
        if flavor not in state.flavors and state.flavors:
            remarks.add(
                Kind.NO_FLAVOR, subject, f"{uses}, and there is no such flavor: it counts in its cohort only"
            )
        else:
            remarks.add(
                Kind.NO_QUOTA,
                subject,
                f"{uses}, and the queue has no quota of it: it counts in its cohort only",
            )
    queue.works[work.key] = work
    queue.add(work.usage)
