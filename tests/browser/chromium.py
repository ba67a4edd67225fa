"""A page in a real Chromium, driven over its own pipe: no port, no driver, nothing beside the browser itself.

The browser speaks the DevTools protocol as JSON texts that end with a zero byte, on file descriptors 3 and 4. Names are
resolved to nothing, so that what a page would fetch has nowhere to go; what it asks for is kept in `requests`.
"""

from __future__ import annotations

import base64
import contextlib
import json
import os
import select
import shutil
import subprocess
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

BROWSER = next(
    (path for name in ("chromium", "chromium-browser", "google-chrome") if (path := shutil.which(name))), ""
)
AXE = Path(__file__).parent / "node_modules" / "axe-core" / "axe.min.js"
needs_browser = pytest.mark.skipif(
    not BROWSER, reason="no chromium here: apt-get install chromium, and the pages are opened in it"
)
needs_axe = pytest.mark.skipif(
    not AXE.exists(),
    reason="axe-core is not installed: apt-get install npm && npm ci --prefix tests/browser (ci/test does both)",
)
_PATIENCE = 120  # seconds for one answer; the machine may be busy
_MESSAGES = {"Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded"}
_KEYS = {"Tab": (9, ""), "Enter": (13, "\r"), " ": (32, " ")}


@dataclass
class Page:
    """An open page: what it said on the console, what it asked for, and how to look at it and press its keys."""

    browser: Browser
    session: str
    uri: str
    messages: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)

    def ask(self, method: str, **parameters: Any) -> dict[str, Any]:
        return self.browser.ask(method, self.session, **parameters)

    def run(self, script: str) -> Any:
        """The value of an expression in the page; a promise is waited for."""
        answer = self.ask("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def press(self, key: str) -> None:
        code, text = _KEYS[key]
        same = {"key": key, "code": "Space" if key == " " else key, "windowsVirtualKeyCode": code}
        self.ask("Input.dispatchKeyEvent", type="keyDown", **same, **({"text": text} if text else {}))
        self.ask("Input.dispatchKeyEvent", type="keyUp", **same)

    def look(self, *, scheme: str = "light", width: int = 1000, medium: str = "screen") -> None:
        """As it is on a screen of that width, light or dark, or printed."""
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        self.ask("Emulation.setEmulatedMedia", media=medium, features=features)
        self.ask(
            "Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=False
        )

    def picture(self, *, whole: bool = True, height: int = 0) -> bytes:
        """A PNG of all of the page, of its first `height` pixels, or of what the screen shows."""
        wide, tall = self.run("[document.documentElement.clientWidth, document.documentElement.scrollHeight]")
        clip = {"x": 0, "y": 0, "width": wide, "height": height or tall, "scale": 1}
        more = {"clip": clip, "captureBeyondViewport": True} if whole or height else {}
        return base64.b64decode(self.ask("Page.captureScreenshot", format="png", **more)["data"])

    def axe(self) -> list[str]:
        """What breaks WCAG 2 A and AA or the best practices, as `rule: element, why`."""
        self.run(AXE.read_text("utf-8") + ";0")
        tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
        options = json.dumps({"runOnly": {"type": "tag", "values": tags}, "resultTypes": ["violations"]})
        found = self.run(f"axe.run(document, {options}).then(r => [r.passes.length, r.violations])")
        assert found[0] > 5, "axe looked at the page"
        return [
            f"{each['id']}: {node['html'][:200]} {node.get('failureSummary', '')}"
            for each in found[1]
            for node in each["nodes"]
        ]


class Browser:
    """A running Chromium with a profile of its own."""

    def __init__(self, folder: Path) -> None:
        read, self._out = os.pipe()
        self._in, write = os.pipe()
        self._left, self._number, self._pages = b"", 0, dict[str, Page]()
        flags = [
            *("--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--no-first-run"),
            *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
            *("--host-resolver-rules=MAP * ~NOTFOUND", "--remote-debugging-pipe"),
            f"--user-data-dir={folder / 'profile'}",
        ]
        self._process = subprocess.Popen(
            ["bash", "-c", f'exec "$@" 3<&{read} 4>&{write}', "browser", BROWSER, *flags, "about:blank"],
            pass_fds=(read, write),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(read)
        os.close(write)

    def ask(self, method: str, session: str = "", **parameters: Any) -> dict[str, Any]:
        self._number += 1
        message: dict[str, Any] = {"id": self._number, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self._out, data) :]
        deadline = time.monotonic() + _PATIENCE
        while True:
            got = self._next(deadline, method)
            if got.get("id") == self._number:
                assert "error" not in got, (method, got["error"])
                return got["result"]
            self._hear(got)

    def open(self, file: Path, *, scheme: str = "light", width: int = 1000) -> Page:
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        session = self.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        page = self._pages[session] = Page(self, session, file.as_uri())
        for domain in ("Page", "Runtime", "Log", "Network"):
            page.ask(f"{domain}.enable")
        page.ask("Emulation.setFocusEmulationEnabled", enabled=True)
        page.look(scheme=scheme, width=width)
        page.ask("Page.navigate", url=page.uri)
        script = "document.readyState === 'complete' && location.href"
        deadline = time.monotonic() + _PATIENCE
        while page.run(script) != page.uri:
            assert time.monotonic() < deadline, f"{file} is not there after {_PATIENCE} s"
            time.sleep(0.05)
        return page

    def end(self) -> None:
        with contextlib.suppress(AssertionError, OSError):
            self.ask("Browser.close")
        try:
            self._process.wait(20)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        os.close(self._out)
        os.close(self._in)

    def _next(self, deadline: float, method: str) -> dict[str, Any]:
        while b"\0" not in self._left:
            ready, _, _ = select.select([self._in], [], [], max(0.0, deadline - time.monotonic()))
            data = os.read(self._in, 1 << 16) if ready else b""
            assert data, f"no answer to {method}: the browser ended or took more than {_PATIENCE} s"
            self._left += data
        text, self._left = self._left.split(b"\0", 1)
        return json.loads(text)

    def _hear(self, event: dict[str, Any]) -> None:
        page = self._pages.get(event.get("sessionId", ""))
        if page is None:
            return
        if event["method"] in _MESSAGES:
            page.messages.append(json.dumps(event["params"]))
        if event["method"] == "Network.requestWillBeSent":
            page.requests.append(event["params"]["request"]["url"])
