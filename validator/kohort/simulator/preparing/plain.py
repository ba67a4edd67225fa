"""A scenario on plain manifests: LocalQueues and ClusterQueues by their own names."""

from __future__ import annotations

from collections.abc import Iterator

from kohort.diagnostics import Finding
from kohort.diagnostics.suggest import did_you_mean
from kohort.model.codes import finding
from kohort.model.scenario import JobSource, Scenario
from kohort.objects.cluster import Cluster
from kohort.simulator.arrivals.jobs import Source
from kohort.simulator.job import Submitter
from kohort.simulator.preparing.changes import edits_of
from kohort.simulator.preparing.declared import EVICTING, settings_of, teams_of
from kohort.simulator.preparing.levels import unknown_levels
from kohort.simulator.preparing.ready import Ready
from kohort.simulator.preparing.shapes import accelerator_of, plain_shape
from kohort.simulator.preparing.sizes import impossible


def prepare_plain(cluster: Cluster, scenario: Scenario) -> Ready:
    """The run of a scenario on the objects of `cluster`, with findings about names that are not among them."""
    sources: list[Source] = []
    findings: list[Finding] = []
    for declared in scenario.jobs:
        made = _source(scenario, declared, cluster)
        if isinstance(made, Source):
            sources.append(made)
        else:
            findings.append(made)
    findings += _nodes(scenario, cluster)
    objects = {(obj.kind, obj.namespace, obj.name): obj for obj in cluster.objects}
    edits, wrong = edits_of(scenario, objects, None)
    return Ready(
        scenario,
        cluster,
        settings_of(cluster),
        teams_of(cluster),
        tuple(sources),
        edits=tuple(edits),
        evicting={s.key: EVICTING for s in cluster.health.labels if EVICTING & frozenset(s.bad)},
        findings=(
            *findings,
            *wrong,
            *impossible(scenario, tuple(sources), cluster),
            *unknown_levels(scenario, tuple(sources), cluster),
        ),
    )


def _source(scenario: Scenario, declared: JobSource, cluster: Cluster) -> Source | Finding:
    subject = f"Scenario {scenario.name}"
    where = scenario.at(*declared.path)
    if declared.template:
        text = f"{subject}: jobs {declared.name} name a template, but plain manifests have none"
        return finding(
            "SRC131", text, where.child("template"), subject=subject, help=("state `pods` and `gpus`",)
        )
    names = [f"{namespace}/{name}" for namespace, name in cluster.local_queues]
    namespace = declared.namespace or declared.team
    if not namespace or not declared.queue:
        return finding(
            "SRC103",
            f"{subject}: jobs {declared.name} lack `{'queue' if namespace else 'namespace'}`: a LocalQueue is named by both",
            where,
            subject=subject,
            help=(f"LocalQueues: {', '.join(names[:10]) or 'none'}",),
        )
    local = cluster.local_queues.get((namespace, declared.queue))
    if local is None:
        near = did_you_mean(f"{namespace}/{declared.queue}", names)
        hint = f"; did you mean `{near[0]}`?" if near else ""
        return finding(
            "SRC131",
            f"{subject}: there is no LocalQueue {namespace}/{declared.queue}{hint}",
            where.child("queue"),
            subject=subject,
            help=(f"there are: {', '.join(names[:10]) or 'none'}",),
        )
    classes = {obj.name: obj for obj in cluster.kueue_kind("WorkloadPriorityClass")}
    if declared.priority and declared.priority not in classes:
        near = did_you_mean(declared.priority, classes)
        hint = f"; did you mean `{near[0]}`?" if near else ""
        text = f"{subject}: there is no WorkloadPriorityClass {declared.priority}{hint}"
        return finding("SRC131", text, where.child("priority"), subject=subject)
    value = classes[declared.priority].get("value") if declared.priority else 0
    priority = value if isinstance(value, int) else 0
    queue = cluster.queues.get(local.cluster_queue)
    accelerator = declared.accelerator or (accelerator_of(queue) if queue is not None else "")
    if declared.gpus is not None and not accelerator:
        text = f"{subject}: jobs {declared.name} ask for GPUs, but ClusterQueue {local.cluster_queue} has quota of none"
        return finding(
            "SRC131", text, where.child("gpus"), subject=subject, help=("name the resource: `accelerator`",)
        )
    submitter = Submitter(declared.team, namespace, declared.queue, priority, declared.priority)
    return Source(declared, submitter, plain_shape(declared, accelerator, gang=False), declared.restarts)


def _nodes(scenario: Scenario, cluster: Cluster) -> Iterator[Finding]:
    known = {node.name for node in cluster.nodes}
    subject = f"Scenario {scenario.name}"
    for change in scenario.nodes:
        for i, name in enumerate(change.nodes):
            if name in known:
                continue
            path = (*change.path, "node") if change.single else (*change.path, "nodes", i)
            near = did_you_mean(name, known)
            hint = f"; did you mean `{near[0]}`?" if near else ""
            gap = "" if known else ": no Node objects were given"
            text = f"{subject}: there is no node {name}{hint}{gap}"
            yield finding("SRC131", text, scenario.at(*path), subject=subject)
