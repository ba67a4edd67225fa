"""The client against a small HTTPS server that closes connections, breaks them or asks to come later."""

from __future__ import annotations

import shutil
import socket
import ssl
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from kohort.lab import client as clients
from kohort.lab.certificates import Authority
from kohort.lab.client import APPLY, Client

pytestmark = pytest.mark.skipif(shutil.which("openssl") is None, reason="the openssl program is absent")
OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"
LATER = b"HTTP/1.1 429 Too Many Requests\r\nRetry-After: 1\r\nContent-Length: 2\r\n\r\n{}"


class Server:
    """Answers by a script, one entry for each request: bytes to send, and whether to close afterwards.

    `None` as bytes breaks the connection instead of an answer.
    """

    def __init__(self, folder: Path) -> None:
        self.authority = Authority(folder)
        pair = self.authority.issue("server", "IP:127.0.0.1")
        self._tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._tls.load_cert_chain(pair.certificate, pair.key)
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.script: list[tuple[bytes | None, bool]] = []
        self.seen: list[tuple[int, str]] = []  # connection and method of each request
        self._connections = 0
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()
        self.client = Client(self._listening.getsockname()[1], self.authority.own.certificate, "token")

    def close(self) -> None:
        self.client.close()
        self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()
        self._thread.join(5)

    def _serve(self) -> None:
        while True:
            try:
                raw, _ = self._listening.accept()
            except OSError:
                return
            self._connections += 1
            with raw, self._tls.wrap_socket(raw, server_side=True) as one:
                while self._answer(one):
                    pass

    def _answer(self, one: ssl.SSLSocket) -> bool:
        got = b""
        while b"\r\n\r\n" not in got:
            part = one.recv(65536)
            if not part:
                return False
            got += part
        head, _, body = got.partition(b"\r\n\r\n")
        sizes = [
            int(line.split(b":")[1])
            for line in head.split(b"\r\n")
            if line.lower().startswith(b"content-length")
        ]
        while len(body) < sum(sizes):
            body += one.recv(65536)
        self.seen.append((self._connections, head.split(b" ")[0].decode()))
        answer, closes = self.script.pop(0)
        if answer is None:
            return False
        one.sendall(answer)
        return not closes


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    running = Server(tmp_path)
    yield running
    running.close()


def test_one_connection_serves_many_requests(server: Server) -> None:
    server.script = [(OK, False), (OK, False), (OK, True)]
    client = server.client
    for _ in range(3):
        assert client.request("POST", "/x", {"a": "b"}).ok
    assert server.seen == [(1, "POST")] * 3


def test_a_connection_that_the_server_closed_while_idle_is_not_used_again(server: Server) -> None:
    """As the API server does after 90 s: without the look first, a body written to it is an SSLEOFError."""
    server.script = [(OK, True), (OK, True)]
    client = server.client
    assert client.request("POST", "/x", {"a": "b" * 100_000}).ok
    time.sleep(0.2)
    assert client.request("POST", "/x", {"a": "b" * 100_000}).ok
    assert server.seen == [(1, "POST"), (2, "POST")]


@pytest.mark.parametrize(
    ("method", "options"),
    [
        ("GET", {}),
        ("POST", {"body": {}, "parameters": {"dryRun": "All"}}),
        ("PATCH", {"body": {}, "content_type": APPLY}),
    ],
)
def test_what_may_be_repeated_is_sent_once_more_when_its_connection_breaks(
    server: Server, method: str, options: dict[str, object]
) -> None:
    server.script = [(OK, False), (None, True), (OK, True)]
    client = server.client
    assert client.request("GET", "/x").ok
    assert client.request(method, "/x", **options).ok  # type: ignore[arg-type]
    assert server.seen == [(1, "GET"), (1, method), (2, method)]


def test_it_is_sent_once_more_only(server: Server) -> None:
    server.script = [(None, True), (None, True), (OK, True)]
    client = server.client
    with pytest.raises(OSError):
        client.request("GET", "/x")
    assert server.seen == [(1, "GET"), (2, "GET")]


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE"])
def test_what_may_have_been_carried_out_is_not_repeated(server: Server, method: str) -> None:
    server.script = [(None, True), (OK, True)]
    client = server.client
    with pytest.raises(OSError):
        client.request(method, "/x", {})
    assert server.seen == [(1, method)]


def test_a_request_that_is_put_off_is_sent_again(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clients, "_PAUSE", 0.01)
    server.script = [(LATER, False), (LATER, False), (OK, True)]
    assert server.client.request("POST", "/x", {}).ok
    assert server.seen == [(1, "POST")] * 3


def test_patience_with_that_ends(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clients, "_PATIENCE", 0.0)
    server.script = [(LATER, True)]
    assert server.client.request("POST", "/x", {}).code == 429
