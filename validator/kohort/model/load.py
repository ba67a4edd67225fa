"""From documents to the `Repo`: each one validated, placed, and declared once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, MutableMapping
from dataclasses import field, replace
from typing import TYPE_CHECKING, TypeVar

from kohort.dataclass import dataclass
from kohort.diagnostics import Finding, Label
from kohort.model.codes import finding
from kohort.model.inventory import lower
from kohort.model.policy import Policy, PolicyTest
from kohort.model.references import missing_references
from kohort.model.repo import (
    AdmissionCheckDecl,
    ClusterDecl,
    CohortDecl,
    Declared,
    ExceptionDecl,
    FlavorDecl,
    Inventory,
    Maintenance,
    Organisation,
    Priority,
    QueueClass,
    Repo,
    Size,
    Team,
    TopologyDecl,
    Workload,
    WorkloadTemplate,
)
from kohort.model.scenario import Scenario
from kohort.model.scenario_references import missing_in_scenarios
from kohort.model.taken import Document, Taken, about
from kohort.model.template_check import template_faults
from kohort.objects.kube import KubeObject
from kohort.spans import Origin

if TYPE_CHECKING:
    from kohort.model.kinds.inventory import InventoryDocument

_Declared = TypeVar("_Declared", bound=Declared)


@dataclass(slots=True)
class _Loading:
    """What has been declared so far."""

    declared: dict[tuple[str, str], tuple[str, Declared]] = field(default_factory=dict)
    inventories: list[tuple[InventoryDocument, Origin]] = field(default_factory=list)
    broken: set[tuple[str, str]] = field(default_factory=set)
    findings: list[Finding] = field(default_factory=list)


def load(
    documents: Iterable[Document],
    raw: Mapping[str, list[KubeObject]],
    stray: Iterable[KubeObject] = (),
    known: MutableMapping[tuple[str, int], Taken] | None = None,
    unread: Iterable[tuple[str, str]] = (),
) -> Repo:
    """All declarations of a repository.

    `documents` are those of group kohort.dev, with files relative to the repository; `raw` the Kubernetes objects of
    each cluster's `raw/` folder; `stray` Kubernetes objects that stand anywhere else. Of two declarations with one
    name the first in the order of files counts. Never raises on bad input: `Repo.findings` says what is wrong,
    `Repo.broken` which declarations could not be used. `known` holds what documents of these files and numbers gave
    before, where they have not changed since; the others are added to it. `unread` are the (kind, name) of declarations that
    stand in files that could not be read.
    """
    state = _Loading(broken=set(unread))
    known = {} if known is None else known
    for document in sorted(documents, key=lambda d: (d.file, d.index)):
        _take(document, state, known)
    clusters = _of(state, ClusterDecl)
    for inventory, origin in state.inventories:
        nodes, found = lower(inventory, origin, clusters.get(inventory.metadata.name))
        state.findings += found
        declared = Inventory(
            name=inventory.metadata.name,
            origin=origin,
            title=inventory.metadata.title,
            cluster=inventory.metadata.name,
            observed=inventory.spec.observed,
            nodes=nodes,
        )
        _declare("Inventory", declared, about("Inventory", declared), state)
    state.findings += [_stray(obj) for obj in stray]
    state.findings += _ownerless(raw, clusters, state.broken)
    organisations = list(_of(state, Organisation).values())
    repo = Repo(
        organisation=organisations[0] if organisations else None,
        clusters=clusters,
        inventories=_of(state, Inventory),
        maintenances=_listed(state, Maintenance),
        flavors=_of(state, FlavorDecl),
        topologies=_of(state, TopologyDecl),
        cohorts=_of(state, CohortDecl),
        classes=_of(state, QueueClass),
        sizes=_of(state, Size),
        priorities=_of(state, Priority),
        checks=_of(state, AdmissionCheckDecl),
        teams=_of(state, Team),
        templates=_of(state, WorkloadTemplate),
        workloads=_listed(state, Workload),
        exceptions=_listed(state, ExceptionDecl),
        scenarios=_of(state, Scenario),
        policies=_of(state, Policy),
        policy_tests=_listed(state, PolicyTest),
        raw={cluster: tuple(objects) for cluster, objects in sorted(raw.items())},
        broken=frozenset(state.broken),
        findings=tuple(state.findings),
    )
    later = (*missing_references(repo), *missing_in_scenarios(repo), *template_faults(repo))
    return replace(repo, findings=(*repo.findings, *later))


def _take(document: Document, state: _Loading, known: MutableMapping[tuple[str, int], Taken]) -> None:
    place = document.file, document.index
    taken = known.get(place)
    if taken is None:
        # pydantic and the models of all kinds are slow to import: only for documents that nobody has read before
        from kohort.model.take import take

        taken = known[place] = take(document)
    state.findings += taken.findings
    if taken.broken is not None:
        state.broken.add(taken.broken)
    if taken.inventory is not None:
        state.inventories.append((taken.inventory, Origin(*place)))
    elif taken.declared is not None:
        _declare(taken.kind, taken.declared, taken.about, state)


def _declare(kind: str, declaration: Declared, about: Iterable[Finding], state: _Loading) -> None:
    state.findings += about
    key = _key(kind, declaration)
    first = state.declared.get(key)
    if first is not None:
        where = first[1].origin
        what = f"{kind} {declaration.name}" if kind != "Organisation" else "the Organisation"
        text = f"{what} is declared twice: here and in {where.file}, which counts"
        state.findings.append(
            finding(
                "SRC107",
                text,
                declaration.origin.child("metadata", "name"),
                subject=f"{kind} {declaration.name}",
                related=(Label(where.child("metadata", "name"), "first declared here"),),
            )
        )
        return
    state.declared[key] = (kind, declaration)


def _key(kind: str, declaration: Declared) -> tuple[str, str]:
    """What must be unique: names per kind; of maintenances per cluster, of workloads per team, one Organisation."""
    if isinstance(declaration, Maintenance):
        return kind, f"{declaration.cluster}/{declaration.name}"
    if isinstance(declaration, Workload):
        return kind, f"{declaration.team}/{declaration.name}"
    return kind, "" if kind == "Organisation" else declaration.name


def _listed(state: _Loading, kind: type[_Declared]) -> tuple[_Declared, ...]:
    return tuple(item for _, item in state.declared.values() if isinstance(item, kind))


def _of(state: _Loading, kind: type[_Declared]) -> dict[str, _Declared]:
    """Declarations of a kind by name, sorted, so that the order of files decides nothing."""
    return {item.name: item for item in sorted(_listed(state, kind), key=lambda item: item.name)}


def _stray(obj: KubeObject) -> Finding:
    text = f"{obj.ref} stands outside the raw/ folders, so no cluster gets it"
    return finding(
        "SRC109",
        text,
        obj.at("kind"),
        subject=obj.ref,
        help=("move it to clusters/<name>/raw/, or declare it in Kohort's own kinds",),
    )


def _ownerless(
    raw: Mapping[str, list[KubeObject]], clusters: Mapping[str, ClusterDecl], broken: set[tuple[str, str]]
) -> list[Finding]:
    found = []
    for cluster, objects in sorted(raw.items()):
        if cluster in clusters or ("Cluster", cluster) in broken or not objects:
            continue
        text = f"clusters/{cluster} has manifests but no Cluster {cluster} is declared"
        found.append(
            finding("SRC109", text, objects[0].at("kind"), help=(f"add clusters/{cluster}/cluster.yaml",))
        )
    return found
