"""The shipped organisation on a control plane: compiled settings, definitions, objects in order of waves, Active."""

from __future__ import annotations

import itertools
import re
import ssl
import time
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from kohort.compiler.bundle import BuiltCluster, Bundle
from kohort.compiler.waves import WAVE
from kohort.engine.outcome import Settings as Checking
from kohort.engine.repository import check_repository
from kohort.lab.apply import Applier
from kohort.lab.build import module_folder
from kohort.lab.controlplane import ControlPlane
from kohort.lab.patience import stretched
from kohort.lab.placeholders import placeholder
from kohort.lab.settings import Settings
from kohort.source.tree import WorkDir

ROOT = Path(__file__).parents[2]
KUEUE = "/apis/kueue.x-k8s.io/v1beta2"
WRAPPER_KIND = "workload.codeflare.dev/v1beta2"
Object = dict[str, Any]

# Definitions that the shipped clusters need beside Kueue's and AppWrapper's: module family, module, file.
_DEFINITIONS = (
    ("schedulerplugins", "sigs.k8s.io/scheduler-plugins", "manifests/coscheduling/crd.yaml"),
)  # fmt: skip
# Kinds of work whose operators do not run here. Their own definitions take the API server 20 s.
_ANY_FIELDS = (
    ("jobset.x-k8s.io", ["v1alpha2"], "JobSet"),
    ("kubeflow.org", ["v1"], "PyTorchJob"),
    ("ray.io", ["v1"], "RayCluster"),
    ("ray.io", ["v1"], "RayJob"),
)
# What the lab decides about Kueue itself: its addresses, and that it is alone.
_OWN = ("apiVersion", "kind", "namespace", "health", "webhook", "leaderElection")


@cache
def bundle() -> Bundle:
    """The shipped organisation, compiled."""
    return check_repository(WorkDir(ROOT), Checking())[1]


def built(cluster: str) -> BuiltCluster:
    return bundle().clusters[cluster]


def manifests(cluster: str) -> list[Object]:
    """All compiled objects but Argo CD's, in order of waves."""
    files = built(cluster).files
    found = [dict(obj.data) for path, some in files.items() if "/manifests/" in path for obj in some]
    return sorted(found, key=lambda each: int(each["metadata"]["annotations"][WAVE]))


def _file(cluster: str, key: str) -> Object:
    """One of the compiled configuration files, by its key in its ConfigMap."""
    (text,) = (
        obj.data["data"][key]
        for obj in built(cluster).files[f"clusters/{cluster}/manifests/config.yaml"]
        if key in obj.data["data"]
    )
    content: Object = yaml.safe_load(text)
    return content


def settings(cluster: str) -> Settings:
    """The compiled configuration of Kueue, AppWrapper and the scheduler, as the lab takes it."""
    manager = _file(cluster, "controller_manager_config.yaml")
    return Settings(
        kueue={key: value for key, value in manager.items() if key not in _OWN},
        appwrapper=_file(cluster, "config.yaml")["appwrapper"],
        scheduler=_file(cluster, "scheduler-config.yaml"),
    )


def nodes(cluster: str) -> list[Object]:
    """The cluster's nodes, as its inventory and pools describe them."""
    return [dict(each.obj.data) for each in built(cluster).cluster.nodes]


def wait_for(found: Callable[[], Any], wanted: Any, seconds: float) -> float:
    """Wait until `found()` equals (or, for a function, satisfies) what is wanted; return the seconds it took.

    `seconds` holds for a machine with nothing else to do; see `kohort.lab.patience`.
    """
    began, seconds = time.monotonic(), stretched(seconds)
    while True:
        now = found()
        if wanted(now) if callable(wanted) else now == wanted:
            return time.monotonic() - began
        if time.monotonic() - began > seconds:
            aim = "" if callable(wanted) else f", not {wanted}"
            raise AssertionError(f"after {seconds:.0f} s it is still {now}{aim}")
        time.sleep(0.1)


def define(plane: ControlPlane) -> None:
    """Create the definitions of all kinds that the organisation uses."""
    for family, module, file in _DEFINITIONS:
        text = (module_folder(family, module) / file).read_text(encoding="utf-8")
        found = yaml.load_all(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
        plane.create(each for each in found if each)
    plane.create(placeholder(*each) for each in _ANY_FIELDS)
    plane.wait_for_definitions()


def put(plane: ControlPlane, objects: Sequence[Object]) -> list[str]:
    """Apply server-side in the order given; return all warnings. Namespaces that are missing are made first."""
    wanted = {each["metadata"].get("namespace") for each in objects} - {None}
    own = {each["metadata"]["name"] for each in objects if each["kind"] == "Namespace"}
    plane.create(
        {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}} for name in sorted(wanted - own)
    )
    return Applier(plane.client).apply(objects, seconds=30)


def conditions(plane: ControlPlane, collection: str) -> dict[str, str]:
    """State of the condition Active (or its message when it is not) of each object, by namespace and name."""
    found = {}
    for each in plane.client.must("GET", f"{KUEUE}/{collection}")["items"]:
        meta = each["metadata"]
        active = [c for c in (each.get("status") or {}).get("conditions") or () if c["type"] == "Active"]
        state = "none yet"
        if active:
            state = "True" if active[0]["status"] == "True" else active[0]["message"]
        found["/".join(filter(None, (meta.get("namespace"), meta["name"])))] = state
    return found


def all_active(plane: ControlPlane, seconds: float = 60) -> None:
    """Return when every queue and check is Active."""
    for collection in ("admissionchecks", "clusterqueues", "localqueues"):
        wait_for(lambda c=collection: set(conditions(plane, c).values()) - {"True"}, set(), seconds)  # type: ignore[misc]


def metrics(plane: ControlPlane, name: str) -> dict[tuple[tuple[str, str], ...], float]:
    """Samples of one of Kueue's metrics by their labels, sorted."""
    port, token = plane.port("kueue-metrics"), plane.identities["admin"].token
    request = urllib.request.Request(
        f"https://127.0.0.1:{port}/metrics", headers={"Authorization": f"Bearer {token}"}
    )
    trust = ssl.create_default_context()  # the manager signs this certificate itself
    trust.check_hostname, trust.verify_mode = False, ssl.CERT_NONE
    with plane.network.inside(), urllib.request.urlopen(request, timeout=10, context=trust) as page:
        text = page.read().decode()
    found = {}
    for line in text.splitlines():
        if line.startswith(f"{name}{{"):
            labels, _, value = line[len(name) + 1 :].rpartition("} ")
            found[tuple(sorted(re.findall(r'(\w+)="([^"]*)"', labels)))] = float(value)
    return found


def stand_in_scheduler(plane: ControlPlane) -> None:
    """Start Kubernetes' own scheduler under the second one's name: it packs as well, but starts no gangs."""
    profile = dict(plane.settings.scheduler["profiles"][0])
    profile["pluginConfig"] = [each for each in profile["pluginConfig"] if each["name"] != "Coscheduling"]
    del profile["plugins"]
    path = plane.folder / "stand-in.yaml"
    content = {
        "apiVersion": "kubescheduler.config.k8s.io/v1",
        "kind": "KubeSchedulerConfiguration",
        "clientConnection": {"kubeconfig": str(plane.kubeconfig("scheduler"))},
        "leaderElection": {"leaderElect": False},
        "profiles": [profile],
    }
    path.write_text(yaml.safe_dump(content), encoding="utf-8")
    name = "stand-in"
    command: list[str | Path] = [
        plane.programs["kube-scheduler"],
        f"--config={path}",
        "--bind-address=127.0.0.1",
    ]
    command += [f"--secure-port={plane.port(name)}", f"--cert-dir={plane.folder / name}"]
    plane.run(name, command, lambda: True)


@dataclass(frozen=True)
class Standing:
    """A compiled cluster on a control plane.

    `warnings` is what the server said when everything was applied for the first time.
    """

    cluster: str
    plane: ControlPlane
    warnings: list[str]
    seconds: dict[str, float]


@contextmanager
def standing(cluster: str, *components: str) -> Iterator[Standing]:
    """A control plane on which the compiled cluster stands, all its queues Active; AppWrappers are left out."""
    marks = [("start", time.monotonic())]
    with ControlPlane(components, settings=settings(cluster)) as plane:
        marks.append(("ready", time.monotonic()))
        define(plane)
        marks.append(("definitions", time.monotonic()))
        if "kwok" in components:
            plane.nodes.add(nodes(cluster))
        marks.append(("nodes", time.monotonic()))
        warnings = put(plane, [each for each in manifests(cluster) if each["kind"] != "AppWrapper"])
        all_active(plane)
        marks.append(("applied and active", time.monotonic()))
        pairs = itertools.pairwise(marks)
        yield Standing(
            cluster, plane, warnings, {name: round(at - before, 1) for (_, before), (name, at) in pairs}
        )
