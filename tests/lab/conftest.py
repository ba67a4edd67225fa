"""One control plane for all tests that need it, or a clear reason why there is none."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator

import pytest

from kohort.lab.build import missing
from kohort.lab.controlplane import ControlPlane

PROGRAMS = ("etcd", "kube-apiserver", "kueue")


@pytest.fixture(scope="session")
def programs() -> None:
    if shutil.which("openssl") is None:
        pytest.skip("the lab needs the openssl program")
    if shutil.which("go") is None:
        pytest.skip("the lab needs Go (`go` is not on PATH)")
    lacking = missing(PROGRAMS)
    if lacking and not os.environ.get("KOHORT_LAB"):
        pytest.skip(f"not built: {', '.join(lacking)}; set KOHORT_LAB=1 to build them (minutes)")


@pytest.fixture(scope="session")
def plane(programs: None) -> Iterator[ControlPlane]:
    with ControlPlane() as running:
        yield running
