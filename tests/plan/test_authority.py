"""Who must agree to a change, by the rules and people of the base; numbers after the tree in plan_world."""

from __future__ import annotations

import pytest
from plan_world import FILES

from kohort.engine.outcome import Settings
from kohort.engine.planning import plan_repositories
from kohort.source.tree import MemoryTree

BLUE, RED, ORG = "teams/blue/team.yaml", "teams/red/team.yaml", "kohort.yaml"
CLUSTER = "clusters/pokprod/cluster.yaml"


def edited(*edits, files=FILES):
    """The files after each (file, old text, new text); the old text stands there."""
    found = dict(files)
    for file, old, new in edits:
        assert old in found[file], (file, old)
        found[file] = found[file].replace(old, new, 1)
    return found


def plan(after, before=FILES, actor="", groups=()):
    settings = Settings(actor=actor, actor_groups=tuple(groups))
    return plan_repositories(
        MemoryTree({k: v.encode() for k, v in before.items()}),
        MemoryTree({k: v.encode() for k, v in after.items()}),
        settings,
    ).plan


def asked(plan):
    return [(each.who, each.why) for each in plan.approvals]


def codes(plan):
    return sorted(f.code for f in plan.findings if f.code.startswith(("AUT", "POL")))


def with_authority(text, files=FILES):
    return edited((ORG, "  access:\n", f"  authority: {text}\n  access:\n"), files=files)


MORE_BLUE = (BLUE, "{flavor: h100, gpus: 8}", "{flavor: h100, gpus: 12}")
LESS_RED = (RED, "gpus: 6", "gpus: 2")


def test_nothing_changed_asks_nobody():
    done = plan(FILES)
    assert done.approvals == ()
    assert done.self_service == ()


def test_a_guarantee_that_grows_asks_the_admins_with_the_number_and_the_line():
    done = plan(edited(MORE_BLUE))
    (one,) = done.approvals
    assert (one.who, one.why) == ("admins", "team blue would be guaranteed 4 GPUs more of h100 on pokprod")
    assert one.people == ("Group platform-admins", "Group pokprod-admins")
    assert one.origin.file == BLUE
    assert not one.given


def test_the_team_that_loses_agrees_or_the_admins_where_it_names_none():
    done = plan(edited(MORE_BLUE, LESS_RED))
    why = "its guarantee falls by 4 GPUs (h100 on pokprod: 6 to 2)"
    assert ("admins", f"team red, which names no admins: {why}") in asked(done)
    before = edited((RED, "access: {members", "access: {admins: {groups: [red-leads]}, members"))
    done = plan(edited(MORE_BLUE, LESS_RED, files=before), before)
    (one,) = [each for each in done.approvals if each.who == "team red"]
    assert one.why == why
    assert one.people == ("Group red-leads",)


def test_lending_that_only_follows_from_the_guarantee_is_no_decision_of_its_own():
    assert not [why for _, why in asked(plan(edited(MORE_BLUE))) if "while idle" in why]


def test_a_change_cannot_appoint_who_agrees_to_it():
    after = edited(
        MORE_BLUE,
        (ORG, "admins: {groups: [platform-admins]}", "admins: {groups: [platform-admins], users: [mallory]}"),
    )
    done = plan(after, actor="mallory")
    assert all("User mallory" not in each.people for each in done.approvals)
    assert not any(each.given for each in done.approvals)
    assert ("admins", "User mallory becomes an admin of the organisation") in asked(done)
    assert any("the settings of the organisation" in why for _, why in asked(done))


def test_what_the_actor_may_agree_to_is_given():
    done = plan(edited(MORE_BLUE), actor="carol", groups=["platform-admins"])
    assert [each.given for each in done.approvals] == [True]


@pytest.mark.parametrize(
    ("rule", "why"),
    [
        ("{selfService: {upTo: {h100: 12}}}", "up to 12 is a trial size"),
        ("{selfService: {percent: 40}}", "12 of 32 is within 40 %"),
    ],
)
def test_self_service_needs_nobody_and_says_why(rule, why):
    base = with_authority(rule)
    done = plan(edited(MORE_BLUE, files=base), base)
    assert done.approvals == ()
    assert done.self_service == (f"team blue would be guaranteed 4 GPUs more of h100 on pokprod: {why}",)


@pytest.mark.parametrize("rule", ["{selfService: {upTo: {h100: 11}}}", "{selfService: {percent: 37}}"])
def test_one_more_than_self_service_allows_asks_the_admins(rule):
    base = with_authority(rule)
    done = plan(edited(MORE_BLUE, files=base), base)
    assert [who for who, _ in asked(done)] == ["admins"]
    assert done.self_service == ()


def test_self_service_of_the_change_itself_does_not_count():
    after = edited(MORE_BLUE, files=with_authority("{selfService: {upTo: {h100: 12}}}"))
    assert ("admins", "team blue would be guaranteed 4 GPUs more of h100 on pokprod") in asked(plan(after))


def test_slack_below_the_largest_node_asks_the_admins():
    done = plan(edited((CLUSTER, "amount: 4", "amount: 2")))
    why = "slack of h100 on pokprod falls from 4 to 2 GPUs, less than its largest node (8)"
    assert ("admins", why) in asked(done)


def test_overcommit_asks_the_admins_with_its_reason():
    text = "overcommit: [{flavor: h100, resource: nvidia.com/gpu, percent: 120, reason: notebooks idle}]\n        slack:"
    after = edited((CLUSTER, "slack:", text.replace("        slack:", "  slack:")))
    why = "h100 nvidia.com/gpu on pokprod may be promised up to 120 % of healthy capacity: notebooks idle"
    assert ("admins", why) in asked(plan(after))


def test_files_of_a_team_belong_to_it_when_somebody_else_is_known_to_change_them():
    after = edited((RED, "metadata:", "# a note\nmetadata:"))
    assert plan(after).approvals == ()
    assert plan(after, actor="carol", groups=["platform-admins"]).approvals == ()
    assert plan(after, actor="rita", groups=["red-devs"]).approvals == ()
    (one,) = plan(after, actor="mallory").approvals
    assert "its own files change (teams/red/team.yaml)" in one.why


@pytest.mark.parametrize(
    ("base", "after", "code", "words"),
    [
        (
            "{pinned: {groups: [platform-admins]}}",
            (ORG, "[platform-admins]}\n", "[others]}\n"),
            "AUT101",
            "Group platform-admins is pinned",
        ),
        (
            "{minimumAdmins: 1}",
            (ORG, "admins: {groups: [platform-admins]}\n    viewers", "viewers"),
            "AUT102",
            "would have 0 admins (groups and users), fewer than 1",
        ),
        (
            "{largestRemoval: {guarantee: 3}}",
            LESS_RED,
            "AUT103",
            "4 GPUs of guarantees go in one change, more than 3: red 4 h100",
        ),
    ],
)
def test_guard_rails(base, after, code, words):
    before = with_authority(base)
    done = plan(edited(after, files=before), before)
    (found,) = [f for f in done.findings if f.code == code]
    assert words in found.message


def test_a_removal_up_to_the_bound_passes():
    before = with_authority("{largestRemoval: {guarantee: 4, members: 0, queues: 0}}")
    assert codes(plan(edited(LESS_RED, files=before), before)) == []


def test_a_policy_of_the_base_judges_the_change_and_one_of_the_head_does_not():
    policy = (
        "apiVersion: kohort.dev/v1alpha1\nkind: Policy\nmetadata: {name: small-steps}\nspec:\n  about: team\n  judge: change\n"
        "  rules:\n  - expression: after.quota.all(q, before.quota.all(b, b.flavor != q.flavor || q.guarantee - b.guarantee <= 2))\n"
        "    message: a team grows by two at a time\n    field: spec.queues\n"
    )
    base = {**FILES, "ci/policies/small.yaml": policy}
    done = plan(edited(MORE_BLUE, files=base), base)
    (found,) = [f for f in done.findings if f.code == "POL201"]
    assert found.message == "team blue: a team grows by two at a time"
    assert found.primary.origin.file == BLUE
    assert codes(plan(edited(MORE_BLUE, files=base))) == []


def test_a_policy_on_what_stands_tells_only_what_the_change_breaks():
    policy = (
        "apiVersion: kohort.dev/v1alpha1\nkind: Policy\nmetadata: {name: cap}\nspec:\n  about: team\n"
        "  rules:\n  - expression: team.quota.all(q, q.flavor != 'h100' || q.guarantee <= 8)\n    message: at most eight\n"
    )
    base = {**FILES, "ci/policies/cap.yaml": policy}
    done = plan(edited(MORE_BLUE, files=base), base)
    assert [(f.code, f.message) for f in done.new if f.code == "POL201"] == [
        ("POL201", "team blue: at most eight")
    ]
    done = plan(edited(LESS_RED, files=base), base)
    assert not [f for f in done.new if f.code == "POL201"]


def test_a_change_that_cannot_be_read_is_no_self_service():
    base = with_authority("{selfService: {shrinking: true, upTo: {h100: 12}}}")
    done = plan(edited(MORE_BLUE, (RED, "namespaces: [red]", "namespaces: red"), files=base), base)
    assert done.head_errors
    assert done.approvals is None
    assert done.self_service == ()
