"""Kind PolicyTest: examples that a policy must let pass or refuse."""

from __future__ import annotations

from typing import Any, Literal, Self

from pydantic import Field, model_validator

from kohort.model.kinds.base import Envelope, Strict, problem
from kohort.model.kinds.fields import Name
from kohort.model.policy import PolicyCase, PolicyTest
from kohort.spans import Origin


class CaseField(Strict):
    """One example."""

    name: str = Field(description="What the example shows.", examples=["one admin is too few"], min_length=1)
    given: dict[str, Any] = Field(
        description="The variables that the policy sees: team, object, before, after, repository, actor and so on.",
        examples=[{"team": {"name": "blue", "admins": {"users": ["alice"]}}}],
    )
    expect: Literal["pass", "fail"] = Field(description="What the policy must say.", examples=["fail"])
    message: str = Field(
        default="", description="A part of what it must say (with `fail`).", examples=["has 1 admin"]
    )


class PolicyTestSpec(Strict):
    """The policy and the examples."""

    policy: Name = Field(description="Name of the policy.", examples=["two-admins"])
    cases: list[CaseField] = Field(
        description="The examples.",
        examples=[[{"name": "one", "given": {"team": {"name": "blue"}}, "expect": "fail"}]],
        min_length=1,
    )

    @model_validator(mode="after")
    def _fits(self) -> Self:
        seen: set[str] = set()
        for index, case in enumerate(self.cases):
            if case.name in seen:
                raise problem("SRC105", f"the example `{case.name}` stands twice", "cases", index, "name")
            if case.expect == "pass" and case.message:
                raise problem(
                    "SRC105",
                    "what passes is told nothing: `message` goes with `expect: fail`",
                    "cases",
                    index,
                    "message",
                )
            seen.add(case.name)
        return self


class PolicyTestDocument(Envelope[PolicyTestSpec]):
    """Examples for a policy, run by `kohort policy test` (`ci/policies/`)."""

    kind: Literal["PolicyTest"] = Field(description="What is declared.", examples=["PolicyTest"])

    def declare(self, origin: Origin) -> PolicyTest:
        """The test."""
        return PolicyTest(
            name=self.metadata.name,
            origin=origin,
            title=self.metadata.title,
            policy=self.spec.policy,
            cases=tuple(
                PolicyCase(
                    name=case.name,
                    given=case.given,
                    passes=case.expect == "pass",
                    message=case.message,
                    path=("spec", "cases", index),
                )
                for index, case in enumerate(self.spec.cases)
            ),
        )
