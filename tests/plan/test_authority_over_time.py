"""Ways around agreement that no amount of today shows: the end of a grant, another name, what pods may do, an empty reason."""

from __future__ import annotations

import pytest
from plan_world import FILES
from test_authority_gaps import (
    LESS_RED,
    ORG,
    RAIL,
    RED,
    WAIVER,
    asked,
    edited,
    plan,
    said,
    waiver,
    with_authority,
)


def red(line: str, files=FILES):
    """Red with this line in place of its 6 H100."""
    return edited((RED, "{flavor: h100, gpus: 6}", line), files=files)


GRANT = red("{flavor: h100, gpus: 6, until: 2026-12-31}")
LONGER = "team red would keep {} more after 2026-12-31 (h100 on pokprod: {})"
SHORTER = "team red, which names no admins: {} of its guarantee would end with {} (h100 on pokprod: {})"


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("{flavor: h100, gpus: 6}", [LONGER.format("6 GPUs", "0 to 6")]),
        ("{flavor: h100, gpus: 6, until: 2027-01-01}", [LONGER.format("6 GPUs", "0 to 6")]),
        ("{flavor: h100, gpus: 1}", [LONGER.format("1 GPU", "0 to 1")]),
        ("{flavor: h100, gpus: 6, until: 2026-12-31}", []),
        (
            "{flavor: h100, gpus: 6, until: 2026-11-30}",
            [SHORTER.format("6 GPUs", "2026-11-30", "6 to 0")],
        ),
    ],
)
def test_the_end_of_a_grant_is_agreed_to_by_those_who_gave_it_and_those_who_have_it(line, why):
    done = plan(GRANT, red(line))
    found = [each for each in done.approvals if each.rule == "grant-lasts"]
    assert [each.why for each in found] == why
    assert {each.who for each in found} <= {"admins"}
    assert all(each.origin.path[-1] == 0 for each in found)  # the line of quota


def test_a_grant_that_gets_an_end_is_agreed_to_by_its_team():
    done = plan(FILES, GRANT)
    assert asked(done) == [("admins", SHORTER.format("6 GPUs", "2026-12-31", "6 to 0"))]


def test_what_grows_is_asked_about_once():
    more = red("{flavor: h100, gpus: 6, until: 2026-12-31}, {flavor: a100, gpus: 1}")
    assert "team red would be guaranteed 1 GPU more of a100 on pokprod" in [
        w for _, w in asked(plan(GRANT, more))
    ]
    assert not [each for each in plan(GRANT, more).approvals if each.rule == "grant-lasts"]
    more = red("{flavor: h100, gpus: 8, until: 2026-12-31}")
    assert "team red would be guaranteed 2 GPUs more of h100 on pokprod" in [
        w for _, w in asked(plan(GRANT, more))
    ]
    assert not [each for each in plan(GRANT, more).approvals if each.rule == "grant-lasts"]
    gone = {name: text for name, text in GRANT.items() if name != RED}
    assert not [each for each in plan(GRANT, gone).approvals if each.rule == "grant-lasts"]


def test_self_service_covers_what_would_be_left_and_no_more():
    free = with_authority("{selfService: {upTo: {h100: 4}}}", files=GRANT)
    done = plan(
        free, red("{flavor: h100, gpus: 4}", files=edited((RED, ", until: 2026-12-31", ""), files=free))
    )
    assert done.self_service == (f"{LONGER.format('4 GPUs', '0 to 4')}: up to 4 is a trial size",)
    done = plan(free, edited((RED, ", until: 2026-12-31", ""), files=free))
    assert ("admins", LONGER.format("6 GPUs", "0 to 6")) in asked(done)


def test_pods_that_may_do_more_ask_the_admins_and_pods_that_may_do_less_nobody():
    levels = ["restricted", "baseline", "privileged"]
    for was in levels:
        for now in levels:
            before, after = (
                edited((RED, "  namespaces: [red]", f"  namespaces: [red]\n  podSecurity: {level}"))
                for level in (was, now)
            )
            why = f"pods in the namespaces of team red may do more: podSecurity {was} to {now}"
            wanted = [("admins", why)] if levels.index(now) > levels.index(was) else []
            assert asked(plan(before, after)) == wanted
    after = edited((RED, "  namespaces: [red]", "  namespaces: [red]\n  podSecurity: privileged"))
    (one,) = plan(FILES, after).approvals
    assert one.why.endswith("podSecurity baseline to privileged")
    assert (one.origin.file, one.origin.path) == (RED, ("spec", "podSecurity"))


def renamed(files, name: str, *edits):
    after = {file: text for file, text in files.items() if file != RED}
    after[f"teams/{name}/team.yaml"] = (
        files[RED]
        .replace("name: red", f"name: {name}")
        .replace("  namespaces", "  previously: red\n  namespaces")
    )
    return edited(*edits, files=after)


CLAIMS = edited(
    (
        ORG,
        "  access:\n",
        "  claims: [{teams: red, namespaces: ['red*']}, {teams: 'gold*', namespaces: ['gold*']}]\n  access:\n",
    )
)


@pytest.mark.parametrize("name", ["crimson", "golden"])
def test_a_team_does_not_leave_its_claims_behind_by_another_name(name):
    why = f"team red would be called {name}, and what `claims` say of the two names differs"
    done = plan(CLAIMS, renamed(CLAIMS, name))
    assert ("admins", why) in asked(done)
    one = next(each for each in done.approvals if each.why == why)
    assert (one.origin.file, one.origin.path) == (f"teams/{name}/team.yaml", ("spec", "previously"))


def test_under_another_name_a_team_takes_no_namespace_that_it_could_not_take_before():
    file = "teams/golden/team.yaml"
    done = plan(CLAIMS, renamed(CLAIMS, "golden", (file, "[red]", "[red, gold-new]")))
    assert ("admins", "team golden takes 1 namespace: gold-new") in asked(done)
    done = plan(CLAIMS, renamed(CLAIMS, "golden", (file, "[red]", "[red, red-new]")))
    assert not [why for _, why in asked(done) if "takes" in why]


def test_a_name_that_nothing_is_claimed_for_on_either_side_asks_nobody():
    assert not [why for _, why in asked(plan(FILES, renamed(FILES, "crimson"))) if "called" in why]


@pytest.mark.parametrize("reason", ['""', '"   "', '"\\u200b"', '"\\u3164 \\t"'])
def test_a_reason_that_says_nothing_lifts_no_guard_rail(reason):
    text = waiver("AUT103").replace("reason: moved", f"reason: {reason}")
    done = plan(RAIL, {**edited(LESS_RED, files=RAIL), WAIVER: text})
    assert done.approvals is None
    assert [(f.code, f.primary.origin.path) for f in done.head_errors] == [("SRC105", ("spec", "reason"))]
    assert done.head_errors[0].message.endswith("is empty")
    assert said(done) == [] or [code for code, _ in said(done)] == ["AUT103"]
