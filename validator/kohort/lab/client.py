"""A small HTTPS client for the API server: one method, typed answers, no library."""

from __future__ import annotations

import http.client
import json
import ssl
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from kohort.lab.failure import LabError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


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

    def __init__(self, port: int, authority: Path, token: str) -> None:
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
    ) -> Answer:
        """Send one request.

        Args:
            method: HTTP method.
            path: path below the server's root, with leading slash.
            body: JSON-like value to send; bytes go as they are.
            parameters: query parameters.
            content_type: media type of the body (patches need their own).
            impersonate: user name to act as.

        Raises:
            OSError: the server cannot be reached.
        """
        target = f"{path}?{urlencode(parameters)}" if parameters else path
        headers = {"Authorization": f"Bearer {self._token}", "Accept": "application/json"}
        if impersonate:
            headers["Impersonate-User"] = impersonate
        payload: bytes | None = None
        if body is not None:
            payload = body if isinstance(body, bytes) else json.dumps(body).encode()
            headers["Content-Type"] = content_type
        try:
            connection = self._connection()
            connection.request(method, target, payload, headers)
            response = connection.getresponse()
            raw = response.read()
        except (OSError, http.client.HTTPException) as error:
            self._forget()
            raise error if isinstance(error, OSError) else ConnectionError(str(error)) from error
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

    def close(self) -> None:
        """Close this thread's connection; the next request opens a new one."""
        self._forget()

    def _connection(self) -> http.client.HTTPSConnection:
        found: http.client.HTTPSConnection | None = getattr(self._local, "connection", None)
        if found is None:
            found = http.client.HTTPSConnection("127.0.0.1", self._port, context=self._tls, timeout=60)
            self._local.connection = found
        return found

    def _forget(self) -> None:
        connection = getattr(self._local, "connection", None)
        if connection is not None:
            connection.close()
            self._local.connection = None


def _decode(raw: bytes) -> Any:
    text = raw.decode("utf-8", errors="replace")
    try:
        return json.loads(text)
    except ValueError:
        return text


def _warning_text(header: str) -> str:
    """Take the quoted text out of a `299 - "…"` header."""
    return header.split('"', 1)[-1].rsplit('"', 1)[0].replace('\\"', '"')
