"""From documents to the `Repo`: each one validated, placed, and declared once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Protocol, TypeVar

from pydantic import ValidationError

from kohort.diagnostics import Finding, Label
from kohort.diagnostics.suggest import did_you_mean
from kohort.model.codes import finding
from kohort.model.inventory import lower
from kohort.model.kinds import API_VERSION, KINDS, Envelope
from kohort.model.kinds.inventory import InventoryDocument
from kohort.model.place import misplaced
from kohort.model.problems import problems, shown
from kohort.model.references import missing_references
from kohort.model.repeated import repeated_entries
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
from kohort.model.template_check import template_faults
from kohort.objects.kube import KubeObject
from kohort.spans import Origin

_Declared = TypeVar("_Declared", bound=Declared)


class Document(Protocol):
    """What is needed of a parsed document: its file, its number in the file, and its plain value."""

    @property
    def file(self) -> str:
        """Path relative to the repository."""

    @property
    def index(self) -> int:
        """Number of the document in its file, from 0."""

    @property
    def value(self) -> Any:
        """The plain value."""


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
) -> Repo:
    """All declarations of a repository.

    `documents` are those of group kohort.dev, with files relative to the repository; `raw` the Kubernetes objects of
    each cluster's `raw/` folder; `stray` Kubernetes objects that stand anywhere else. Of two declarations with one
    name the first in the order of files counts. Never raises on bad input: `Repo.findings` says what is wrong,
    `Repo.broken` which declarations could not be used.
    """
    state = _Loading()
    for document in sorted(documents, key=lambda d: (d.file, d.index)):
        _take(document, state)
    clusters = _of(state, ClusterDecl)
    for inventory, origin in state.inventories:
        nodes, found = lower(inventory, origin, clusters.get(inventory.metadata.name))
        state.findings += found
        _declare(
            "Inventory",
            Inventory(
                name=inventory.metadata.name,
                origin=origin,
                title=inventory.metadata.title,
                cluster=inventory.metadata.name,
                observed=inventory.spec.observed,
                nodes=nodes,
            ),
            state,
        )
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
        raw={cluster: tuple(objects) for cluster, objects in sorted(raw.items())},
        broken=frozenset(state.broken),
        findings=tuple(state.findings),
    )
    return replace(repo, findings=(*repo.findings, *missing_references(repo), *template_faults(repo)))


def _take(document: Document, state: _Loading) -> None:
    value, origin = document.value, Origin(document.file, document.index)
    if not isinstance(value, Mapping):
        return
    kind, version = value.get("kind"), value.get("apiVersion")
    name = _name_of(value)
    subject = f"{kind} {name}" if name else f"{kind} in {document.file}"
    if version != API_VERSION:
        text = f"{subject}: this Kohort reads {API_VERSION}, not {shown(version)}"
        state.findings.append(finding("SRC108", text, origin.child("apiVersion")))
        _break(kind, name, state)
        return
    model = KINDS.get(kind) if isinstance(kind, str) else None
    if model is None:
        near = did_you_mean(kind, KINDS) if isinstance(kind, str) else ()
        hint = f"; did you mean `{near[0]}`?" if near else ""
        text = (
            f"there is no kind {shown(kind)} in {API_VERSION}{hint}"
            if "kind" in value
            else f"a document of {API_VERSION} lacks `kind`"
        )
        at = origin.child("kind") if "kind" in value else origin.child("apiVersion", part="key")
        state.findings.append(finding("SRC108", text, at, help=(f"kinds: {', '.join(KINDS)}",)))
        return
    read = _validated(value, model, subject, origin, state)
    if read is None or not isinstance(kind, str):
        _break(kind, name, state)
    elif isinstance(read, InventoryDocument):
        state.inventories.append((read, origin))
    else:
        _declare(kind, read.declare(origin), state)


def _validated(
    value: Mapping[str, Any], model: type[Envelope[Any]], subject: str, origin: Origin, state: _Loading
) -> Envelope[Any] | None:
    """The document, or None when it is unusable. Unknown fields are reported and read over."""
    try:
        return model.model_validate(value)
    except ValidationError as error:
        state.findings += problems(error, model, subject, origin)
        details = error.errors(include_url=False)
    unknown = [detail["loc"] for detail in details if detail["type"] == "extra_forbidden"]
    if len(unknown) < len(details):
        return None
    try:
        return model.model_validate(_without(value, unknown))
    except ValidationError as error:
        # Validation of a whole mapping runs only when its fields are right, so it may find more now; but what lacks
        # beside an unknown field is what that one was meant to be.
        parents = {origin.child(*path[:-1]).path for path in unknown}
        state.findings += [
            found
            for found in problems(error, model, subject, origin)
            if found.code != "SRC103" or found.primary.origin.path not in parents
        ]
        return None


def _without(value: Any, paths: list[tuple[int | str, ...]]) -> Any:
    """A copy of a document without the values at these paths."""
    here = {path[0] for path in paths if len(path) == 1}
    further = {
        step: [path[1:] for path in paths if len(path) > 1 and path[0] == step]
        for step in {p[0] for p in paths}
    }
    if isinstance(value, Mapping):
        return {
            key: _without(item, further[key]) if further.get(key) else item
            for key, item in value.items()
            if key not in here
        }
    if isinstance(value, list):
        return [_without(item, further[i]) if further.get(i) else item for i, item in enumerate(value)]
    return value


def _declare(kind: str, declaration: Declared, state: _Loading) -> None:
    found = misplaced(kind, declaration)
    if found is not None:
        state.findings.append(found)
    state.findings += repeated_entries(declaration)
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


def _break(kind: Any, name: str, state: _Loading) -> None:
    if isinstance(kind, str) and kind in KINDS and name:
        state.broken.add((kind, name))


def _name_of(value: Mapping[str, Any]) -> str:
    metadata = value.get("metadata")
    name = metadata.get("name") if isinstance(metadata, Mapping) else None
    return name if isinstance(name, str) else ""


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
