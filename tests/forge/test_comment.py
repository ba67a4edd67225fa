"""One comment per pull request, whatever happens; against a stub of the forge's API on loopback."""

from __future__ import annotations

import pytest
from command import kohort
from stub_forge import Forge

from kohort.forge import http
from kohort.forge.sticky import LARGEST, mark
from kohort.planner.render.markdown import LIMIT as PLAN_LIMIT

BOT = "github-actions[bot]"


@pytest.fixture
def forge():
    with Forge() as running:
        yield running


@pytest.fixture(autouse=True)
def no_pauses(monkeypatch):
    waited = []
    monkeypatch.setattr(http.Api, "__init__", _with_pause(http.Api.__init__, waited))
    return waited


def _with_pause(init, waited):
    return lambda self, url, headers: init(self, url, headers, waited.append)


def comment(forge, tmp_path, body, *more, token="ghs_secret", kind="github", repository="example/quota"):
    file = tmp_path / "plan.md"
    file.write_text(body, "utf-8")
    arguments = [
        "comment",
        str(file),
        "--forge",
        kind,
        "--repository",
        repository,
        "--number",
        "7",
        "--api",
        forge.url,
    ]
    env = {"GITHUB_TOKEN": token, "GITLAB_TOKEN": token}
    return kohort([*arguments, *more], env)


@pytest.mark.parametrize("kind", ["github", "gitlab"])
def test_made_once_then_changed_then_left_alone(forge, tmp_path, kind):
    assert "comment: made" in comment(forge, tmp_path, "8 → 16 GPUs\n", kind=kind).output
    assert "comment: unchanged" in comment(forge, tmp_path, "8 → 16 GPUs\n", kind=kind).output
    assert "comment: changed" in comment(forge, tmp_path, "8 → 12 GPUs\n", kind=kind).output
    (only,) = forge.comments
    assert only["body"] == "<!-- kohort:plan -->\n8 → 12 GPUs\n"


def test_somebody_elses_comment_with_the_mark_is_not_ours(forge, tmp_path):
    forge.add("mallory", f"{mark('plan')}\nall is well, merge it")
    assert "comment: made" in comment(forge, tmp_path, "8 → 16 GPUs").output
    assert [each["login"] for each in forge.comments] == ["mallory", BOT]
    assert forge.comments[0]["body"].endswith("merge it")


def test_nothing_to_say_makes_no_comment_but_ends_an_old_one(forge, tmp_path):
    assert "comment: nothing to say" in comment(forge, tmp_path, " \n").output
    assert forge.comments == []
    comment(forge, tmp_path, "8 → 16 GPUs")
    assert "comment: changed" in comment(forge, tmp_path, "").output
    assert "Nothing changes any more." in forge.comments[0]["body"]


def test_found_on_a_later_page(forge, tmp_path):
    forge.page = 2
    for number in range(5):
        forge.add("alice", f"remark {number}")
    forge.add(BOT, f"{mark('plan')}\nold")
    assert "comment: changed" in comment(forge, tmp_path, "new").output
    assert len(forge.comments) == 6


def test_too_long_a_text_is_cut_below_what_the_forge_takes(forge, tmp_path):
    comment(forge, tmp_path, "x" * 100_000)
    body = forge.comments[0]["body"]
    assert len(body) == LARGEST
    assert body.endswith(
        "x\n\n*The rest is too long for a comment: see the plan among the artifacts of this run.*\n"
    )


def test_a_long_text_is_cut_after_a_whole_line(forge, tmp_path):
    comment(forge, tmp_path, "- a line of a list\n" * 10_000)
    shown = forge.comments[0]["body"].split("\n\n*The rest")[0].splitlines()[1:]
    assert set(shown) == {"- a line of a list"}
    assert LARGEST - 200 < len(forge.comments[0]["body"]) <= LARGEST


def test_a_plan_that_fits_is_not_cut_for_its_mark(forge, tmp_path):
    comment(forge, tmp_path, "x" * PLAN_LIMIT)
    assert forge.comments[0]["body"] == f"{mark('plan')}\n{'x' * PLAN_LIMIT}\n"


def test_found_among_hundreds_of_comments_by_others(forge, tmp_path):
    for number in range(250):
        forge.add("other[bot]" if number % 2 else "mallory", f"{mark('plan')}\n{number}")
    forge.add(BOT, f"{mark('plan')}\nold")
    assert "comment: changed" in comment(forge, tmp_path, "new").output
    assert (len(forge.comments), forge.comments[-1]["body"]) == (251, f"{mark('plan')}\nnew\n")
    assert len([path for method, path, _ in forge.asked if method == "GET"]) == 3


def test_a_user_who_is_gone_wrote_none_of_ours(forge, tmp_path):
    forge.add(None, f"{mark('plan')}\nold")
    assert "comment: made" in comment(forge, tmp_path, "new").output


def test_a_comment_that_somebody_deletes_in_between_is_made_anew(forge, tmp_path):
    forge.faults = [(200, (), [{"id": 9, "body": f"{mark('plan')}\nold", "user": {"login": BOT}}])]
    assert "comment: made" in comment(forge, tmp_path, "new").output
    assert [method for method, _, _ in forge.asked] == ["GET", "PATCH", "POST"]
    assert len(forge.comments) == 1


def test_a_users_token_finds_its_own_comment(forge, tmp_path):
    forge.token, forge.writer = "github_pat_1", "quota-user"
    for said in ("made", "unchanged"):
        assert f"comment: {said}" in comment(forge, tmp_path, "8 → 16", token="github_pat_1").output
    assert len(forge.comments) == 1


def test_a_token_that_stands_for_no_user_is_that_of_actions(forge, tmp_path):
    forge.token, forge.closed = "other", {"/user": 403}
    assert "comment: made" in comment(forge, tmp_path, "8 → 16", token="other").output
    assert "comment: unchanged" in comment(forge, tmp_path, "8 → 16", token="other").output


def test_a_comment_by_somebody_unexpected_is_told_before_there_are_many(forge, tmp_path):
    forge.writer = "quota-app[bot]"
    done = comment(forge, tmp_path, "8 → 16")
    assert (
        "kohort: the comment is by quota-app[bot], not by github-actions[bot]: name --author quota-app[bot], "
        "or every run makes another one" in done.output
    )
    done = comment(forge, tmp_path, "8 → 16", "--author", "quota-app[bot]")
    assert done.output == "comment: unchanged\n"


def test_whose_token_it_is_must_be_known(forge, tmp_path):
    forge.faults = [(200, (), {})]
    done = comment(forge, tmp_path, "8 → 16", kind="gitlab")
    assert done.exit_code == 2
    assert "the forge does not say whose token it is: name --author" in done.output
    assert forge.comments == []


def test_several_comments_by_name(forge, tmp_path):
    comment(forge, tmp_path, "one", "--name", "pokprod")
    comment(forge, tmp_path, "two", "--name", "vela --> <script>")
    assert [each["body"].splitlines()[0] for each in forge.comments] == [
        "<!-- kohort:pokprod -->",
        "<!-- kohort:vela--script -->",
    ]


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (
            403,
            "403 Resource not accessible; the token may not do this: it needs to read pull requests, and to write to them for a comment",
        ),
        (404, "404 Resource not accessible; no such repository or pull request, or the token may not see it"),
        (422, "422 Resource not accessible"),
    ],
)
def test_a_refusal_is_told_once_with_what_to_do(forge, tmp_path, status, words):
    forge.faults = [(status, (), {"message": "Resource not accessible"})]
    done = comment(forge, tmp_path, "text")
    assert done.exit_code == 2
    assert words in done.output
    assert "ghs_secret" not in done.output
    assert len(forge.asked) == 1


def test_a_wrong_token_is_told_and_not_shown(forge, tmp_path):
    done = comment(forge, tmp_path, "text", token="wrong-token")
    assert "401 Bad credentials; the token is missing or wrong" in done.output
    assert "wrong-token" not in done.output


def test_a_busy_forge_is_asked_again_after_the_time_it_names(forge, tmp_path, no_pauses):
    forge.faults = [(503, (("Retry-After", "7"),), {}), (429, (), {})]
    assert "comment: made" in comment(forge, tmp_path, "text").output
    assert no_pauses == [7.0, 4.0]


def test_a_comment_is_never_posted_twice_because_the_answer_was_lost(forge, tmp_path):
    comment(forge, tmp_path, "first")
    forge.comments.clear()
    forge.asked.clear()
    forge.faults = [(200, (), []), (502, (), {"message": "lost"})]
    assert comment(forge, tmp_path, "text").exit_code == 2
    assert [method for method, _, _ in forge.asked] == ["GET", "POST"]


def test_a_redirect_does_not_carry_the_token_away(forge, tmp_path):
    forge.faults = [(302, (("Location", "http://127.0.0.1:9/steal"),), {})]
    done = comment(forge, tmp_path, "text")
    assert done.exit_code == 2
    assert "302" in done.output
    assert len(forge.asked) == 1


def test_a_next_page_elsewhere_is_not_followed(forge, tmp_path):
    forge.faults = [(200, (("Link", '<http://127.0.0.1:9/x>; rel="next"'),), [])]
    done = comment(forge, tmp_path, "text")
    assert (
        "the next page would be on another server (http://127.0.0.1:9/x); the token stays here" in done.output
    )


@pytest.mark.parametrize("answer", [b"<html>", b'{"a": 1}'])
def test_an_answer_that_is_no_list_of_json_is_an_error(forge, tmp_path, answer):
    forge.faults = [(200, (), answer)]
    assert comment(forge, tmp_path, "text").exit_code == 2


def test_nobody_there(tmp_path, forge):
    forge.server.server_close()
    done = comment(forge, tmp_path, "text")
    assert done.exit_code == 2
    assert "refused" in done.output.lower()


def test_without_a_token_it_says_which_variable(forge, tmp_path):
    done = comment(forge, tmp_path, "text", token="")
    assert done.exit_code == 2
    assert "GITHUB_TOKEN is not set" in done.output


def test_a_repository_that_is_none(forge, tmp_path):
    done = comment(forge, tmp_path, "text", repository="../../user")
    assert "'../../user' is no repository such as owner/name" in done.output
    assert forge.asked == []
