"""What all kinds share: the envelope, strictness, and errors that carry our own code and place.

pydantic is used here and in the other files of `kinds` only; everything else sees the frozen declarations of
`model.repo`. pydantic's wording never reaches anyone: `model.problems` turns each error into a finding.
"""

from __future__ import annotations

from typing import Any, Generic, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel
from pydantic_core import PydanticCustomError

from kohort.model.kinds.fields import Name, StringMap
from kohort.spans import Origin

API_GROUP = "kohort.dev"
API_VERSION = "kohort.dev/v1alpha1"

Spec = TypeVar("Spec")


class Strict(BaseModel):
    """A mapping that takes no key it does not know and converts nothing."""

    model_config = ConfigDict(
        frozen=True,
        strict=True,
        extra="forbid",
        alias_generator=to_camel,
        validate_by_name=False,
        validate_by_alias=True,
        arbitrary_types_allowed=True,
        protected_namespaces=(),
        defer_build=True,  # each kind is built when a document of it is read: a run rarely has them all
    )


class Metadata(Strict):
    """What the declaration is called."""

    name: Name = Field(
        description="Name of the declaration, unique per kind: lower-case letters, digits, `-` and `.`.",
        examples=["blue"],
    )
    title: str = Field(default="", description="A longer name for people.", examples=["Blue team (speech)"])
    annotations: StringMap = Field(
        default_factory=dict,
        description="Free notes for people and tools; Kohort ignores them.",
        examples=[{"wiki": "Teams/Blue"}],
    )


class Envelope(Strict, Generic[Spec]):
    """One document of the source language."""

    api_version: Literal["kohort.dev/v1alpha1"] = Field(
        description="Version of the source language.", examples=[API_VERSION]
    )
    kind: str = Field(description="What is declared.", examples=["Team"])
    metadata: Metadata = Field(description="Name and notes.", examples=[{"name": "blue"}])
    spec: Spec = Field(description="The declaration itself.", examples=[{}])

    def declare(self, origin: Origin) -> Any:
        """The frozen declaration; `origin` is the document's root."""
        raise NotImplementedError


def problem(code: str, text: str, *at: str | int) -> PydanticCustomError:
    """An error of ours about the value that is being read; `at` leads from it to the place to point at."""
    # The text goes through the context, since pydantic reads braces in a template.
    return PydanticCustomError("kohort", "{text}", {"code": code, "text": text, "at": at})
