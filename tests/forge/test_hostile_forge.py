"""A forge that is slow, talks rubbish or hides commands in what it says: one clear error, in bounded time."""

from __future__ import annotations

import json
import socket
import threading
import time

import pytest
from command import kohort
from stub_forge import Forge

from kohort.forge.http import Api, ForgeError

PLAN = {
    "kind": "Plan",
    "head": "c0ffee0000",
    "approvals": [{"who": "admins", "why": "grows", "people": ["Group a-team"], "given": False}],
}


@pytest.fixture
def forge():
    with Forge() as running:
        yield running


class Raw:
    """Answers every connection with these bytes, a few at a time."""

    def __init__(self, data, pause=0.0):
        self._data, self._pause = data, pause
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._socket.getsockname()[1]}"
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self):
        while True:
            try:
                there, _ = self._socket.accept()
            except OSError:
                return
            threading.Thread(target=self._answer, args=(there,), daemon=True).start()

    def _answer(self, there):
        try:
            there.recv(1 << 16)
            for start in range(0, len(self._data), 8):
                there.sendall(self._data[start : start + 8])
                if self._pause:
                    time.sleep(self._pause)
        except OSError:
            pass
        finally:
            there.close()

    def close(self):
        self._socket.close()


def approvals(tmp_path, url, plan=PLAN, token="ghs_secret"):
    file = tmp_path / "plan.json"
    file.write_text(plan if isinstance(plan, str) else json.dumps(plan), "utf-8")
    where = ["--github", "--repository", "example/quota", "--number", "7", "--api", url]
    return kohort(["approvals", str(file), *where], {"GITHUB_TOKEN": token})


def test_an_answer_that_trickles_in_is_not_waited_for():
    dripping = Raw(b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n" + b" " * 100_000, pause=0.05)
    before = time.monotonic()
    with pytest.raises(ForgeError, match=r"no whole answer within 0\.3 s"):
        Api(dripping.url, {}, pause=lambda _: None, seconds=0.3).send("GET", "x")
    assert time.monotonic() - before < 10  # three attempts; the whole answer would take ten minutes
    dripping.close()


@pytest.mark.parametrize(
    "data",
    [
        b"220 ftp.example.com ready\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\n{}",
        b"HTTP/1.1 200 OK\r\n" + b"A: b\r\n" * 200 + b"\r\n{}",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        b"\x00\xff" * 40,
        b"",
    ],
)
def test_what_is_no_http_is_an_error_in_words(data):
    talking = Raw(data)
    with pytest.raises(ForgeError, match=r"GET http://127\.0\.0\.1"):
        Api(talking.url, {}, pause=lambda _: None, seconds=20).send("GET", "x")
    talking.close()


@pytest.mark.parametrize("answer", ["[" * 100_000, "nul", "{} {}"])
def test_what_is_no_json_is_an_error_in_words(forge, tmp_path, answer):
    forge.faults = [(200, [], answer.encode())]
    done = approvals(tmp_path, forge.url)
    assert done.exit_code == 2
    assert "did not answer with JSON" in done.output


@pytest.mark.parametrize(
    "answer", ["{}", '{"head": null}', '{"head": {"sha": 7}}', '{"head": {"sha": ""}}', "[]", "7", ""]
)
def test_a_pull_request_without_a_commit_has_no_approvals(forge, tmp_path, answer):
    """An empty commit would equal that of a review without one."""
    forge.reviews = [{"login": "rita", "state": "APPROVED", "commit_id": ""}]
    forge.members = {("a-team", "rita")}
    forge.faults = [(200, [], answer.encode())]
    done = approvals(tmp_path, forge.url)
    assert done.exit_code == 2
    assert "did not say at which commit pull request 7 stands" in done.output


@pytest.mark.parametrize("number", ["null", '"1"', "true", "-1", "1.5", "[]"])
def test_a_comment_without_a_number_is_an_error_in_words(forge, tmp_path, number):
    forge.faults = [(200, [], f'[{{"id": {number}, "body": "x"}}]'.encode())]
    file = tmp_path / "plan.md"
    file.write_text("8 → 16", "utf-8")
    done = kohort(
        ["comment", str(file), "--repository", "a/b", "--number", "7", "--api", forge.url],
        {"GITHUB_TOKEN": "ghs_secret"},
    )
    assert done.exit_code == 2
    assert "the forge gave a comment without a number" in done.output


@pytest.mark.parametrize("after", ["²", "9" * 500, "soon", "-1", ""])
def test_an_odd_retry_after_is_not_obeyed(forge, after):
    waited = []
    forge.faults = [(503, [("Retry-After", after)] if after.isascii() else [], b"{}")]
    api = Api(forge.url, {"Authorization": "Bearer ghs_secret"}, pause=waited.append)
    assert api.send("GET", "repos/a/b/pulls/7")["head"]["sha"] == "c0ffee0000"
    assert waited == [2.0]


def test_what_the_forge_says_cannot_move_the_cursor(forge, tmp_path):
    forge.faults = [(422, [], json.dumps({"message": "\x1b[2J\n::error::gone"}).encode())]
    done = approvals(tmp_path, forge.url)
    assert "\x1b" not in done.output
    assert "\\x1b[2J\\x0a::error::gone" in done.output


@pytest.mark.parametrize("token", ["sec ret", "sec\nret", "sécret", "sec\x00ret".replace("\x00", "\x01")])
def test_a_token_that_cannot_be_one_is_told_and_not_shown(tmp_path, token):
    done = approvals(tmp_path, "http://127.0.0.1:9", token=token)
    assert done.exit_code == 2
    assert "GITHUB_TOKEN holds no token" in done.output
    assert token not in done.output


@pytest.mark.parametrize(
    "url",
    [
        "file:///etc/passwd",
        "ftp://forge.example.com",
        "forge",
        "http://",
        "http://[bad",
        "https://a b/",
        "http://a/?q",
    ],
)
def test_what_is_no_address_of_an_api(tmp_path, url):
    done = approvals(tmp_path, url)
    assert done.exit_code == 2
    assert "is no address of an API such as https://forge.example.com/api" in done.output


def test_a_team_that_the_token_may_not_see_is_told(forge, tmp_path):
    forge.reviews = [{"login": "rita", "state": "APPROVED", "commit_id": "c0ffee0000"}]
    forge.closed = {"/orgs/": 403}
    done = approvals(tmp_path, forge.url)
    assert done.exit_code == 1
    assert done.output == (
        "admins: grows (open: Group a-team; the token may not ask who is in the team a-team: it needs to read the "
        "organisation's members)\n"
    )


ENTRY = {"who": "admins", "why": "grows", "people": [], "given": False}


@pytest.mark.parametrize(
    "entries",
    [
        "x",
        7,
        {"a": 1},
        [7],
        [None],
        [{}],
        [{**ENTRY, "given": "false"}],
        [{**ENTRY, "given": 1}],
        [{**ENTRY, "people": "User alice"}],
        [{**ENTRY, "people": [["User alice"]]}],
        [{**ENTRY, "who": None}],
    ],
)
def test_approvals_that_no_plan_has_are_no_approvals(tmp_path, entries):
    file = tmp_path / "plan.json"
    file.write_text(json.dumps({"kind": "Plan", "approvals": entries}), "utf-8")
    done = kohort(["approvals", str(file), "--approved-by", "alice"], {})
    assert done.exit_code == 2
    assert "the file is no plan in JSON" in done.output


def test_a_plan_that_is_nested_too_deep(tmp_path):
    file = tmp_path / "plan.json"
    file.write_text("[" * 100_000, "utf-8")
    done = kohort(["approvals", str(file)], {})
    assert done.exit_code == 2
    assert "nested too deep" in done.output


def test_names_in_a_plan_cannot_move_the_cursor(tmp_path):
    entry = {**ENTRY, "why": "\x1b[31mred", "people": ["Group a\u202eb"]}
    file = tmp_path / "plan.json"
    file.write_text(json.dumps({"kind": "Plan", "approvals": [entry]}), "utf-8")
    done = kohort(["approvals", str(file)], {})
    assert done.exit_code == 1
    assert done.output == "admins: \\x1b[31mred (open: Group a\\u202eb)\n"
