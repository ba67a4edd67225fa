"""What a rule is: its identity, what it looks at, and how it makes a finding.

A rule module holds one `RULE` and one decorated function. The module's docstring is its published documentation:
first line what is wrong, then the sections `Why`, `Bad`, `Good` and `Source`; the YAML in `Bad` and `Good` is run by
the tests.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from kohort.diagnostics import Audience, Consequence, Finding, Fix, Label, Severity, Term
from kohort.objects.cluster import Cluster
from kohort.objects.kube import KubeObject
from kohort.spans import Origin, Part, Path, show_path

if TYPE_CHECKING:
    from kohort.model.repo import Repo

ObjectCheck = Callable[[KubeObject, Cluster], Iterator[Finding]]
ClusterCheck = Callable[[Cluster], Iterator[Finding]]
RepoCheck = Callable[["Repo"], Iterator[Finding]]


class Stage(StrEnum):
    """When a rule runs. What an earlier stage reports as broken, later stages do not judge again."""

    FORM = "form"  # one object alone: would the API server take it
    MEANING = "meaning"  # objects together: references, trees, queues, workloads
    CAPACITY = "capacity"  # promises against hardware


@dataclass(eq=False)
class Rule:
    """Identity of one rule. Severity follows from the consequence unless it is given."""

    code: str
    name: str  # kebab-case, reads after "allow": allow `limit-without-cohort`
    consequence: Consequence
    audience: Audience = Audience.ADMIN
    severity: Severity | None = None
    stage: Stage = Stage.MEANING
    since: str = "0.1"
    kinds: tuple[str, ...] = ()
    object_check: ObjectCheck | None = field(default=None, repr=False)
    cluster_check: ClusterCheck | None = field(default=None, repr=False)
    repo_check: RepoCheck | None = field(default=None, repr=False)
    module: str = ""  # dotted name of the rule's file, set by the registry

    def each(self, *kinds: str) -> Callable[[ObjectCheck], ObjectCheck]:
        """Run the function on every object of these kinds."""

        def register(check: ObjectCheck) -> ObjectCheck:
            self.kinds, self.object_check = kinds, check
            return check

        return register

    def cluster(self, check: ClusterCheck) -> ClusterCheck:
        """Run the function once per cluster."""
        self.cluster_check = check
        return check

    def repo(self, check: RepoCheck) -> RepoCheck:
        """Run the function once on the repository's declarations."""
        self.repo_check = check
        return check

    @property
    def on(self) -> str:
        """`objects`, `repo` or `both`, as the catalogue shows it."""
        objects = self.object_check is not None or self.cluster_check is not None
        return "both" if objects and self.repo_check else "objects" if objects else "repo"

    def finding(
        self,
        message: str,
        origin: Origin,
        *,
        label: str = "",
        subject: str = "",
        field_path: str = "",
        related: tuple[Label, ...] = (),
        terms: tuple[Term, ...] = (),
        help: tuple[str, ...] = (),
        fix: Fix | None = None,
        cluster: Cluster | None = None,
        consequence: Consequence | None = None,
        severity: Severity | None = None,
        audience: Audience | None = None,
    ) -> Finding:
        """A finding of this rule at a place of the source."""
        result = consequence or self.consequence
        own = self.severity if consequence is None else None
        return Finding(
            code=self.code,
            name=self.name,
            severity=severity or own or result.severity,
            consequence=result,
            audience=audience or self.audience,
            message=message,
            primary=Label(origin, label),
            subject=subject,
            field=field_path,
            related=related,
            terms=terms,
            help=help,
            fix=fix,
            clusters=(cluster.name,) if cluster is not None and cluster.name else (),
        )

    def at(
        self,
        obj: KubeObject,
        path: Path,
        message: str,
        *,
        part: Part = "value",
        cluster: Cluster | None = None,
        label: str = "",
        related: tuple[Label, ...] = (),
        terms: tuple[Term, ...] = (),
        help: tuple[str, ...] = (),
        fix: Fix | None = None,
        consequence: Consequence | None = None,
        severity: Severity | None = None,
        audience: Audience | None = None,
    ) -> Finding:
        """A finding about the field at `path` of an object, placed where that field was typed."""
        derived = obj.provenance.arithmetic(path)
        return self.finding(
            message,
            obj.at(*path, part=part),
            label=label,
            subject=obj.ref,
            field_path=show_path(path),
            related=related,
            terms=(*terms, Term(" ", "", f"derived: {derived}")) if derived else terms,
            help=help,
            fix=fix,
            cluster=cluster,
            consequence=consequence,
            severity=severity,
            audience=audience,
        )
