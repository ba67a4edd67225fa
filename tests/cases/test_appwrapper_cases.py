"""AppWrapper and configuration answers on small inputs after public reports: every clause, place and number."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from kohort.diagnostics import Consequence, Severity
from kohort.engine.outcome import Settings
from kohort.engine.plain import check_plain
from kohort.objects.podsets import podsets, requests
from kohort.source.tree import MemoryTree

SHARED = Path(__file__).parents[3] / "shared" / "cases"

pytestmark = pytest.mark.skipif(not SHARED.is_dir(), reason="the shared cases are not beside the repository")


def read(number, name):
    return (next(SHARED.glob(f"{number}-*")) / name).read_text("utf-8")


@pytest.fixture(scope="module")
def judged():
    return check_plain([MemoryTree({"input.yaml": read("78", "input.yaml").encode()})], Settings())


def of(judged, name):
    """(code, line, message) of the errors of one AppWrapper, in order of lines."""
    found = [f for f in judged.report.findings if f.severity is Severity.ERROR]
    mine = [f for f in found if f.subject == f"AppWrapper team-a/{name}"]
    return [(f.code, judged.places.span(f.primary.origin).line, f.message) for f in mine]


def test_78_no_pods(judged):
    assert of(judged, "no-pods") == [
        ("AWR806", 10, "AppWrapper team-a/no-pods: spec.components: components contains no podspecs")
    ]


def test_78_wrong_replicas(judged):
    assert of(judged, "wrong-replicas") == [
        (
            "AWR805",
            26,
            (
                "AppWrapper team-a/wrong-replicas: spec.components[0].podSets[0].replicas: replica count 2 differs "
                "from inferred count 4 for PodSet at path position 'template.spec.template'"
            ),
        )
    ]


def test_78_bad_path_and_other_namespace(judged):
    assert of(judged, "bad-path") == [
        (
            "AWR803",
            49,
            (
                "AppWrapper team-a/bad-path: spec.components[0].podSets[0].path: path does not refer to a "
                "v1.PodSpecTemplate: at path position 'template.spec.' missing field 'tmpl'"
            ),
        ),
        (
            "AWR802",
            53,
            (
                "AppWrapper team-a/bad-path: spec.components[0].template.metadata.namespace: "
                "AppWrappers cannot create objects in other namespaces"
            ),
        ),
    ]


def test_78_nested(judged):
    assert of(judged, "nested") == [
        (
            "AWR801",
            67,
            "AppWrapper team-a/nested: spec.components[0].template: Nested AppWrappers are forbidden",
        )
    ]


def test_78_refusals_are_refusals_and_nothing_else_is_an_error(judged):
    errors = [f for f in judged.report.findings if f.severity is Severity.ERROR]
    assert sorted(f.code for f in errors) == ["AWR801", "AWR802", "AWR803", "AWR805", "AWR806"]
    assert {f.consequence for f in errors} == {Consequence.REFUSED}


def test_78_quota_of_the_job_is_16_gpus_and_4_pods():
    documents = list(yaml.safe_load_all(read("78", "input.yaml")))
    sample = next(d for d in documents if d["metadata"]["name"] == "wrong-replicas")
    job = sample["spec"]["components"][0]["template"]
    inferred = {**sample, "spec": {"components": [{"template": job}]}}
    (podset,) = podsets(inferred).found
    assert podset.count == 4
    assert requests(podset)["nvidia.com/gpu"].units() * podset.count == 16


def test_53_transformation_shadowed_by_exclude():
    judged = check_plain([MemoryTree({"c.yaml": read("53", "kueue-config.yaml").encode()})], Settings())
    (found,) = [f for f in judged.report.findings if f.severity is Severity.ERROR]
    assert (found.code, found.field) == ("CFG307", "resources.transformations[0].input")
    assert found.message == (
        "Configuration: transformation input nvidia.com/mig-1g.5gb matches excluded prefix nvidia.com/mig; it never applies"
    )
    assert judged.places.span(found.primary.origin).line == 6
    assert [judged.places.span(label.origin).line for label in found.related] == [4]
    assert found.related[0].text == "excluded here"
