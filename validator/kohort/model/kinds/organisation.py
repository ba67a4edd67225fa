"""Kind Organisation: the repository's root file `kohort.yaml`."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from kohort.diagnostics import Severity
from kohort.model.kinds.authority import AuthorityField
from kohort.model.kinds.base import Envelope, Strict
from kohort.model.kinds.people import AdminAccess
from kohort.model.repo import Claim, Organisation
from kohort.spans import Origin


class ClaimField(Strict):
    """What the folders of some teams may claim; patterns as in a shell (`*`, `?`, `[ab]`)."""

    teams: str = Field(description="Pattern of team names that the claim is for.", examples=["blue", "nlp-*"])
    namespaces: list[str] = Field(
        default_factory=list, description="Patterns of namespaces that they may own.", examples=[["nlp-*"]]
    )
    cohorts: list[str] = Field(
        default_factory=list, description="Patterns of cohorts that they may join.", examples=[["research"]]
    )


class OrganisationSpec(Strict):
    """Settings of the whole repository."""

    required_version: str = Field(
        default="",
        description="Versions of Kohort that may judge this repository, as a comma-separated list of comparisons.",
        examples=[">=0.1,<1"],
    )
    severities: dict[str, Literal["error", "warning", "info", "off"]] = Field(
        default_factory=dict,
        description="Severity by rule code or name, where it should differ from the rule's own.",
        examples=[{"CAP941": "error", "g-not-gi": "off"}],
    )
    baseline: str = Field(
        default="",
        description="File of findings that were there when Kohort was introduced; they are not reported.",
        examples=["ci/baseline.json"],
    )
    access: AdminAccess = Field(
        default_factory=AdminAccess,
        description="Admins and viewers of all clusters.",
        examples=[{"admins": {"groups": ["cluster-admins"]}}],
    )
    claims: list[ClaimField] = Field(
        default_factory=list,
        description="Which team folders may claim which namespaces and cohorts. Teams that no claim matches are free.",
        examples=[[{"teams": "nlp-*", "namespaces": ["nlp-*"], "cohorts": ["research"]}]],
    )
    authority: AuthorityField = Field(
        default_factory=AuthorityField,
        description="Who must agree to what: guard rails against removals, and what teams may change alone.",
        examples=[{"minimumAdmins": 1, "selfService": {"shrinking": True}}],
    )


class OrganisationDocument(Envelope[OrganisationSpec]):
    """Settings of the whole repository (`kohort.yaml`)."""

    kind: Literal["Organisation"] = Field(description="What is declared.", examples=["Organisation"])

    def declare(self, origin: Origin) -> Organisation:
        """The organisation."""
        spec = self.spec
        return Organisation(
            name=self.metadata.name,
            origin=origin,
            title=self.metadata.title,
            required_version=spec.required_version,
            severities={
                rule: None if severity == "off" else Severity(severity)
                for rule, severity in spec.severities.items()
            },
            baseline=spec.baseline,
            admins=spec.access.admins.declare(),
            viewers=spec.access.viewers.declare(),
            authority=spec.authority.declare(),
            claims=tuple(
                Claim(
                    teams=claim.teams,
                    namespaces=tuple(claim.namespaces),
                    cohorts=tuple(claim.cohorts),
                    path=("spec", "claims", i),
                )
                for i, claim in enumerate(spec.claims)
            ),
        )
