"""Who must still agree: the plan says who counts, the forge says who approved this very commit."""

from __future__ import annotations

import json

import pytest
from command import kohort
from stub_forge import Forge

PLAN = {
    "kind": "Plan",
    "head": "more-gpus (c0ffee0000)",
    "approvals": [
        {
            "who": "admins",
            "why": "team blue would grow",
            "people": ["Group platform-admins", "User root"],
            "given": False,
        },
        {"who": "team red", "why": "its guarantee falls", "people": ["Group red-leads"], "given": False},
    ],
}


@pytest.fixture
def forge():
    with Forge() as running:
        yield running


def approvals(tmp_path, *arguments, plan=PLAN):
    file = tmp_path / "plan.json"
    file.write_text(plan if isinstance(plan, str) else json.dumps(plan), "utf-8")
    return kohort(["approvals", str(file), *arguments], {"GITHUB_TOKEN": "ghs_secret"})


def asked(forge, tmp_path, *more):
    where = ("--github", "--repository", "example/quota", "--number", "7", "--api", forge.url)
    return approvals(tmp_path, *where, *more)


def test_without_approvals_everything_is_open(tmp_path):
    done = approvals(tmp_path)
    assert done.exit_code == 1
    assert done.output.splitlines() == [
        "admins: team blue would grow (open: Group platform-admins, User root)",
        "team red: its guarantee falls (open: Group red-leads)",
    ]


def test_named_users_and_members_of_groups_agree(tmp_path):
    done = approvals(tmp_path, "--approved-by", "root", "--approved-by", "rita", "--in", "red-leads=rita")
    assert done.exit_code == 0
    assert done.output.splitlines() == [
        "admins: team blue would grow (agreed by root)",
        "team red: its guarantee falls (agreed by rita)",
    ]


def test_a_user_who_is_called_like_a_group_is_not_its_member(tmp_path):
    assert approvals(tmp_path, "--approved-by", "red-leads", "--approved-by", "root").exit_code == 1


def test_reviews_and_teams_from_the_forge(tmp_path, forge):
    forge.members = {("platform-admins", "carol"), ("red-leads", "rita")}
    forge.reviews = [
        {"login": "carol", "state": "APPROVED", "commit_id": "c0ffee0000"},
        {"login": "rita", "state": "APPROVED", "commit_id": "c0ffee0000"},
    ]
    done = asked(forge, tmp_path)
    assert (done.exit_code, done.output.count("agreed by")) == (0, 2)


@pytest.mark.parametrize(
    "reviews",
    [
        [("rita", "APPROVED", "older")],
        [("rita", "APPROVED", "c0ffee0000"), ("rita", "CHANGES_REQUESTED", "c0ffee0000")],
        [("rita", "APPROVED", "c0ffee0000"), ("rita", "DISMISSED", "c0ffee0000")],
        [("mallory", "APPROVED", "c0ffee0000")],
        [("rita", "COMMENTED", "c0ffee0000")],
    ],
)
def test_what_does_not_count(tmp_path, forge, reviews):
    forge.members = {("red-leads", "rita")}
    forge.reviews = [
        {"login": login, "state": state, "commit_id": commit} for login, state, commit in reviews
    ]
    done = asked(forge, tmp_path)
    assert done.exit_code == 1
    assert "team red: its guarantee falls (open: Group red-leads)" in done.output


def test_a_remark_after_an_approval_takes_nothing_back(tmp_path, forge):
    forge.members = {("red-leads", "rita"), ("platform-admins", "rita")}
    forge.reviews = [
        {"login": "rita", "state": s, "commit_id": "c0ffee0000"} for s in ("APPROVED", "COMMENTED")
    ]
    assert asked(forge, tmp_path).exit_code == 0


def test_group_names_that_are_no_team_are_never_put_into_an_address(tmp_path, forge):
    plan = {
        "kind": "Plan",
        "head": "c0ffee0000",
        "approvals": [{"who": "admins", "why": "x", "people": ["Group ../../x"], "given": False}],
    }
    forge.reviews = [{"login": "rita", "state": "APPROVED", "commit_id": "c0ffee0000"}]
    file = tmp_path / "p.json"
    file.write_text(json.dumps(plan), "utf-8")
    done = approvals(
        tmp_path, "--github", "--repository", "example/quota", "--number", "7", "--api", forge.url, plan=plan
    )
    assert done.exit_code == 1
    assert not [path for _, path, _ in forge.asked if "orgs" in path]


def test_self_service_needs_nobody(tmp_path):
    done = approvals(tmp_path, plan={"kind": "Plan", "approvals": []})
    assert (done.exit_code, done.output) == (0, "nobody else need agree: self-service\n")


@pytest.mark.parametrize(
    ("plan", "words"),
    [
        ("{", "is no JSON"),
        ({"kind": "Report"}, "the file is no plan in JSON"),
        ({"kind": "Plan", "approvals": None}, "one side cannot be read whole"),
    ],
)
def test_a_file_that_is_no_plan(tmp_path, plan, words):
    done = approvals(tmp_path, plan=plan)
    assert done.exit_code == 2
    assert words in done.output
