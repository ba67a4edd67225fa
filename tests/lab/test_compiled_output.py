"""A real server takes the compiled files of the shipped organisation and stores what they say."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from kohort.compiler.bundle import Bundle
from kohort.compiler.waves import WAVE
from kohort.engine.outcome import Settings
from kohort.engine.repository import check_repository
from kohort.lab.apply import Applier
from kohort.lab.build import build
from kohort.lab.client import Answer
from kohort.lab.configurations import try_configuration
from kohort.lab.controlplane import ControlPlane
from kohort.source.tree import WorkDir

pytestmark = [pytest.mark.lab, pytest.mark.slow]
_CONFLICT = 409
ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def server(programs: None) -> Iterator[ControlPlane]:
    with ControlPlane(["appwrapper"]) as running:
        running.create(
            {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}}
            for name in ("scheduler-plugins",)
        )
        yield running


@pytest.fixture(scope="module")
def bundle() -> Bundle:
    return check_repository(WorkDir(ROOT), Settings())[1]


def manifests(bundle: Bundle, cluster: str) -> list[dict[str, Any]]:
    """All objects but Argo CD's, in order of waves."""
    files = bundle.clusters[cluster].files
    found = [dict(obj.data) for path, some in files.items() if "/manifests/" in path for obj in some]
    return sorted(found, key=lambda each: int(each["metadata"]["annotations"][WAVE]))


def lost(written: Any, stored: Any, path: str = "") -> list[str]:
    """Fields that are stored otherwise than written; what the server adds to mappings is none of them."""
    if isinstance(written, dict) and isinstance(stored, dict):
        return [p for key, value in written.items() for p in lost(value, stored.get(key), f"{path}.{key}")]
    if isinstance(written, list) and isinstance(stored, list) and len(written) == len(stored):
        return [
            p for i, pair in enumerate(zip(written, stored, strict=True)) for p in lost(*pair, f"{path}[{i}]")
        ]
    return [] if written == stored else [f"{path}: {written!r} is stored as {stored!r}"]


def added(written: Any, stored: Any, path: str = "") -> list[str]:
    """Fields that the server added: defaults that the compiler should have written."""
    if isinstance(written, dict) and isinstance(stored, dict):
        found = [f"{path}.{key}" for key in stored if key not in written and (path or key != "status")]
        return found + [
            p
            for key in written.keys() - {"metadata"}
            for p in added(written[key], stored.get(key), f"{path}.{key}")
        ]
    if isinstance(written, list) and isinstance(stored, list):
        pairs = zip(written, stored, strict=False)
        return [p for i, pair in enumerate(pairs) for p in added(*pair, f"{path}[{i}]")]
    return []


def put(server: ControlPlane, collection: str, each: dict[str, Any]) -> Answer:
    """Create an object, or bring the one of that name to this form: both clusters share one server here."""
    strict = {"fieldValidation": "Strict"}
    answer = server.request("POST", collection, each, strict)
    if answer.code != _CONFLICT:
        return answer
    one = f"{collection}/{each['metadata']['name']}"
    version = server.request("GET", one).body["metadata"]["resourceVersion"]
    return server.request(
        "PUT", one, {**each, "metadata": {**each["metadata"], "resourceVersion": version}}, strict
    )


@pytest.mark.parametrize("cluster", ["pokprod", "vela"])
def test_everything_is_accepted_strictly_and_stored_as_written(
    server: ControlPlane, bundle: Bundle, cluster: str
) -> None:
    applier = Applier(server.client)
    wrong = []
    for each in manifests(bundle, cluster):
        ref = f"{each['kind']} {each['metadata']['name']}"
        collection = applier.collection(each)
        answer = put(server, collection, each)
        if not answer.ok:
            wrong.append(f"{ref}: {answer.body.get('message')}")
            continue
        wrong += [f"{ref}: warning {text}" for text in answer.warnings]
        wrong += [f"{ref}{text}" for text in lost(each, answer.body)]
        if each["kind"] != "Namespace":  # its finalizer is the server's own
            # `suspend` of an AppWrapper is Kueue's switch: never written (lab.md 7.3).
            found = added(each, answer.body)
            wrong += [f"{ref}: the server adds {field}" for field in found if field != ".spec.suspend"]
    assert wrong == []


def test_policies_refuse_what_bypasses_the_queue(server: ControlPlane, bundle: Bundle) -> None:
    applier = Applier(server.client)
    for each in manifests(bundle, "vela"):
        if each["kind"] != "AppWrapper":
            assert put(server, applier.collection(each), each).ok, each["metadata"]["name"]
    # A managed namespace without a LocalQueue `default`, which Kueue would put on every job itself.
    labels = {"kohort.dev/managed": "true"}
    account = {
        "apiVersion": "v1",
        "kind": "ServiceAccount",
        "metadata": {"name": "default", "namespace": "bare"},
    }
    server.create(
        [{"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "bare", "labels": labels}}, account]
    )
    pod = {"containers": [{"name": "c", "image": "x", "resources": {"limits": {"nvidia.com/gpu": "1"}}}]}
    job: dict[str, Any] = {
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": {"name": "j", "namespace": "bare"},
        "spec": {"template": {"spec": {**pod, "restartPolicy": "Never"}}},
    }
    queued = {**job, "metadata": {**job["metadata"], "labels": {"kueue.x-k8s.io/queue-name": "nowhere"}}}
    wrapper: dict[str, Any] = {
        "apiVersion": "workload.codeflare.dev/v1beta2",
        "kind": "AppWrapper",
        "metadata": {**queued["metadata"], "name": "w"},
        "spec": {
            "components": [
                {"template": {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "s"}}},
                {"template": job},
            ]
        },
    }
    bare = {"apiVersion": "v1", "kind": "Pod", "metadata": job["metadata"], "spec": pod}
    for each, words in (
        (job, "name a queue"),
        (wrapper, "an AppWrapper may wrap only"),
        (bare, "pods with accelerators must name the scheduler"),
    ):
        said = eventually_refused(server, applier.collection(each), each)
        assert words in said, said
    assert server.request("POST", applier.collection(queued), queued, {"dryRun": "All"}).ok
    placed = {**bare, "spec": {**pod, "schedulerName": "scheduler-plugins-scheduler"}}
    assert "must name the scheduler" not in str(
        server.request("POST", applier.collection(placed), placed, {"dryRun": "All"}).body
    )


def eventually_refused(server: ControlPlane, collection: str, each: dict[str, Any]) -> str:
    """The words of the refusal; the server takes some seconds to load new policies."""
    for _ in range(60):
        answer = server.request("POST", collection, each, {"dryRun": "All"})
        if not answer.ok and "ValidatingAdmissionPolicy" in answer.body["message"]:
            return str(answer.body["message"])
        time.sleep(0.5)
    return f"never refused: {answer.body}"


def test_the_manager_starts_with_the_compiled_configuration(programs: None, bundle: Bundle) -> None:
    program = build(["kueue"])["kueue"]
    for name in bundle.clusters:
        (text,) = (
            text
            for obj in bundle.clusters[name].files[f"clusters/{name}/manifests/config.yaml"]
            for key, text in obj.data["data"].items()
            if key == "controller_manager_config.yaml"
        )
        start = try_configuration(program, text)
        assert (start.starts, start.error) == (True, ""), name
