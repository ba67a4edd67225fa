"""A small HTTPS client for the API server: one method, typed answers, no library."""

from __future__ import annotations

import http.client
import json
import select
import ssl
import threading
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from kohort.lab.failure import LabError
from kohort.lab.network import Network

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

APPLY = "application/apply-patch+yaml"  # media type of server-side apply
_OK, _TOO_EARLY = 200, 429
_PATIENCE, _PAUSE = 15.0, 0.5  # seconds with a server that wants to be asked later
_PART = 1 << 16  # bytes read at once of an answer that goes on


@dataclass(frozen=True, slots=True)
class Answer:
    """What the server answered.

    Attributes:
        code: HTTP status code.
        body: decoded JSON, or the text when it was not JSON.
        warnings: texts of the `Warning` headers.
    """

    code: int
    body: Any
    warnings: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        """True for the codes 200 to 299."""
        return 200 <= self.code < 300


class Client:
    """Speaks to one API server as one identity; safe to use from several threads."""

    def __init__(self, port: int, authority: Path, token: str, network: Network | None = None) -> None:
        self._network = network or Network(None)
        self._port = port
        self._token = token
        self._tls = ssl.create_default_context(cafile=str(authority))
        self._local = threading.local()

    def request(
        self,
        method: str,
        path: str,
        body: object = None,
        parameters: Mapping[str, str] | None = None,
        *,
        content_type: str = "application/json",
        impersonate: str | None = None,
        groups: Sequence[str] = (),
    ) -> Answer:
        """Send one request.

        One that may safely be repeated (it reads, is a dry run or a server-side apply) is sent once more when its
        connection breaks. One that the server puts off (429) is sent again for up to 15 s.

        Args:
            method: HTTP method.
            path: path below the server's root, with leading slash.
            body: JSON-like value to send; bytes go as they are.
            parameters: query parameters.
            content_type: media type of the body (patches need their own).
            impersonate: user name to act as.
            groups: groups to act with; only beside `impersonate`.

        Raises:
            OSError: the server cannot be reached, or broke the connection of a request that may not be repeated.
        """
        target = f"{path}?{urlencode(parameters)}" if parameters else path
        headers = [("Authorization", f"Bearer {self._token}"), ("Accept", "application/json")]
        if impersonate:
            headers.append(("Impersonate-User", impersonate))
            headers += [("Impersonate-Group", group) for group in groups]  # one header for each
        payload: bytes | None = None
        if body is not None:
            payload = body if isinstance(body, bytes) else json.dumps(body).encode()
            headers += [("Content-Type", content_type), ("Content-Length", str(len(payload)))]
        dry = (parameters or {}).get("dryRun") == "All"
        repeatable = method == "GET" or dry or content_type == APPLY
        end = time.monotonic() + _PATIENCE
        while True:
            try:
                response, raw = self._exchange(method, target, headers, payload)
            except TimeoutError:
                raise
            except OSError:
                if not repeatable:  # whether it was carried out is not known
                    raise
                response, raw = self._exchange(method, target, headers, payload)
            if response.status != _TOO_EARLY or time.monotonic() > end:
                break
            # Not carried out: the server has too much to do, or reads a kind from its store after its start.
            time.sleep(_PAUSE)
        warnings = tuple(_warning_text(value) for value in response.headers.get_all("Warning") or ())
        return Answer(response.status, _decode(raw), warnings)

    def must(self, method: str, path: str, body: object = None, **options: Any) -> Any:
        """Send one request and return its body.

        Raises:
            LabError: the server did not agree; carries its message.
        """
        answer = self.request(method, path, body, **options)
        if not answer.ok:
            message = answer.body.get("message") if isinstance(answer.body, dict) else answer.body
            raise LabError(f"{method} {path}: {answer.code} {message}")
        return answer.body

    def lines(self, path: str, parameters: Mapping[str, str] | None = None) -> Iterator[Any]:
        """Yield each line of an answer that goes on, such as a watch, as decoded JSON.

        It has a connection of its own, which closes with the iteration.

        Raises:
            OSError: the server cannot be reached, or was silent for a minute.
            LabError: the server refused.
        """
        connection = _Connection(self._network, self._port, self._tls)
        try:
            target = f"{path}?{urlencode(parameters)}" if parameters else path
            connection.request("GET", target, headers={"Authorization": f"Bearer {self._token}"})
            response = connection.getresponse()
            if response.status != _OK:
                raise LabError(f"GET {path}: {response.status} {response.read()[:500]!r}")
            rest = b""
            while part := response.read1(_PART):
                *lines, rest = (rest + part).split(b"\n")
                for line in lines:
                    yield json.loads(line)
        except (http.client.HTTPException, ValueError) as error:
            raise ConnectionError(str(error)) from error
        finally:
            connection.close()

    def close(self) -> None:
        """Close this thread's connection; the next request opens a new one."""
        self._forget()

    def _exchange(
        self, method: str, target: str, headers: Sequence[tuple[str, str]], payload: bytes | None
    ) -> tuple[http.client.HTTPResponse, bytes]:
        try:
            connection = self._connection()
            connection.putrequest(method, target)
            for name, value in headers:
                connection.putheader(name, value)
            connection.endheaders(payload)
            response = connection.getresponse()
            return response, response.read()
        except (OSError, http.client.HTTPException) as error:
            self._forget()
            raise error if isinstance(error, OSError) else ConnectionError(str(error)) from error

    def _connection(self) -> http.client.HTTPSConnection:
        found: _Connection | None = getattr(self._local, "connection", None)
        if found is not None and found.ended():
            self._forget()
            found = None
        if found is None:
            found = _Connection(self._network, self._port, self._tls)
            self._local.connection = found
        return found

    def _forget(self) -> None:
        connection = getattr(self._local, "connection", None)
        if connection is not None:
            connection.close()
            self._local.connection = None


class _Connection(http.client.HTTPSConnection):
    """A connection that is made inside the lab's network, also when the library makes it anew."""

    def __init__(self, network: Network, port: int, tls: ssl.SSLContext) -> None:
        super().__init__("127.0.0.1", port, context=tls, timeout=60)
        self._inside = network.inside

    def connect(self) -> None:
        with self._inside():
            super().connect()

    def ended(self) -> bool:
        """Whether the server has closed it: between two answers there is nothing else to read.

        The API server closes what was idle for 90 s (apiserver, secure_serving.go), and all when it is restarted. A
        body written to such a connection fails with `SSLEOFError`, though the server never saw the request.
        """
        if self.sock is None:
            return False
        asking = select.poll()
        asking.register(self.sock, select.POLLIN)
        return bool(asking.poll(0))


def _decode(raw: bytes) -> Any:
    text = raw.decode("utf-8", errors="replace")
    try:
        return json.loads(text)
    except ValueError:
        return text


def _warning_text(header: str) -> str:
    """Take the quoted text out of a `299 - "…"` header."""
    return header.split('"', 1)[-1].rsplit('"', 1)[0].replace('\\"', '"')
