"""Plain mode: any folders or files of Kubernetes YAML are one cluster."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from kohort.capacity import assess
from kohort.diagnostics import Report, Unchecked
from kohort.diagnostics.count import count_of
from kohort.diagnostics.report import arrange
from kohort.engine.judge import judge_cluster
from kohort.engine.number_traps import number_traps
from kohort.engine.outcome import Outcome, Settings
from kohort.engine.reading import TreeSet, read_all
from kohort.engine.settle import settle
from kohort.objects.cluster import KUEUE_GROUP, Cluster
from kohort.objects.intake import Intake, take_in
from kohort.objects.kube import KubeObject
from kohort.objects.slack import slack_queues
from kohort.objects.versions import shown_version
from kohort.rules.references.unchecked import unchecked
from kohort.source.positions import Positions
from kohort.source.tree import SourceTree


def check_plain(trees: Sequence[SourceTree], settings: Settings) -> Outcome:
    """Judge everything in `trees` as one cluster of the version in `settings`. Never raises for bad input."""
    tree = TreeSet(trees)
    files = read_all(tree, settings.progress)
    intake = take_in(files)
    places = Positions(tree.read_or_none)
    cluster = Cluster(intake.objects, kueue=settings.kueue)
    cluster.slack_queues = slack_queues(cluster)
    settings.progress(f"judging {count_of(len(intake.objects), 'object')}")
    findings = [*tree.problems, *intake.findings, *judge_cluster(cluster, read=intake.findings)]
    traps = list(number_traps(intake.objects, frozenset(tree.odd_files), places))
    odd = {
        finding.primary.origin for finding in traps
    }  # what the number would mean if it were plain is not said too
    findings = [f for f in findings if f.primary.origin not in odd or not f.code.startswith("UNT")] + traps
    report = Report(
        findings=arrange(findings),
        unchecked=(*intake.unchecked, *unchecked(cluster), *_gaps(intake, cluster)),
        summary=(*_summary(intake, cluster), *assess(cluster).summary(settings.at)),
        files=intake.files,
        objects=len(intake.objects),
    )
    return settle(report, places, tree, settings)


def _gaps(intake: Intake, cluster: Cluster) -> list[Unchecked]:
    gaps = []
    if intake.declarations:
        gaps.append(
            Unchecked(
                f"{len(intake.declarations)} Kohort declarations",
                "they are judged in a repository: run `kohort check` at the folder that holds kohort.yaml",
            )
        )
    if cluster.queues and not cluster.nodes:
        gaps.append(
            Unchecked(
                "capacity", "no Node objects were given: add `--nodes FILE` (kubectl get nodes -o yaml)"
            )
        )
    return gaps


def _summary(intake: Intake, cluster: Cluster) -> tuple[str, ...]:
    kinds = Counter(_kind_of(obj) for obj in intake.objects)
    listed = ", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items()))
    version = shown_version(cluster.kueue)
    patch = "" if version == cluster.kueue else " (newest patch)"
    return (f"judged as Kueue {version}{patch}", f"objects: {listed or 'none'}")


def _kind_of(obj: KubeObject) -> str:
    return obj.kind if obj.group == KUEUE_GROUP or "/" not in obj.api_version else f"{obj.kind}.{obj.group}"
