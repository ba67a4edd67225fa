"""How far self-service goes, to the last unit: what is at a limit needs nobody, one more asks."""

from __future__ import annotations

import pytest
from test_authority import BLUE, RED, edited, plan, with_authority

GREEN = "teams/green/team.yaml"


def free(rules: str, *edits: tuple[str, str, str]) -> tuple[tuple[str, ...], list[str]]:
    before = with_authority(f"{{selfService: {rules}}}")
    done = plan(edited(*edits, files=before), before)
    return done.self_service, [one.why for one in done.approvals if one.rule == "guarantee-grows"]


@pytest.mark.parametrize(
    ("rules", "edit", "why"),
    [
        # Red would have 8 of the 32 H100: a quarter.
        ("{percent: 25}", (RED, "gpus: 6", "gpus: 8"), "8 of 32 is within 25 %"),
        ("{percent: 24}", (RED, "gpus: 6", "gpus: 8"), ""),
        ("{percent: 25}", (RED, "gpus: 6", "gpus: 9"), ""),
        ("{upTo: {h100: 12}}", (BLUE, "h100, gpus: 8", "h100, gpus: 12"), "up to 12 is a trial size"),
        ("{upTo: {h100: 12}}", (BLUE, "h100, gpus: 8", "h100, gpus: 13"), ""),
        # Green would have 64 cores of vela.
        ("{upTo: {cpu: 64}}", (GREEN, "nodes: 1", "nodes: 2"), "up to 64 is a trial size"),
        ("{upTo: {cpu: 63}}", (GREEN, "nodes: 1", "nodes: 2"), ""),
        (
            "{withoutAccelerators: true}",
            (GREEN, "nodes: 1", "nodes: 2"),
            "flavors without devices need nobody",
        ),
        ("{withoutAccelerators: true}", (RED, "gpus: 6", "gpus: 7"), ""),
    ],
)
def test_to_the_last_unit(rules, edit, why):
    granted, asked = free(rules, edit)
    assert [reason.rpartition(": ")[2] for reason in granted] == ([why] if why else [])
    assert len(asked) == (0 if why else 1)
