"""From documents to objects: lists are opened, what is no Kubernetes object is said so, nothing is guessed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field

from kohort.dataclass import dataclass
from kohort.diagnostics import Audience, Consequence, Finding, Label, Severity, Unchecked
from kohort.objects.kube import Json, KubeObject, Typed
from kohort.objects.names import visible
from kohort.source.document import Document, SourceFile
from kohort.spans import Origin, Part, Path, show_path

SOURCE_GROUP = "kohort.dev"
_RENDERED_ELSEWHERE = {"Kustomization", "Component", "HelmRelease", "HelmChart"}


@dataclass(slots=True)
class Intake:
    """Everything found in a set of files."""

    objects: list[KubeObject] = field(default_factory=list)
    declarations: list[Document] = field(default_factory=list)  # documents of group kohort.dev
    findings: list[Finding] = field(default_factory=list)
    unchecked: list[Unchecked] = field(default_factory=list)
    files: int = 0


def take_in(files: Iterable[SourceFile]) -> Intake:
    """Sort the documents of files into objects, Kohort declarations and remarks."""
    intake = Intake()
    for file in files:
        intake.files += 1
        intake.findings += file.findings
        if file.note:
            intake.unchecked.append(Unchecked(file.file, file.note, file.file))
        for document in file.documents:
            _take_document(document, intake)
    return intake


def _take_document(document: Document, intake: Intake) -> None:
    value = document.value
    if not isinstance(value, Mapping):
        intake.findings.append(_foreign(document, (), f"not a Kubernetes object ({_shape(value)})"))
        return
    api_version, kind = value.get("apiVersion"), value.get("kind")
    if isinstance(api_version, str) and api_version.partition("/")[0] == SOURCE_GROUP:
        intake.declarations.append(document)
        return
    for path, item in _open_lists(value, (), 0):
        obj = _as_object(document, path, item, intake)
        if obj is not None:
            intake.objects.append(obj)
    if isinstance(kind, str) and kind in _RENDERED_ELSEWHERE:
        intake.unchecked.append(
            Unchecked(
                f"{kind} in {document.file}",
                "it is not rendered: pipe `kustomize build` into `kohort check -`",
                document.file,
            )
        )


def _open_lists(value: Json, path: Path, depth: int) -> Iterator[tuple[Path, Json]]:
    """`List` and `<Kind>List` objects as kubectl prints them; a list in a list is opened once more, not for ever."""
    kind = value.get("kind") if isinstance(value, Mapping) else None
    items = value.get("items") if isinstance(value, Mapping) else None
    if isinstance(kind, str) and kind.endswith("List") and isinstance(items, list) and depth < 4:
        element = kind.removesuffix("List")
        for index, item in enumerate(items):
            if isinstance(item, Mapping) and element and ("kind" not in item or "apiVersion" not in item):
                # the items of a typed list carry no kind of their own when the API server prints them
                item = {"apiVersion": value.get("apiVersion"), "kind": element, **item}  # noqa: PLW2901
            yield from _open_lists(item, (*path, "items", index), depth + 1)
        return
    yield path, value


def _as_object(document: Document, path: Path, value: Json, intake: Intake) -> KubeObject | None:
    if not isinstance(value, Mapping):
        intake.findings.append(_foreign(document, path, f"not a Kubernetes object ({_shape(value)})"))
        return None
    api_version, kind = value.get("apiVersion"), value.get("kind")
    for key, found in (("apiVersion", api_version), ("kind", kind)):
        if not isinstance(found, str) or not found:
            what = f"no {key}" if found is None else f"{key} is {_shape(found)}, not text"
            intake.findings.append(
                _foreign(
                    document, (*path, key) if found is not None else path, f"not a Kubernetes object: {what}"
                )
            )
            return None
    if not isinstance(api_version, str) or not isinstance(kind, str):
        raise TypeError("both were just seen to be text")
    metadata = value.get("metadata")
    name, namespace = "", ""
    if isinstance(metadata, Mapping):
        name, namespace = _text(metadata.get("name")), _text(metadata.get("namespace"))
    return KubeObject(api_version, kind, name, namespace, value, Typed(document.file, document.index, path))


def _text(value: Json) -> str:
    return value if isinstance(value, str) else ""


def _foreign(document: Document, path: Path, message: str, part: Part = "value") -> Finding:
    return Finding(
        code="OBJ001",
        name="document-without-kind",
        severity=Severity.ERROR,
        consequence=Consequence.INVALID,
        audience=Audience.TEAM,
        message=message,
        primary=Label(Origin(document.file, document.index, path, part)),
        field=show_path(path),
        help=(
            "every document needs apiVersion, kind and metadata.name; remove it or move it to a file that is not checked",
        ),
    )


_SHAPES: tuple[tuple[type | tuple[type, ...], str], ...] = (
    (bool, "boolean"),
    (str, "string"),
    ((int, float), "number"),
    (list, "list"),
    (Mapping, "mapping"),
)


def _shape(value: Json) -> str:
    if value is None:
        return "null"
    for types, word in _SHAPES:
        if isinstance(value, types):
            shown = f' "{visible(value)}"' if isinstance(value, str) and len(value) <= 30 else ""
            return word if word != "string" else f"string{shown}"
    return type(value).__name__
