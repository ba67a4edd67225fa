"""Where declarations belong: folders say who owns what."""

from __future__ import annotations

from pathlib import PurePosixPath

from kohort.diagnostics import Finding
from kohort.model.codes import finding
from kohort.model.repo import Declared, Inventory, Maintenance, Workload

_FOLDERS = {
    "Organisation": "kohort.yaml",
    "Cluster": "clusters/<name>/cluster.yaml",
    "Inventory": "clusters/<name>/inventory.yaml",
    "Maintenance": "clusters/<name>/maintenance/",
    "Team": "teams/<name>/",
    "Workload": "teams/<team>/",
    "WorkloadTemplate": "workloads/templates/",
    "Exception": "ci/exceptions/",
    "Scenario": "workloads/scenarios/",
    "Policy": "ci/policies/",
    "PolicyTest": "ci/policies/",
}
_OF_QUEUES = "queues/"


def misplaced(kind: str, declaration: Declared) -> Finding | None:
    """The finding for a declaration in the wrong file or folder."""
    file = declaration.origin.file
    parts = PurePosixPath(file).parts
    wanted = _FOLDERS.get(kind, _OF_QUEUES)
    subject = f"{kind} {declaration.name}"
    if not _stands_in(kind, parts):
        article = "an" if kind[0] in "AEIO" else "a"
        text = f"{subject} stands in {file}; {article} {kind} belongs in {wanted}"
        return finding(
            "SRC109", text, declaration.origin.child("kind"), subject=subject, help=(f"move it to {wanted}",)
        )
    folder = parts[1] if len(parts) > 1 else ""
    owner, path = _owner(kind, declaration)
    if owner is not None and owner != folder:
        text = f"{subject} says {'name' if path == ('metadata', 'name') else path[-1]} `{owner}`, but stands in {parts[0]}/{folder}"
        return finding(
            "SRC109",
            text,
            declaration.origin.child(*path),
            subject=subject,
            help=(f"write `{folder}`, or move the file to {parts[0]}/{owner}",),
        )
    return None


def _stands_in(kind: str, parts: tuple[str, ...]) -> bool:
    match kind:
        case "Organisation":
            return parts == ("kohort.yaml",)
        case "Cluster" | "Inventory":
            return len(parts) == 3 and parts[0] == "clusters"
        case "Maintenance":
            return len(parts) > 3 and parts[0] == "clusters" and parts[2] == "maintenance"
        case "Team" | "Workload":
            return len(parts) > 2 and parts[0] == "teams"
        case "WorkloadTemplate":
            return parts[:2] == ("workloads", "templates")
        case "Exception":
            return parts[:2] == ("ci", "exceptions")
        case "Policy" | "PolicyTest":
            return parts[:2] == ("ci", "policies")
        case "Scenario":
            return parts[:2] == ("workloads", "scenarios")
        case _:
            return parts[0] == "queues"


def _owner(kind: str, declaration: Declared) -> tuple[str | None, tuple[str, ...]]:
    """The name that the folder must have, and the field that says so."""
    if isinstance(declaration, Maintenance):
        return declaration.cluster, ("spec", "cluster")
    if isinstance(declaration, Workload):
        return declaration.team, ("spec", "team")
    if isinstance(declaration, Inventory) or kind in ("Cluster", "Team"):
        return declaration.name, ("metadata", "name")
    return None, ()
