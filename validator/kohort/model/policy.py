"""Policies and their tests as declared: expressions with their places, not yet compiled."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, TypeAlias

from kohort.dataclass import dataclass
from kohort.diagnostics import Audience, Severity
from kohort.model.repo import Declared
from kohort.spans import Path

Subject: TypeAlias = Literal["object", "team", "cohort", "flavor", "cluster", "repository"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyRule:
    """What must hold. `path` leads to the rule in the document; `field` to the value at fault in the judged declaration."""

    expression: str
    message: str
    message_expression: str
    help: str
    severity: Severity
    audience: Audience
    field: Path
    path: Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Admission:
    """How an object policy is enforced on the cluster as well."""

    operations: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy(Declared):
    """A rule of the organisation (`ci/policies/`)."""

    description: str
    subject: Subject
    change: bool  # judges what differs, not what stands
    kinds: tuple[str, ...]  # of objects
    variables: tuple[tuple[str, str], ...]  # name, expression; later ones see earlier ones
    when: str
    rules: tuple[PolicyRule, ...]
    admission: Admission | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyCase:
    """One example of a policy test: the variables it is given, and whether the policy lets it pass."""

    name: str
    given: Mapping[str, Any]
    passes: bool
    message: str  # part of what is said when it does not pass; empty: anything
    path: Path


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyTest(Declared):
    """Examples that a policy must let pass or refuse (`ci/policies/`)."""

    policy: str
    cases: tuple[PolicyCase, ...]
