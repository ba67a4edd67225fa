"""JSON over HTTP for a forge's API: bounded in time and size, tried again where that can help, errors in words."""

from __future__ import annotations

import http.client
import json
import re
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from kohort.diagnostics.visible import visible

SECONDS: Final = 30.0  # one answer, from the question to its last byte
TRIES: Final = 3
PAGES: Final = 50  # of a hundred entries each
_LARGEST: Final = 32 << 20  # bytes of one answer
_NEXT: Final = re.compile(r'<([^>]+)>;\s*rel="next"')
_AGAIN: Final = frozenset({429, 500, 502, 503, 504})
_TOO_MANY, _FORBIDDEN = 429, 403
_SECONDS: Final = re.compile(r"[0-9]{1,6}")
_MOMENT: Final = re.compile(r"[0-9]{1,11}")  # seconds since 1970
_LONGEST: Final = 60.0  # seconds that are waited for; who asks for more is told of


class ForgeError(Exception):
    """A forge could not be asked, or said no; the text says what was asked and what to do. Safe to print."""

    def __init__(self, text: str, status: int = 0) -> None:
        super().__init__(visible(text))
        self.status = status  # of HTTP; 0 where there was no answer


class UntoldError(ForgeError):
    """The forge does not tell this to the token, so that it is not known; other questions may still be answered."""


@dataclass(frozen=True, slots=True)
class _Answer:
    """An answer as it came, whatever it says."""

    status: int
    headers: Mapping[str, str]  # names in lower case
    body: bytes


@dataclass(frozen=True, slots=True)
class Api:
    """A forge's API. `headers` carry the token and are never printed. Raises ForgeError for what is no URL of a server."""

    url: str
    headers: Mapping[str, str]
    pause: Callable[[float], None] = time.sleep
    clock: Callable[[], float] = time.time  # for limits that name the moment at which they end
    seconds: float = SECONDS

    def __post_init__(self) -> None:
        try:
            parts = urllib.parse.urlsplit(self.url)
            good = parts.scheme in ("http", "https") and bool(parts.hostname) and not parts.query
        except ValueError:
            good = False
        if not good or not self.url.isascii() or not self.url.isprintable() or " " in self.url:
            raise ForgeError(f"{self.url} is no address of an API such as https://forge.example.com/api")

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
        request = urllib.request.Request(url, data=data, method=method, headers=headers)  # noqa: S310 - Api takes http and https only
        for attempt in range(1, TRIES + 1):
            last = attempt == TRIES
            wait = 2.0**attempt
            try:
                answer = _within(self.seconds, request)
            except (OSError, ValueError, http.client.HTTPException) as error:
                if last or method == "POST":  # which may have been heard, and would make a second comment
                    reason = getattr(error, "reason", None) or error or type(error).__name__
                    raise ForgeError(f"{method} {_shown(url)}: {reason}") from None
            else:
                if answer.status < 300:
                    return _json(answer.body, url), answer.headers.get("link", "")
                many = _too_many(answer)
                again = many or (answer.status in _AGAIN and method != "POST")
                wait = _until(answer, self.clock(), wait)
                if last or not again or wait > _LONGEST:
                    text = _refused(method, url, answer, round(wait) if again and wait > _LONGEST else 0)
                    raise ForgeError(text, _TOO_MANY if many else answer.status)
            self.pause(wait)
        raise AssertionError("the last attempt returns or raises")


def _within(seconds: float, request: urllib.request.Request) -> _Answer:
    """The answer, or OSError when it is not whole in time.

    A socket's time-out starts anew with each byte, so a server that sends one now and then would be waited for without
    end. The thread that reads is left to itself then; it ends with the process.
    """
    found: list[_Answer | BaseException] = []

    def ask() -> None:
        try:
            found.append(_ask(request, seconds))
        except BaseException as error:  # noqa: BLE001 - handed to whoever waits
            found.append(error)

    thread = threading.Thread(target=ask, daemon=True)
    thread.start()
    thread.join(seconds)
    if not found:
        raise TimeoutError(f"no whole answer within {seconds:g} s")
    if isinstance(found[0], BaseException):
        raise found[0]
    return found[0]


def _ask(request: urllib.request.Request, seconds: float) -> _Answer:
    try:
        with _opener().open(request, timeout=seconds) as answer:
            body = answer.read(_LARGEST)
            if answer.length:  # known, and not all of it came
                raise http.client.IncompleteRead(body, answer.length)
            return _Answer(answer.status, _lower(answer.headers), body)
    except urllib.error.HTTPError as error:
        with error:
            return _Answer(error.code, _lower(error.headers), error.read(1 << 16))


def _lower(headers: Any) -> dict[str, str]:
    return {str(name).lower(): str(value) for name, value in headers.items()}


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
    except (ValueError, RecursionError):
        raise ForgeError(f"{_shown(url)} did not answer with JSON") from None


def _too_many(answer: _Answer) -> bool:
    """Whether a rate limit refused it, so that it was not done. GitHub says so by 403 as well."""
    if answer.status == _FORBIDDEN:
        return "retry-after" in answer.headers or answer.headers.get("x-ratelimit-remaining") == "0"
    return answer.status == _TOO_MANY


def _until(answer: _Answer, now: float, otherwise: float) -> float:
    """Seconds after which the forge may be asked again, as it says itself where it does."""
    told = answer.headers.get("retry-after", "")
    if _SECONDS.fullmatch(told):
        return float(told)
    reset = answer.headers.get("x-ratelimit-reset", "")
    if answer.headers.get("x-ratelimit-remaining") == "0" and _MOMENT.fullmatch(reset):
        return max(1.0, float(reset) - now)
    return otherwise


_HINTS: Final = {
    401: "the token is missing or wrong",
    404: "no such repository or pull request, or the token may not see it",
}


def _refused(method: str, url: str, answer: _Answer, wait: int = 0) -> str:
    """What the forge said, and what to do; `wait` seconds are too many to wait here."""
    hint = _HINTS.get(answer.status, "")
    if _too_many(answer):
        hint = "too many requests with this token"
    elif answer.status == _FORBIDDEN:
        hint = "the token may not do this: it needs to read pull requests, and to write to them for a comment"
    elif 300 <= answer.status < 400:
        to = _shown(answer.headers.get("location", ""))
        hint = f"it moved{f' to {to}' if to else ''}: name the repository as it is called now; the token stays here"
    if wait:
        hint = f"{hint + ': ' if hint else ''}it asks to come back in {wait} s, run this again then"
    told = "; ".join(text for text in (f"{answer.status} {_said(answer)}".strip(), hint) if text)
    return f"{method} {_shown(url)}: {told}"


def _said(answer: _Answer) -> str:
    """The forge's own words, with its first remark on what was sent."""
    try:
        told = json.loads(answer.body)
        said = str(told.get("message") or "")
    except (ValueError, AttributeError, RecursionError):
        return ""
    errors = told.get("errors")
    first = errors[0] if isinstance(errors, list) and errors else None
    remark = first.get("message") or first.get("code") if isinstance(first, dict) else first
    return f"{said} ({remark})"[:300] if isinstance(remark, str) else said[:300]


def _shown(url: str) -> str:
    """Without a query, which may hold anything."""
    return url.partition("?")[0].partition("#")[0]
