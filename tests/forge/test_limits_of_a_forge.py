"""Rate limits, moved repositories and refusals with remarks: what is waited for, what is told instead."""

from __future__ import annotations

import json

import pytest
from stub_forge import Forge

from kohort.forge.http import Api, ForgeError

PATH = "repos/a/b/pulls/7"
NOW = 1_800_000_000.0


@pytest.fixture
def forge():
    with Forge() as running:
        yield running


def asking(forge, waited):
    return Api(forge.url, {"Authorization": "Bearer ghs_secret"}, pause=waited.append, clock=lambda: NOW)


@pytest.mark.parametrize(
    ("status", "headers", "waits"),
    [
        (429, [("Retry-After", "7")], 7.0),
        (429, [], 2.0),
        (403, [("Retry-After", "7")], 7.0),  # GitHub's secondary limit
        (403, [("X-RateLimit-Remaining", "0"), ("X-RateLimit-Reset", "1800000009")], 9.0),  # its primary one
        (403, [("X-RateLimit-Remaining", "0"), ("X-RateLimit-Reset", "1700000000")], 1.0),  # already over
        (403, [("X-RateLimit-Remaining", "0"), ("X-RateLimit-Reset", "soon")], 2.0),
        (502, [("Retry-After", "60")], 60.0),
    ],
)
def test_a_limit_that_ends_soon_is_waited_for(forge, status, headers, waits):
    waited = []
    forge.faults = [(status, headers, {"message": "API rate limit exceeded"})]
    assert asking(forge, waited).send("GET", PATH)["head"]["sha"] == "c0ffee0000"
    assert waited == [waits]


@pytest.mark.parametrize(
    ("status", "headers", "seconds"),
    [
        (429, [("Retry-After", "61")], 61),
        (403, [("X-RateLimit-Remaining", "0"), ("X-RateLimit-Reset", "1800003000")], 3000),
        (503, [("Retry-After", "999999")], 999_999),
    ],
)
def test_a_limit_that_ends_late_is_told_at_once(forge, status, headers, seconds):
    waited = []
    forge.faults = [(status, headers, {"message": "slow down"})]
    with pytest.raises(ForgeError) as told:
        asking(forge, waited).send("GET", PATH)
    assert waited == []
    assert f"{status} slow down" in str(told.value)
    assert str(told.value).endswith(f"it asks to come back in {seconds} s, run this again then")
    assert "may not do this" not in str(told.value)
    assert ("too many requests with this token" in str(told.value)) is (status != 503)


def test_what_a_limit_refused_is_sent_again_even_where_it_makes_something(forge):
    waited = []
    forge.faults = [(429, [], b"{}"), (403, [("Retry-After", "3")], b"{}")]
    asking(forge, waited).send("POST", "repos/a/b/issues/7/comments", {"body": "8 → 16"})
    assert [each["body"] for each in forge.comments] == ["8 → 16"]
    assert waited == [2.0, 3.0]


def test_a_limit_is_no_lack_of_rights(forge):
    """The caller asks by status whether the token may know something."""
    forge.faults = [(403, [("X-RateLimit-Remaining", "0")], b"{}")] * 3
    with pytest.raises(ForgeError) as told:
        asking(forge, []).send("GET", PATH)
    assert told.value.status == 429


def test_three_attempts_and_no_more(forge):
    waited = []
    forge.faults = [(500, [], b"{}")] * 3
    with pytest.raises(ForgeError, match="500"):
        asking(forge, waited).send("GET", PATH)
    assert (waited, len(forge.asked)) == ([2.0, 4.0], 3)


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_moved_repository_is_told_with_its_new_address_and_without_what_that_may_hold(forge, status):
    forge.faults = [(status, [("Location", "https://api.example.com/repositories/1?token=x#y")], b"{}")]
    with pytest.raises(ForgeError) as told:
        asking(forge, []).send("GET", PATH)
    assert (
        f"{status}; it moved to https://api.example.com/repositories/1: name the repository as it is called now"
        in str(told.value)
    )
    assert "token=x" not in str(told.value)
    assert len(forge.asked) == 1


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (
            {"message": "Validation Failed", "errors": [{"code": "invalid"}]},
            "422 Validation Failed (invalid)",
        ),
        (
            {"message": "Validation Failed", "errors": [{"message": "body is too long", "code": "custom"}]},
            "422 Validation Failed (body is too long)",
        ),
        ({"message": "Validation Failed", "errors": ["locked"]}, "422 Validation Failed (locked)"),
        ({"message": "Validation Failed", "errors": []}, "422 Validation Failed"),
        ({"message": "Validation Failed", "errors": {"a": 1}}, "422 Validation Failed"),
        ({"message": "Validation Failed", "errors": [[1]]}, "422 Validation Failed"),
        ({"message": None}, "422"),
        ([1], "422"),
        ("nonsense", "422"),
    ],
)
def test_a_refusal_carries_the_forges_own_remark(forge, answer, words):
    forge.faults = [(422, [], json.dumps(answer).encode())]
    with pytest.raises(ForgeError) as told:
        asking(forge, []).send("GET", PATH)
    assert str(told.value).endswith(f"/{PATH}: {words}")


def test_a_conflict_is_told_once(forge):
    forge.faults = [(409, [], {"message": "Conflict"})]
    with pytest.raises(ForgeError, match="409 Conflict"):
        asking(forge, []).send("PATCH", PATH, {})
    assert len(forge.asked) == 1
