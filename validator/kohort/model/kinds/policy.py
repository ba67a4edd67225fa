"""Kind Policy: what the organisation asks beyond what Kueue and the hardware do."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from kohort.diagnostics import Audience, Severity
from kohort.model.kinds.base import Envelope, Strict, problem
from kohort.model.policy import Admission, Policy, PolicyRule
from kohort.spans import Origin, Path

_STEP = re.compile(r"([A-Za-z_][A-Za-z0-9_-]*)|\[([0-9]{1,6})\]")
Expression = Annotated[str, Field(min_length=1, max_length=10_000)]
_MOST = 100  # variables, rules and kinds of one policy: what it asks together stays small enough to wait for


# Words that CEL keeps for itself: no name of a variable.
RESERVED = frozenset(
    {"as", "break", "const", "continue", "else", "false", "for", "function", "if", "import", "in", "let", "loop", "namespace",
     "null", "package", "return", "true", "var", "void", "while"}
)  # fmt: skip


class VariableField(Strict):
    """A named part of the expressions."""

    name: str = Field(
        description="Name under which the expressions below know it.",
        examples=["people"],
        pattern=r"^[A-Za-z_][A-Za-z0-9_]{0,62}$",
    )
    expression: Expression = Field(description="CEL.", examples=["team.admins.users.size()"])


class RuleField(Strict):
    """One thing that must hold."""

    expression: Expression = Field(
        description="CEL that is true where all is well.", examples=["team.admins.users.size() >= 2"]
    )
    message: str = Field(
        default="", description="What is said where it is false.", examples=["a team has two admins"]
    )
    message_expression: str = Field(
        default="",
        description="CEL that gives the message; `message` is said if it fails.",
        examples=["'team %s has %d admins'.format([team.name, team.admins.users.size()])"],
        max_length=10_000,
    )
    help: str = Field(
        default="", description="What to do about it.", examples=["name a second admin in team.yaml"]
    )
    severity: Literal["error", "warning", "info"] = Field(
        default="error", description="How bad it is.", examples=["warning"]
    )
    audience: Literal["team", "admin"] = Field(
        default="team", description="Who can put it right.", examples=["admin"]
    )
    field: str = Field(
        default="",
        description="Field of the judged declaration or object to point at.",
        examples=["spec.access.admins"],
        max_length=500,
    )


class AdmissionField(Strict):
    """Enforcement on the cluster."""

    operations: list[Literal["CREATE", "UPDATE"]] = Field(
        default=["CREATE", "UPDATE"],
        description="When the API server asks.",
        examples=[["CREATE", "UPDATE"]],
        min_length=1,
    )


class PolicySpec(Strict):
    """What is judged, and what must hold for it."""

    description: str = Field(
        default="", description="Why the rule exists.", examples=["Somebody is always reachable."]
    )
    about: Literal["object", "team", "cohort", "flavor", "cluster", "repository"] = Field(
        description="What is judged: every Kubernetes object of `kinds`, every declaration of a kind, or the whole once.",
        examples=["team"],
    )
    judge: Literal["state", "change"] = Field(
        default="state",
        description="`state`: what stands, in check and plan. `change`: what differs, in plan, with `before`, `after` and `delta`.",
        examples=["change"],
    )
    kinds: list[str] = Field(
        default_factory=list,
        description="Kinds of objects (`about: object` only).",
        examples=[["ClusterQueue"]],
        max_length=_MOST,
    )
    variables: list[VariableField] = Field(
        default_factory=list,
        description="Named parts; later ones may use earlier ones.",
        examples=[[{"name": "people", "expression": "team.admins.users.size()"}]],
        max_length=_MOST,
    )
    when: str = Field(
        default="",
        description="CEL; where it is false nothing is judged.",
        examples=["team.queues.exists(q, q.class == 'production')"],
        max_length=10_000,
    )
    rules: list[RuleField] = Field(
        description="What must hold.",
        examples=[[{"expression": "team.admins.users.size() >= 2"}]],
        min_length=1,
        max_length=_MOST,
    )
    admission: AdmissionField | None = Field(
        default=None,
        description="Also compile to a ValidatingAdmissionPolicy (`about: object` and `judge: state` only).",
        examples=[{}],
    )

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if self.admission is not None:
            for index, name in _twice(self.admission.operations):
                raise problem("SRC105", f"`{name}` stands twice", "admission", "operations", index)
        if self.about == "object" and not self.kinds:
            raise problem("SRC105", "`about: object` needs `kinds`")
        if self.about != "object" and self.kinds:
            raise problem(
                "SRC105", f"`kinds` are of objects, but the policy is `about: {self.about}`", "kinds"
            )
        if self.admission is not None and (self.about != "object" or self.judge != "state"):
            raise problem(
                "SRC105",
                "only `about: object` with `judge: state` can be asked of the API server",
                "admission",
            )
        for index, name in _twice(self.kinds):
            raise problem("SRC105", f"the kind `{name}` stands twice", "kinds", index)
        for index, name in _twice(v.name for v in self.variables):
            raise problem("SRC105", f"the variable `{name}` stands twice", "variables", index, "name")
        for index, variable in enumerate(self.variables):
            if variable.name in RESERVED:
                raise problem(
                    "SRC105", f"`{variable.name}` is a reserved word of CEL", "variables", index, "name"
                )
        for index, rule in enumerate(self.rules):
            if len(rule.message.splitlines()) > 1:
                raise problem(
                    "SRC105", "a message is one line: API servers refuse others", "rules", index, "message"
                )
            if not rule.message.strip() and not rule.message_expression.strip():
                raise problem(
                    "SRC105",
                    "a rule says what is wrong: it needs `message` or `messageExpression`",
                    "rules",
                    index,
                )
            if rule.field and _path(rule.field) is None:
                raise problem(
                    "SRC105",
                    f"`{rule.field}` is no path such as spec.queues[0].quota",
                    "rules",
                    index,
                    "field",
                )
        return self


class PolicyDocument(Envelope[PolicySpec]):
    """A rule of the organisation in CEL (`ci/policies/`)."""

    kind: Literal["Policy"] = Field(description="What is declared.", examples=["Policy"])

    def declare(self, origin: Origin) -> Policy:
        """The policy."""
        spec = self.spec
        return Policy(
            name=self.metadata.name,
            origin=origin,
            title=self.metadata.title,
            description=spec.description,
            subject=spec.about,
            change=spec.judge == "change",
            kinds=tuple(spec.kinds),
            variables=tuple((v.name, v.expression) for v in spec.variables),
            when=spec.when,
            rules=tuple(
                PolicyRule(
                    expression=rule.expression,
                    message=rule.message,
                    message_expression=rule.message_expression,
                    help=rule.help,
                    severity=Severity(rule.severity),
                    audience=Audience(rule.audience),
                    field=_path(rule.field) or (),
                    path=("spec", "rules", index),
                )
                for index, rule in enumerate(spec.rules)
            ),
            admission=Admission(operations=tuple(spec.admission.operations)) if spec.admission else None,
        )


def _twice(names: Iterable[str]) -> Iterator[tuple[int, str]]:
    """The places of names that stood before."""
    seen: set[str] = set()
    for index, name in enumerate(names):
        if name in seen:
            yield index, name
        seen.add(name)


def _path(text: str) -> Path | None:
    """`spec.queues[0].quota` as steps; None for anything else."""
    steps: list[str | int] = []
    rest = text
    while rest:
        found = _STEP.match(rest.removeprefix(".") if steps else rest)
        if found is None:
            return None
        steps.append(found.group(1) if found.group(1) is not None else int(found.group(2)))
        rest = (rest.removeprefix(".") if len(steps) > 1 else rest)[found.end() :]
    return tuple(steps)
