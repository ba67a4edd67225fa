"""Whose agreement counts on GitHub: who pushed, who is gone or renamed, what the token may not know."""

from __future__ import annotations

import json

import pytest
from command import kohort
from stub_forge import Forge

HEAD = "c0ffee0000" + "0" * 30
ADMINS = {
    "who": "admins",
    "why": "blue grows",
    "people": ["Group platform-admins", "User carol"],
    "given": True,
}
RED = {"who": "team red", "why": "it falls", "people": ["Group red-leads", "User rita"], "given": False}


@pytest.fixture
def forge():
    with Forge() as running:
        running.head, running.author, running.pushes = HEAD, "carol", [("carol", HEAD)]
        yield running


def approvals(forge, tmp_path, *entries, head="c0ffee0000", commit=""):
    file = tmp_path / "plan.json"
    file.write_text(json.dumps({"kind": "Plan", "head": head, "approvals": list(entries)}), "utf-8")
    where = ["--github", "--repository", "example/quota", "--number", "7", "--api", forge.url]
    more = ["--commit", commit] if commit else []
    return kohort(["approvals", str(file), *where, *more], {"GITHUB_TOKEN": "ghs_secret"})


def review(login, state="APPROVED", commit=HEAD):
    return {"login": login, "state": state, "commit_id": commit}


def test_the_author_who_pushed_the_commit_agrees_by_it(forge, tmp_path):
    done = approvals(forge, tmp_path, ADMINS)
    assert (done.exit_code, done.output) == (0, "admins: blue grows (agreed by the author)\n")
    (asked,) = [path for _, path, _ in forge.asked if path.endswith("/activity")]
    assert asked == "/repos/alice/quota/activity"


@pytest.mark.parametrize(
    ("pushes", "by"),
    [
        ([("mallory", HEAD), ("carol", "1" * 40)], "the commit was pushed by mallory"),
        ([("carol", "1" * 40)], "GitHub does not say who pushed the commit"),
        ([], "GitHub does not say who pushed the commit"),
        ([("", HEAD)], "GitHub does not say who pushed the commit"),
    ],
)
def test_a_commit_that_somebody_else_pushed_into_it_is_not_the_authors(forge, tmp_path, pushes, by):
    forge.pushes = pushes
    done = approvals(forge, tmp_path, ADMINS)
    assert done.exit_code == 1
    assert (
        done.output
        == f"admins: blue grows (open: Group platform-admins, User carol; carol proposes it, but {by})\n"
    )
    forge.reviews, forge.members = [review("dora")], {("platform-admins", "dora")}
    done = approvals(forge, tmp_path, ADMINS)
    assert (done.exit_code, done.output) == (0, "admins: blue grows (agreed by dora)\n")


def test_who_pushed_it_last_counts(forge, tmp_path):
    forge.pushes = [("carol", HEAD), ("mallory", HEAD)]
    assert approvals(forge, tmp_path, ADMINS).exit_code == 0


@pytest.mark.parametrize("status", [403, 404, 422])
def test_a_history_that_the_token_may_not_read_vouches_for_nobody(forge, tmp_path, status):
    forge.closed = {"/repos/alice/quota/activity": status}
    done = approvals(forge, tmp_path, ADMINS)
    assert done.exit_code == 1
    assert "carol proposes it, but GitHub does not say who pushed the commit" in done.output


@pytest.mark.parametrize("fork", ["", "../../user", "alice"])
def test_a_fork_that_was_deleted_vouches_for_nobody(forge, tmp_path, fork):
    forge.fork = fork
    done = approvals(forge, tmp_path, ADMINS)
    assert done.exit_code == 1
    assert not [path for _, path, _ in forge.asked if "activity" in path]


def test_an_author_who_is_gone_agrees_to_nothing(forge, tmp_path):
    forge.author, forge.pushes = "", [("", HEAD)]
    done = approvals(forge, tmp_path, ADMINS)
    assert done.exit_code == 1
    assert "a user who is gone proposes it" in done.output


def test_nobody_is_asked_who_pushed_where_nothing_is_given(forge, tmp_path):
    forge.reviews = [review("rita")]
    assert approvals(forge, tmp_path, RED).exit_code == 0
    assert not [path for _, path, _ in forge.asked if "activity" in path]


@pytest.mark.parametrize("login", ["Rita", "RITA", "rita"])
def test_the_case_of_a_login_does_not_matter_as_it_does_not_for_github(forge, tmp_path, login):
    forge.reviews = [review(login)]
    done = approvals(forge, tmp_path, RED)
    assert (done.exit_code, done.output) == (0, f"team red: it falls (agreed by {login})\n")


def test_without_a_forge_names_are_compared_as_they_are(tmp_path):
    file = tmp_path / "plan.json"
    file.write_text(json.dumps({"kind": "Plan", "approvals": [RED]}), "utf-8")
    assert kohort(["approvals", str(file), "--approved-by", "Rita"], {}).exit_code == 1


@pytest.mark.parametrize(
    "reviews",
    [
        [review("rita-old-name")],
        [review("rita[bot]")],
        [review("")],
        [review("rita", "PENDING")],
        [review("rita", commit=HEAD[:10])],
        [review("rita", commit="")],
        [review("rita"), review("Rita", "DISMISSED")],
        [review("rita"), review("rita", "CHANGES_REQUESTED"), review("rita", "COMMENTED")],
    ],
)
def test_reviews_that_are_no_approval_of_this_commit_by_somebody_who_counts(forge, tmp_path, reviews):
    forge.reviews = reviews
    done = approvals(forge, tmp_path, RED)
    assert (done.exit_code, done.output) == (1, "team red: it falls (open: Group red-leads, User rita)\n")


@pytest.mark.parametrize("states", [("DISMISSED", "APPROVED"), ("CHANGES_REQUESTED", "APPROVED")])
def test_the_latest_review_counts(forge, tmp_path, states):
    forge.reviews = [review("rita", state) for state in states]
    assert approvals(forge, tmp_path, RED).exit_code == 0


def test_an_approval_among_hundreds_of_reviews(forge, tmp_path):
    forge.reviews = [review(f"user-{number}", "COMMENTED") for number in range(250)] + [review("rita")]
    assert approvals(forge, tmp_path, RED).exit_code == 0
    assert len([path for _, path, _ in forge.asked if path.endswith("/reviews")]) == 3


def test_a_team_that_is_not_there_is_told_and_the_rest_is_judged(forge, tmp_path):
    forge.teams, forge.members = {"platform-admins"}, {("platform-admins", "dora")}
    forge.reviews = [review("dora")]
    done = approvals(forge, tmp_path, {**ADMINS, "given": False}, RED)
    assert done.exit_code == 1
    admins, red = done.output.splitlines()
    assert admins == "admins: blue grows (agreed by dora)"
    assert red == (
        "team red: it falls (open: Group red-leads, User rita; example has no team red-leads, or the token may not see "
        "it: it needs to read the organisation's members)"
    )


def test_a_team_that_the_token_may_not_see_is_asked_about_once(forge, tmp_path):
    forge.closed = {"/orgs/": 403}
    forge.reviews = [review("dora"), review("emil")]
    done = approvals(forge, tmp_path, RED, {**RED, "why": "it falls again"})
    assert done.exit_code == 1
    assert done.output.count("the token may not ask who is in the team red-leads") == 2
    assert len([path for _, path, _ in forge.asked if path.startswith("/orgs/")]) == 1


def test_each_membership_is_asked_once(forge, tmp_path):
    forge.reviews = [review("dora"), review("emil")]
    entries = [{**RED, "why": f"{number}"} for number in range(50)]
    assert approvals(forge, tmp_path, *entries).exit_code == 1
    asked = [path for _, path, _ in forge.asked if "/memberships/" in path]
    assert sorted(asked) == [f"/orgs/example/teams/red-leads/memberships/{who}" for who in ("dora", "emil")]


def test_a_limit_is_not_taken_for_a_missing_right(forge, tmp_path, monkeypatch):
    monkeypatch.setattr("time.sleep", lambda _: None)
    forge.reviews = [review("dora")]
    pull = {"head": {"sha": HEAD}, "user": {"login": "carol"}}
    listed = [{"user": {"login": "dora"}, **review("dora")}]
    limit = (403, [("X-RateLimit-Remaining", "0"), ("X-RateLimit-Reset", "99999999999")], b"{}")
    forge.faults = [(200, [], pull), (200, [], listed), limit]
    done = approvals(forge, tmp_path, RED)
    assert done.exit_code == 2
    assert "too many requests with this token: it asks to come back in" in done.output


@pytest.mark.parametrize(
    ("head", "words"),
    [
        (
            "more-gpus (1111111111)",
            "the plan is of more-gpus (1111111111), and what is to be approved is c0ffee0000",
        ),
        (
            "1111111111",
            "the plan is of 1111111111, and what is to be approved is c0ffee0000: make the plan again",
        ),
        (
            "working tree",
            "the plan is of working tree, and people approve commits: make it with --head COMMIT",
        ),
        ("new/", "the plan is of new/, and people approve commits"),
        (None, "the file is no plan in JSON"),
        (7, "the file is no plan in JSON"),
    ],
)
def test_a_plan_of_something_else_has_no_approvals(forge, tmp_path, head, words):
    forge.reviews = [review("rita")]
    done = approvals(forge, tmp_path, RED, head=head)
    assert done.exit_code == 2
    assert words in done.output


def test_a_branch_that_is_called_like_a_commit_is_none(forge, tmp_path):
    assert (
        "is of 1111111111 (c0ffee0000)"
        not in approvals(forge, tmp_path, RED, head="1111111111 (c0ffee0000)").output
    )
    assert approvals(forge, tmp_path, RED, head="c0ffee0000 (1111111111)").exit_code == 2


def test_a_push_after_the_plan_leaves_the_plans_commit_to_be_approved(forge, tmp_path):
    forge.head = "2" * 40
    forge.reviews = [review("rita")]
    assert approvals(forge, tmp_path, RED, commit=HEAD).exit_code == 0
    assert approvals(forge, tmp_path, RED).exit_code == 2
