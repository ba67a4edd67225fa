"""kubeconform, which knows nothing of Kohort, accepts everything that is compiled, with Kubernetes' own schemas."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from oracle_scripts import ROOT, load_script

from kohort.compiler.emit import render_files
from kohort.diagnostics import Severity
from kohort.engine.outcome import Settings
from kohort.engine.repository import check_repository
from kohort.source.tree import WorkDir

pytestmark = pytest.mark.go


def compiled(root: Path, out: Path) -> list[dict[str, Any]]:
    """Compile a repository below `out` and give all objects as they would be read back."""
    outcome, bundle = check_repository(WorkDir(root), Settings())
    assert not outcome.report.fails(Severity.ERROR)
    objects = []
    for name, data in render_files(bundle).items():
        target = out / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
        objects += list(yaml.load_all(data, yaml.CSafeLoader))
    return objects


def wrapped(objects: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What AppWrappers hold: the server does not look inside, the controller creates it."""
    return [
        component["template"]
        for each in objects
        if each["kind"] == "AppWrapper"
        for component in each["spec"]["components"]
    ]


def test_accepts_all_of_the_shipped_organisation(kubeconform, tmp_path):
    objects = compiled(ROOT, tmp_path)
    kinds = {each["kind"] for each in objects}
    # An empty folder would be accepted too.
    assert {
        "ClusterQueue",
        "AppWrapper",
        "ValidatingAdmissionPolicy",
        "ApplicationSet",
        "AppProject",
    } <= kinds
    assert kubeconform(tmp_path) == (len(objects), [])


def test_accepts_what_the_shipped_appwrappers_wrap(kubeconform, tmp_path):
    objects = wrapped(compiled(ROOT, tmp_path / "out"))
    assert {each["kind"] for each in objects} >= {"PodGroup", "PyTorchJob", "Job"}
    (tmp_path / "wrapped").mkdir()
    (tmp_path / "wrapped" / "all.yaml").write_text(yaml.safe_dump_all(objects))
    assert kubeconform(tmp_path / "wrapped") == (len(objects), [])


@pytest.mark.slow
def test_accepts_all_of_a_generated_organisation(kubeconform, tmp_path):
    load_script("generate").write(tmp_path / "source", 40, 4, 0)
    objects = compiled(tmp_path / "source", tmp_path / "out")
    assert sum(each["kind"] == "ClusterQueue" for each in objects) >= 80
    assert kubeconform(tmp_path / "out") == (len(objects), [])


SOUND = {
    "ClusterQueue": {
        "apiVersion": "kueue.x-k8s.io/v1beta2",
        "kind": "ClusterQueue",
        "metadata": {"name": "queue", "labels": {"a": "b"}},
        "spec": {
            "namespaceSelector": {},
            "resourceGroups": [
                {
                    "coveredResources": ["cpu"],
                    "flavors": [{"name": "f", "resources": [{"name": "cpu", "nominalQuota": "8"}]}],
                }
            ],
        },
    },
    "Namespace": {
        "apiVersion": "v1",
        "kind": "Namespace",
        "metadata": {"name": "space", "labels": {"a": "b"}},
    },
    "AppProject": {
        "apiVersion": "argoproj.io/v1alpha1",
        "kind": "AppProject",
        "metadata": {"name": "project"},
        "spec": {"sourceRepos": ["*"]},
    },
    "Job": {
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": {"name": "job"},
        "spec": {
            "parallelism": 1,
            "template": {
                "spec": {
                    "restartPolicy": "Never",
                    "containers": [{"name": "c", "image": "i", "resources": {"limits": {"cpu": 1}}}],
                }
            },
        },
    },
}
GROUP = ("spec", "resourceGroups", 0)
BROKEN = [
    ("ClusterQueue", ("spec", "cohort"), "org", "additional properties 'cohort' not allowed"),
    (
        "ClusterQueue",
        (*GROUP, "flavors", 0, "resources", 0, "nominalQuota"),
        "8 GPUs",
        "does not match pattern",
    ),
    ("ClusterQueue", (*GROUP, "flavors", 0, "resources", 0, "nominal"), 1, "'nominal' not allowed"),
    ("ClusterQueue", ("spec", "queueingStrategy"), "Fifo", "must be one of"),
    ("ClusterQueue", (*GROUP, "coveredResources"), [], "minItems"),
    ("ClusterQueue", ("metadata", "label"), {}, "'label' not allowed"),
    ("Namespace", ("metadata", "labels", "a"), 8, "want string"),
    ("Namespace", ("spec",), {"finalisers": []}, "'finalisers' not allowed"),
    ("Namespace", ("apiVersion",), "v2", "could not find schema"),
    ("AppProject", ("spec", "sourceRepo"), "*", "'sourceRepo' not allowed"),
    ("Job", ("spec", "parallelism"), "1", "want integer"),
    ("Job", ("spec", "parallelism"), 2**31, "maximum"),
    ("Job", ("spec", "template", "spec", "containers", 0, "name"), None, "want string"),
    ("Job", ("spec", "template", "spec", "containers"), ..., "missing propert"),
]


def changed(value: Any, path: tuple[str | int, ...], new: Any) -> Any:
    """The same value with another one at `path`; `...` removes it."""
    if not path:
        return new
    copy = list(value) if isinstance(value, list) else dict(value)
    if new is ... and len(path) == 1:
        del copy[path[0]]
        return copy
    copy[path[0]] = changed(value[path[0]] if len(path) > 1 else None, path[1:], new)
    return copy


def test_negative_control_each_broken_object_is_refused_and_each_sound_one_is_not(kubeconform, tmp_path):
    sound = tmp_path / "sound"
    sound.mkdir()
    (sound / "all.yaml").write_text(yaml.safe_dump_all(SOUND.values()))
    assert kubeconform(sound) == (len(SOUND), [])
    broken = tmp_path / "broken"
    broken.mkdir()
    for index, (kind, path, value, _) in enumerate(BROKEN):
        (broken / f"{index:02d}.yaml").write_text(yaml.safe_dump(changed(SOUND[kind], path, value)))
    count, wrong = kubeconform(broken)
    assert count == len(BROKEN)
    said = {line.partition(".")[0]: line for line in wrong}
    assert [f"{i:02d}" for i in range(len(BROKEN)) if f"{i:02d}" not in said] == []
    for index, (*_, words) in enumerate(BROKEN):
        assert words.lower() in said[f"{index:02d}"].lower()
