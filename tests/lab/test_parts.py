"""Scratch folders, certificates, answers and recorded objects, without any server."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest
import yaml

from kohort.lab import patience
from kohort.lab.certificates import Authority
from kohort.lab.client import Answer, _warning_text
from kohort.lab.controlplane import ControlPlane
from kohort.lab.failure import LabError
from kohort.lab.identities import service_account, write_token_file
from kohort.lab.verdicts import _stored, collection, verdict
from kohort.lab.workspace import Workspace

needs_openssl = pytest.mark.skipif(shutil.which("openssl") is None, reason="the openssl program is absent")


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def dead_process() -> int:
    process = subprocess.Popen(["true"])
    process.wait()
    return process.pid


def test_the_folder_of_a_dead_lab_is_removed_by_the_next(temporary: Path) -> None:
    dead, living = Workspace(), Workspace()
    (dead.folder / "owner").write_text(str(dead_process()))
    other = Workspace()
    assert not dead.folder.exists()
    assert living.folder.exists()
    other.remove()
    assert not other.folder.exists()


def test_kept_logs_survive_the_next_lab(temporary: Path) -> None:
    failed = Workspace()
    failed.log("kueue").write_text("why")
    (failed.folder / "etcd").mkdir()
    assert failed.keep_logs() == failed.folder
    Workspace()
    assert [each.name for each in failed.folder.iterdir()] == ["kueue.log"]


@needs_openssl
def test_certificates_are_signed_by_the_authority(tmp_path: Path) -> None:
    authority = Authority(tmp_path)
    pair = authority.issue("server", "IP:127.0.0.1", "DNS:a.b.svc")
    command = ["openssl", "verify", "-CAfile", str(authority.own.certificate), "-verify_ip", "127.0.0.1"]
    assert subprocess.run([*command, str(pair.certificate)], capture_output=True, check=False).returncode == 0
    # Kueue's certificate rotation reads nothing but this form.
    assert authority.own.key.read_text().startswith("-----BEGIN RSA PRIVATE KEY-----")


def test_a_token_line_carries_the_groups_of_a_service_account(tmp_path: Path) -> None:
    account = service_account("kueue-system", "manager")
    line = write_token_file([account], tmp_path / "tokens").read_text()
    assert line == (
        f"{account.token},system:serviceaccount:kueue-system:manager,lab-0,"
        '"system:serviceaccounts,system:serviceaccounts:kueue-system,system:authenticated"\n'
    )
    assert yaml.safe_load(account.kubeconfig("https://x", Path("/ca"), tmp_path / "k").read_text())["users"][
        0
    ] == {
        "name": "lab",
        "user": {"token": account.token},
    }


def test_an_unknown_component_is_named_before_anything_starts() -> None:
    with pytest.raises(
        LabError,
        match="unknown component 'kubelet'; there are etcd, apiserver, controllers, scheduler, second-scheduler, kwok, redis, ",
    ):
        ControlPlane(["etcd", "kubelet"])


def test_a_warning_header_loses_its_wrapping() -> None:
    assert _warning_text('299 - "unknown field \\"spec.x\\""') == 'unknown field "spec.x"'


@pytest.mark.parametrize(
    ("kind", "offered", "path"),
    [
        ("LocalQueue", {"metadata": {"namespace": "a"}}, "v1beta2/namespaces/a/localqueues"),
        ("LocalQueue", {"metadata": None}, "v1beta2/namespaces/default/localqueues"),
        ("Cohort", {"apiVersion": "kueue.x-k8s.io/v1beta1"}, "v1beta1/cohorts"),
        ("Cohort", {"apiVersion": "kueue.x-k8s.io/v1alpha1"}, "v1beta2/cohorts"),
        ("Topology", [], "v1beta2/topologies"),
    ],
)
def test_where_an_object_is_posted(kind: str, offered: object, path: str) -> None:
    assert collection(kind, offered) == f"/apis/kueue.x-k8s.io/{path}"


def test_what_the_server_owns_is_left_out() -> None:
    body = {
        "kind": "LocalQueue",
        "metadata": {
            "name": "some-x7",
            "generateName": "some-",
            "namespace": "default",
            "uid": "u",
            "generation": 1,
        },
        "spec": {"a": 1},
        "status": {},
    }
    assert _stored({"metadata": {"generateName": "some-"}}, body) == {
        "kind": "LocalQueue",
        "metadata": {"generateName": "some-"},
        "spec": {"a": 1},
    }


def test_a_refusal_keeps_its_causes_and_warnings() -> None:
    causes = [{"reason": "FieldValueInvalid", "message": "no", "field": "spec"}]
    body = {"reason": "Invalid", "message": "bad", "details": {"causes": causes, "name": "x"}}
    assert verdict({}, Answer(422, body, ("old",))) == {
        "accepted": False,
        "code": 422,
        "reason": "Invalid",
        "message": "bad",
        "causes": causes,
        "warnings": ["old"],
    }


@pytest.mark.parametrize(("load", "factor"), [(0.0, 1.0), (4.0, 1.0), (6.0, 1.5), (30.0, 7.5), (400.0, 10.0)])
def test_limits_stretch_with_the_load_of_each_processor(
    monkeypatch: pytest.MonkeyPatch, load: float, factor: float
) -> None:
    monkeypatch.setattr(patience.os, "cpu_count", lambda: 4)
    monkeypatch.setattr(patience.os, "getloadavg", lambda: (load, 9.0, 9.0))
    assert patience.stretched(20) == 20 * factor


def test_limits_hold_where_the_load_is_not_to_be_had(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> tuple[float, float, float]:
        raise OSError

    monkeypatch.setattr(patience.os, "getloadavg", refuse)
    assert patience.stretched(20) == 20
