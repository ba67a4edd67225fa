"""A change that starts from an old commit is judged by the rules and people of its branch as it stands now."""

from __future__ import annotations

import json

import pytest
from command_line import commit, edit, git, kohort
from plan_world import FILES
from test_authority_gaps import (
    CAP,
    LESS_RED,
    MORE_RED,
    ORG,
    POLICY,
    RED,
    WAIVER,
    asked,
    edited,
    policy,
    said,
    tree,
    waiver,
    with_authority,
)

from kohort.engine.outcome import Settings
from kohort.engine.planning import plan_repositories

MALLORY = (ORG, "{groups: [platform-admins]}", "{groups: [platform-admins], users: [mallory]}")
GROWS = "team red would be guaranteed 3 GPUs more of h100 on pokprod"


def plan(base, head, onto, **actor):
    return plan_repositories(tree(base), tree(head), Settings(**actor), onto=tree(onto)).plan


def test_who_was_an_admin_when_the_change_parted_is_none_now():
    old = edited(MALLORY)
    done = plan(old, edited(MORE_RED, files=old), FILES, actor="mallory")
    (one,) = [each for each in done.approvals if each.why == GROWS]
    assert one.people == ("Group platform-admins", "Group pokprod-admins")
    assert not one.given
    assert ("admins", "team red, which names no admins: its own files change (teams/red/team.yaml)") in asked(
        done
    )


def test_who_became_an_admin_since_then_may_agree():
    done = plan(FILES, edited(MORE_RED), edited(MALLORY), actor="mallory")
    (one,) = done.approvals
    assert one.people == ("Group platform-admins", "Group pokprod-admins", "User mallory")
    assert one.given


def test_the_admins_of_a_team_are_those_that_it_has_now():
    now = edited((RED, "access: {members", "access: {admins: {groups: [red-leads]}, members"))
    (one,) = plan(FILES, edited(LESS_RED), now).approvals
    assert (one.who, one.people) == ("team red", ("Group red-leads",))


def test_self_service_that_was_ended_covers_nothing():
    old = with_authority("{selfService: {upTo: {h100: 12}}}")
    done = plan(old, edited(MORE_RED, files=old), FILES)
    assert asked(done) == [("admins", GROWS)]
    assert done.self_service == ()


def test_claims_that_were_taken_back_cover_nothing():
    old = edited((ORG, "  access:\n", "  claims: [{teams: red, namespaces: ['red*']}]\n  access:\n"))
    after = edited((RED, "[red]", "[red, red-test]"), files=old)
    assert asked(plan(old, after, FILES)) == [("admins", "team red takes 1 namespace: red-test")]


def test_guard_rails_that_are_newer_than_the_change_hold():
    rail = with_authority("{largestRemoval: {guarantee: 3}}")
    assert said(plan(FILES, edited(LESS_RED), rail)) == [
        ("AUT103", "4 GPUs of guarantees go in one change, more than 3: red 4 h100")
    ]


def test_an_admin_who_came_later_is_not_removed_by_a_change_that_does_not_know_them():
    rails = "{pinned: {groups: [platform-admins], users: [mallory]}, minimumAdmins: 2}"
    now = edited(MALLORY, files=with_authority(rails))
    assert said(plan(FILES, edited(MORE_RED), now)) == []
    nobody = (ORG, "{groups: [platform-admins]}", "{}")
    assert [code for code, _ in said(plan(FILES, edited(nobody), now))] == ["AUT101", "AUT102"]


@pytest.mark.parametrize(("now", "expected"), [(CAP, [("POL201", "team red: not so")]), (FILES, [])])
def test_policies_are_those_of_now(now, expected):
    old = FILES if now is CAP else CAP
    assert said(plan(old, edited(MORE_RED, files=old), now)) == expected


def test_an_exception_that_was_withdrawn_accepts_nothing_and_a_standing_one_does():
    held = {**CAP, WAIVER: waiver("POL201")}
    after = edited(MORE_RED, files=held)
    assert said(plan(held, after, held)) == []
    assert said(plan(held, after, CAP)) == [("POL201", "team red: not so")]


def test_a_severity_that_was_put_back_holds():
    off = edited((ORG, "  access:\n", "  severities: {POL201: 'off'}\n  access:\n"), files=CAP)
    assert said(plan(off, edited(MORE_RED, files=off), CAP)) == [("POL201", "team red: not so")]


def test_a_policy_sees_the_people_of_now():
    asks = {**FILES, POLICY: policy("actor.admin", "repository")}
    old = edited(MALLORY, files=asks)
    done = plan(old, edited(MORE_RED, files=old), asks, actor="mallory")
    assert said(done) == []  # it was broken before; nobody acted then either
    change = {**FILES, POLICY: policy("after.name != 'red' || actor.admin", "team", "change")}
    old = edited(MALLORY, files=change)
    done = plan(old, edited(MORE_RED, files=old), change, actor="mallory")
    assert said(done) == [("POL201", "team red: not so")]


@pytest.mark.parametrize("broken", ["kind: [", "", "kind: Team\n"])
def test_a_branch_that_cannot_be_read_now_asks_nobody_by_name(broken):
    done = plan(FILES, edited(MORE_RED), {**FILES, ORG: broken})
    assert done.approvals is None
    assert done.base_errors
    assert all(each.message.startswith("on the branch as it stands now: ") for each in done.base_errors)
    assert done.effects  # what changes is told all the same


def test_two_commits_of_a_repository_and_the_saved_plan(repo):
    edit(repo, *MALLORY[1:], ORG)
    commit(repo, "mallory is an admin")
    git(repo, "checkout", "-q", "-b", "topic")
    edit(repo, "gpus: 6", "gpus: 9")
    commit(repo)
    git(repo, "checkout", "-q", "main")
    edit(repo, MALLORY[2], MALLORY[1], ORG)
    commit(repo, "mallory left")
    arguments = ("plan", "--base", "main", "--head", "topic", "--actor", "mallory")
    assert kohort(repo, *arguments, "--format", "json=plan.json", "--out", "saved.json").returncode == 0
    approvals = json.loads((repo / "plan.json").read_text("utf-8"))["approvals"]
    assert [each["given"] for each in approvals if each["why"] == GROWS] == [False]
    assert not [each for each in approvals if "User mallory" in each["people"]]
    held = kohort(repo, "verify-plan", "saved.json", "--base", "main", "--head", "topic")
    assert (held.returncode, "the plan holds" in held.stdout) == (0, True)
    (repo / "untouched.txt").write_text("x", "utf-8")
    commit(repo, "nothing that Kohort reads")
    assert kohort(repo, "verify-plan", "saved.json", "--base", "main", "--head", "topic").returncode == 0
