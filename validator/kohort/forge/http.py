"""JSON over HTTP for a forge's API: bounded in time, tried again where that can help, errors in words."""

from __future__ import annotations

import json
import re
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

SECONDS: Final = 30.0
TRIES: Final = 3
PAGES: Final = 50  # of a hundred entries each
_LARGEST: Final = 32 << 20  # bytes of one answer
_NEXT: Final = re.compile(r'<([^>]+)>;\s*rel="next"')
_AGAIN: Final = frozenset({429, 500, 502, 503, 504})


class ForgeError(Exception):
    """A forge could not be asked, or said no; the text says what was asked and what to do."""


@dataclass(frozen=True, slots=True)
class Api:
    """A forge's API. `headers` carry the token and are never printed."""

    url: str
    headers: Mapping[str, str]
    pause: Callable[[float], None] = time.sleep

    def send(self, method: str, path: str, body: Mapping[str, Any] | None = None) -> Any:
        """The answer's JSON; None for an empty one. Raises ForgeError."""
        return self._send(method, self._full(path), body)[0]

    def pages(self, path: str) -> Iterator[Any]:
        """The entries of a list, page by page. Raises ForgeError."""
        url: str | None = self._full(path)
        for _ in range(PAGES):
            if url is None:
                return
            entries, links = self._send("GET", url, None)
            if not isinstance(entries, list):
                raise ForgeError(f"GET {_shown(url)} gave no list")
            yield from entries
            following = _NEXT.search(links)
            url = following.group(1) if following else None
            if url is not None and not url.startswith(self.url.rstrip("/") + "/"):
                raise ForgeError(
                    f"the next page would be on another server ({_shown(url)}); the token stays here"
                )
        raise ForgeError(f"more than {PAGES} pages of {path}")

    def _full(self, path: str) -> str:
        return f"{self.url.rstrip('/')}/{path.lstrip('/')}"

    def _send(self, method: str, url: str, body: Mapping[str, Any] | None) -> tuple[Any, str]:
        data = None if body is None else json.dumps(body).encode()
        headers = {**self.headers, "Content-Type": "application/json", "User-Agent": "kohort"}
        for attempt in range(1, TRIES + 1):
            request = urllib.request.Request(url, data=data, method=method, headers=headers)  # noqa: S310 - checked below
            try:
                with _opener().open(request, timeout=SECONDS) as answer:
                    return _json(answer.read(_LARGEST), url), answer.headers.get("Link") or ""
            except urllib.error.HTTPError as error:
                if error.code not in _AGAIN or attempt == TRIES or method == "POST":
                    raise ForgeError(_refused(method, url, error)) from None
                wait = error.headers.get("Retry-After") or ""
                self.pause(min(float(wait), 60.0) if wait.isdigit() else 2.0**attempt)
            except (OSError, ValueError) as error:
                if attempt == TRIES or method == "POST":
                    reason = getattr(error, "reason", None) or error
                    raise ForgeError(f"{method} {_shown(url)}: {reason}") from None
                self.pause(2.0**attempt)
        raise AssertionError("the last attempt returns or raises")


class _Stay(urllib.request.HTTPRedirectHandler):
    """A redirect would carry the token to wherever it leads: none is followed."""

    def redirect_request(self, *_: Any, **__: Any) -> None:
        """None is followed."""


def _opener() -> urllib.request.OpenerDirector:
    return urllib.request.build_opener(_Stay)


def _json(data: bytes, url: str) -> Any:
    if not data.strip():
        return None
    try:
        return json.loads(data)
    except ValueError:
        raise ForgeError(f"{_shown(url)} did not answer with JSON") from None


def _refused(method: str, url: str, error: urllib.error.HTTPError) -> str:
    try:
        said = json.loads(error.read(1 << 16)).get("message", "")
    except (ValueError, AttributeError, OSError):
        said = ""
    hints = {
        401: "the token is missing or wrong",
        403: "the token may not do this: it needs to write to pull requests",
        404: "no such repository or pull request, or the token may not see it",
    }
    hint = hints.get(error.code, "")
    told = "; ".join(text for text in (f"{error.code} {said}".strip(), hint) if text)
    return f"{method} {_shown(url)}: {told}"


def _shown(url: str) -> str:
    """Without a query, which may hold anything."""
    return urllib.parse.urlsplit(url)._replace(query="", fragment="").geturl()
