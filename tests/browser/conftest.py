"""One browser for all pages."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from chromium import Browser


@pytest.fixture(scope="session")
def browser(tmp_path_factory) -> Iterator[Browser]:
    found = Browser(tmp_path_factory.mktemp("browser"))
    yield found
    found.end()
