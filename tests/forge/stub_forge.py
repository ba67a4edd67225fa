"""A stub of a forge's API on loopback: comments, reviews, team memberships, and faults on demand."""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit


class Forge:
    """State of the stub. `faults` are (status, headers, body) that the next requests get, in order."""

    def __init__(self):
        self.comments = []  # {id, login, body}
        self.reviews = []  # {login, state, commit_id}
        self.members = set()  # (team, user)
        self.teams = {"platform-admins", "red-leads", "a-team"}
        self.head = "c0ffee0000"
        self.author = "alice"
        self.fork = "alice/quota"  # empty: deleted
        self.pushes = [("alice", "c0ffee0000")]  # (login, commit), newest first
        self.writer = "github-actions[bot]"
        self.token = "ghs_secret"
        self.closed = {}  # path prefix → status
        self.page = 100
        self.faults = []
        self.asked = []
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self.thread = threading.Thread(
            target=self.server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True
        )

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server.server_address[1]}"

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()
        self.thread.join(5)

    def add(self, login, body):
        self.comments.append({"id": len(self.comments) + 1, "login": login, "body": body})

    def _handler(forge):  # noqa: N805, C901 - the inner class has its own self
        class Handler(BaseHTTPRequestHandler):
            def log_message(self, *_):
                pass

            def _answer(self, status, value, headers=()):
                data = value if isinstance(value, bytes) else json.dumps(value).encode()
                self.send_response(status)
                for name, text in headers:
                    self.send_header(name, text)
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def _do(self):
                length = int(self.headers.get("Content-Length") or 0)
                body = json.loads(self.rfile.read(length)) if length else None
                parts = urlsplit(self.path)
                forge.asked.append((self.command, parts.path, body))
                if forge.faults:
                    status, headers, text = forge.faults.pop(0)
                    return self._answer(status, text, headers)
                known = (f"Bearer {forge.token}", forge.token)
                if (self.headers.get("Authorization") or self.headers.get("PRIVATE-TOKEN")) not in known:
                    return self._answer(401, {"message": "Bad credentials"})
                for prefix, status in forge.closed.items():
                    if parts.path.startswith(prefix):
                        return self._answer(status, {"message": "Resource not accessible by integration"})
                return self._route(parts, body)

            def _route(self, parts, body):
                steps = parts.path.strip("/").split("/")
                github = steps[0] == "repos"
                if parts.path == "/user":
                    return self._answer(200, {"username": "quota-bot", "login": "quota-user"})
                if steps[0] == "orgs" and len(steps) == 4:
                    return self._answer(200 if steps[3] in forge.teams else 404, {"slug": steps[3]})
                if steps[0] == "orgs":
                    found = (steps[3], steps[5]) in forge.members
                    return self._answer(
                        *((200, {"state": "active"}) if found else (404, {"message": "Not Found"}))
                    )
                if steps[-1] == "reviews":
                    return self._page(parts, [{"user": {"login": r["login"]}, **r} for r in forge.reviews])
                if steps[-1] == "activity":
                    return self._page(
                        parts, [{"actor": {"login": who}, "after": sha} for who, sha in forge.pushes]
                    )
                if github and steps[3] == "pulls":
                    repo = {"full_name": forge.fork} if forge.fork else None
                    head = {"sha": forge.head, "ref": "more-gpus", "repo": repo}
                    return self._answer(200, {"head": head, "user": {"login": forge.author}})
                return self._comments(parts, body, github=github)

            def _comments(self, parts, body, *, github):
                if self.command == "GET":
                    who, key = ("user", "login") if github else ("author", "username")
                    rows = [
                        {"id": c["id"], "body": c["body"], who: {key: c["login"]}} for c in forge.comments
                    ]
                    return self._page(parts, rows)
                if self.command == "POST":
                    by = forge.writer if github else "quota-bot"
                    forge.add(by, body["body"])
                    who, key = ("user", "login") if github else ("author", "username")
                    return self._answer(201, {"id": len(forge.comments), who: {key: by}})
                number = int(parts.path.rpartition("/")[2])
                if number > len(forge.comments):
                    return self._answer(404, {"message": "Not Found"})
                forge.comments[number - 1]["body"] = body["body"]
                return self._answer(200, {"id": number})

            def _page(self, parts, rows):
                page = int(parse_qs(parts.query).get("page", ["1"])[0])
                more = page * forge.page < len(rows)
                link = [("Link", f'<{forge.url}{parts.path}?page={page + 1}>; rel="next"')] if more else []
                return self._answer(200, rows[(page - 1) * forge.page : page * forge.page], link)

            do_GET = do_POST = do_PATCH = do_PUT = _do  # noqa: N815 - names of the base class

        return Handler
