"""Questions about one cluster: a snapshot of it, or the cluster as a repository declares it, with nothing running."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from kohort.diagnostics.suggest import did_you_mean
from kohort.engine.arguments import demand, judged_version
from kohort.engine.outcome import Progress, silent
from kohort.engine.usage import UsageProblem
from kohort.live.remark import Remarks
from kohort.live.snapshot import Snapshot, assemble, configuration_in, take
from kohort.objects.adjusting import Adjusting
from kohort.objects.kube import KubeObject
from kohort.objects.names import visible
from kohort.objects.pod_bounds import refusal
from kohort.objects.podsets import podsets
from kohort.semantics.asks import asks_of
from kohort.semantics.work import Work
from kohort.simulator.settings import read_settings
from kohort.source.bounded import read_bounded
from kohort.source.tree import STDIN
from kohort.why.answer import Answer
from kohort.why.examine import examine

if TYPE_CHECKING:
    from kohort.compiler.bundle import BuiltCluster
    from kohort.model.repo import Repo

_ENDINGS: Final = (".json", ".yaml", ".yml")
_QUEUE: Final = "kueue.x-k8s.io/queue-name"
_PRIORITY: Final = "kueue.x-k8s.io/priority-class"
_UNCONFIGURED: Final = (
    "the manager's Configuration is not known, so fair sharing and the like are taken to be as Kueue has them by default: add "
    "`kubectl get configmap -n kueue-system kueue-manager-config -o json` to the snapshot"
)
_EMPTY: Final = "nothing runs: this is the cluster as it is declared; `--snapshot` asks a real one"


class Inquiry:
    """One cluster that is asked about. Asking changes nothing, so any number of questions may follow each other.

    Attributes:
        snapshot: the state that is asked.
        cluster: its name, empty where none is known.
        notes: what every answer has to say about its ground.
    """

    def __init__(self, snapshot: Snapshot, cluster: str = "", notes: Sequence[str] = ()) -> None:
        self.snapshot = snapshot
        self.cluster = cluster
        self.notes = tuple(notes)

    def why(self, job: str) -> Answer:
        """About a job of the snapshot: `namespace/name` of its Workload, or of the job itself.

        The namespace may be left out where only one has it. Raises UsageProblem for a job that is not there.
        """
        return self._answer(self._find(job), job)

    def why_object(self, obj: KubeObject, name: str = "") -> Answer:
        """About a job that is not submitted yet, as an object of any kind that Kueue manages. Raises UsageProblem."""
        return self._answer(self.new_work(obj), name or f"{obj.namespace}/{obj.name}")

    def new_work(self, obj: KubeObject) -> Work:
        """A job as it would be queued now, behind all that wait."""
        found = podsets(obj.data)
        if not found.found:
            reasons = "; ".join(found.reasons) or "it has no pods"
            raise UsageProblem(f"{visible(obj.ref)} cannot be judged: {reasons}")
        labels = obj.labels()
        state, adjusting = self.snapshot.state, self._adjusting.of(obj.namespace)
        parts = max(1, found.workloads)
        sets = [replace(each, count=each.count // parts) for each in found.found]
        named = labels.get(_PRIORITY, "")
        now = state.now + state.settings.resolution
        return Work(
            f"{obj.namespace}/{obj.name}",
            labels.get(_QUEUE, ""),
            asks_of(sets, state.settings, adjusting),
            priority=self.snapshot.classes.get(named, 0),
            priority_class=named,
            created=now,
            order_time=now,
            refused=refusal([each.template for each in sets], adjusting),
        )

    def _answer(self, work: Work, name: str) -> Answer:
        answer = examine(self.snapshot, work, name=name, cluster=self.cluster)
        missing = () if work.namespace in self.snapshot.state.namespaces else (self._unknown_namespace(work),)
        return replace(answer, notes=(*answer.notes, *self.notes, *missing))

    def _unknown_namespace(self, work: Work) -> str:
        return f"namespace {visible(work.namespace)} is not in the snapshot: whether its queue takes it was not judged"

    def _find(self, job: str) -> Work:
        works = self.snapshot.works
        if job in works:
            return works[job].work
        keys = self._names.get(job, ())
        if len(keys) == 1:
            return works[keys[0]].work
        if keys:
            raise UsageProblem(
                f"{visible(job)} may be any of {', '.join(visible(key) for key in keys[:6])}: name one"
            )
        near = did_you_mean(job, {*works, *(name for name in self._names if "/" in name)})
        hint = f"; did you mean {visible(near[0])}?" if near else ""
        unread = next(self.snapshot.remarks.of_files(), None)
        why = f"; {unread.message}" if unread is not None else ""
        raise UsageProblem(
            f"there is no workload {visible(job)} among {len(works):,} of the snapshot{hint}{why}"
        )

    @cached_property
    def _names(self) -> Mapping[str, list[str]]:
        """Other ways to name a workload: by its job, and both without namespace."""
        found: defaultdict[str, list[str]] = defaultdict(list)
        for key, live in self.snapshot.works.items():
            namespace, _, name = key.partition("/")
            found[name].append(key)
            if live.owner and live.owner != name:
                found[live.owner].append(key)
                found[f"{namespace}/{live.owner}"].append(key)
        return found

    @cached_property
    def _adjusting(self) -> Adjusting:
        return Adjusting(self.snapshot.cluster.objects)


def ask_snapshot(
    paths: Sequence[str],
    *,
    kueue: str | None = None,
    repo: Repo | None = None,
    cluster: str = "",
    progress: Progress = silent,
    stdin: Callable[[], bytes] | None = None,
) -> Inquiry:
    """An inquiry about a live cluster, from files that `kubectl get … -o json` (or `-o yaml`) wrote; folders too.

    The version is `kueue`, else that of the repository's `cluster`, whose compiled Configuration also counts where the
    snapshot has none. Raises UsageProblem for a path that does not exist and a version that is not known.
    """
    declared = repo.clusters.get(cluster) if repo is not None else None
    version = judged_version(kueue or (declared.versions.get("kueue") if declared is not None else None))
    configuration = None
    if repo is not None and declared is not None:
        configuration = _configuration(_built(repo, cluster))
    files = _files(paths, stdin)
    snapshot = take(files, progress, kueue=version, configuration=configuration)
    notes = [*snapshot.gaps, *(() if snapshot.configured else (_UNCONFIGURED,))]
    return Inquiry(snapshot, cluster, notes)


def ask_declared(repo: Repo, cluster: str, *, kueue: str | None = None) -> Inquiry:
    """An inquiry about a cluster of a repository as it is declared: its queues and nodes, and nothing running."""
    if cluster not in repo.clusters:
        near = did_you_mean(cluster, repo.clusters)
        hint = (
            f"; did you mean {near[0]}?"
            if near
            else f"; there are: {', '.join(sorted(repo.clusters)) or 'none'}"
        )
        raise UsageProblem(f"there is no cluster {visible(cluster)}{hint}")
    built = _built(repo, cluster)
    version = judged_version(kueue) if kueue else built.cluster.kueue
    settings = read_settings(_configuration(built), version)
    return Inquiry(assemble(built.cluster, {}, settings, Remarks()), cluster, [_EMPTY])


def _built(repo: Repo, cluster: str) -> BuiltCluster:
    # the compiler takes longer to import than most snapshots to read
    from kohort.compiler.build import build_cluster
    from kohort.compiler.reaching import by_cluster

    return build_cluster(by_cluster(repo)[cluster], cluster)[0]


def _configuration(built: BuiltCluster) -> Mapping[str, Any] | None:
    return next((c for obj in built.cluster.objects if (c := configuration_in(obj)) is not None), None)


def _files(paths: Sequence[str], stdin: Callable[[], bytes] | None) -> Iterator[tuple[str, bytes]]:
    for path in paths:
        if path == STDIN and stdin is not None:
            yield STDIN, stdin()
            continue
        demand(path)
        for file in _below(path):
            try:
                yield file, read_bounded(file)
            except OSError as error:
                raise UsageProblem(f"cannot read {file}: {error.strerror or error}") from error


def _below(path: str) -> Iterator[str]:
    """The file, or the files of a folder in order of their names; links to folders are not followed."""
    if not os.path.isdir(path):  # noqa: PTH112 - a text is named as it was typed
        yield path
        return
    for folder, names, files in os.walk(path):
        names[:] = sorted(name for name in names if not name.startswith("."))
        yield from (f"{folder}/{name}" for name in sorted(files) if name.endswith(_ENDINGS))
