"""JSON Schemas: up to date, valid, and of one mind with the reader."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml
from jsonschema import Draft202012Validator
from model_support import found, team

from kohort.model.kinds import KINDS
from kohort.model.schema import schemas

ROOT = Path(__file__).parents[3]
SHIPPED = [
    *sorted(
        path
        for folder in ("clusters", "queues", "teams")
        for path in (ROOT / folder).rglob("*.yaml")
        if not {"manifests", "argocd", "raw"} & set(path.relative_to(ROOT).parts)
    ),
    ROOT / "kohort.yaml",
]


def validator(kind: str) -> Draft202012Validator:
    return Draft202012Validator(schemas()[f"{kind.lower()}.schema.json"])


def test_the_committed_schemas_are_those_of_the_code():
    for name, schema in schemas().items():
        text = (ROOT / "ci/schemas" / name).read_text()
        assert json.loads(text) == schema, f"{name}: run `kohort schema`"


@pytest.mark.parametrize("kind", KINDS)
def test_schemas_are_valid_and_described(kind):
    schema = schemas()[f"{kind.lower()}.schema.json"]
    Draft202012Validator.check_schema(schema)
    assert schema["$id"] == f"{kind.lower()}.schema.json"
    assert schema["description"]
    assert schema["additionalProperties"] is False
    assert schema["properties"]["kind"]["const"] == kind


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: str(path.relative_to(ROOT)))
def test_shipped_files_name_their_schema_and_pass_it(path):
    text = path.read_text()
    first = text.splitlines()[0]
    assert first.startswith("# yaml-language-server: $schema=")
    target = (path.parent / first.partition("=")[2]).resolve()
    assert target.is_file()
    for document in yaml.load_all(text, yaml.BaseLoader):
        assert target.name == f"{document['kind'].lower()}.schema.json"
    for document in yaml.safe_load_all(text.replace("observed: 2026-03-30", "observed: '2026-03-30'")):
        dates = {key: str(value) for key, value in document["spec"].items() if hasattr(value, "isoformat")}
        errors = list(
            validator(document["kind"]).iter_errors({**document, "spec": {**document["spec"], **dates}})
        )
        assert not errors, errors[0].message


@pytest.mark.parametrize(
    ("spec", "fits"),
    [
        ("namespaces: [blue]", True),
        ("namespaces: []", False),
        ("namespaces: blue", False),
        ("namespaces: [Blue]", False),
        ("namespaces: [blue]\ncolour: red", False),
        ("namespaces: [blue]\nclass: batch\nstop: Halt", False),
        ("namespaces: [blue]\nclass: batch\nquota: {lab: [{flavor: a, gpus: 8, borrow: any}]}", True),
        ("namespaces: [blue]\nclass: batch\nquota: {lab: [{flavor: a}]}", False),
        ("namespaces: [blue]\nclass: batch\nquota: {lab: [{flavor: a, gpus: 8, nodes: 1}]}", False),
        ("namespaces: [blue]\nclass: batch\nquota: {lab: [{flavor: a, gpus: 8, lend: some}]}", False),
        ("namespaces: [blue]\nclass: batch\nquota: {lab: [{flavor: a, gpus: -8}]}", False),
    ],
)
def test_editor_and_reader_agree(spec, fits):
    text = team(spec)
    document = yaml.safe_load(text)
    assert validator("Team").is_valid(document) is fits
    codes = {code for code, _, _ in found(text)} - {"SRC131"}  # references are not an editor's to judge
    assert (not codes) is fits
