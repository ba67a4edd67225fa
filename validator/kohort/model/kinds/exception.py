"""Kind Exception: a finding that is accepted for a time."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from kohort.model.kinds.base import Envelope, Strict
from kohort.model.kinds.fields import DateField, Sentence
from kohort.model.repo import ExceptionDecl
from kohort.spans import Origin


class ExceptionSpec(Strict):
    """A finding that is accepted for a time."""

    codes: list[str] = Field(description="Codes or names of rules.", examples=[["CAP941"]], min_length=1)
    files: list[str] = Field(
        default_factory=list,
        description="Patterns of files; empty means anywhere.",
        examples=[["clusters/vela/*"]],
    )
    subjects: list[str] = Field(
        default_factory=list,
        description="Patterns of objects as `Kind name`; empty means any.",
        examples=[["ClusterQueue blue-*"]],
    )
    owner: Sentence = Field(description="Who answers for it.", examples=["platform-team"])
    reason: Sentence = Field(description="Why it is accepted.", examples=["replaced in May"])
    expires: DateField = Field(description="Last day.", examples=["2026-06-30"])


class ExceptionDocument(Envelope[ExceptionSpec]):
    """An accepted finding: code, where, who answers for it, why and until when (`ci/exceptions/`)."""

    kind: Literal["Exception"] = Field(description="What is declared.", examples=["Exception"])

    def declare(self, origin: Origin) -> ExceptionDecl:
        """The exception."""
        spec = self.spec
        return ExceptionDecl(
            name=self.metadata.name,
            origin=origin,
            title=self.metadata.title,
            codes=tuple(spec.codes),
            files=tuple(spec.files),
            subjects=tuple(spec.subjects),
            owner=spec.owner,
            reason=spec.reason,
            expires=spec.expires,
        )
