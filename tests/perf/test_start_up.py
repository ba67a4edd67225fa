"""What is imported when; absolute times would only say how busy the machine is."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

HEAVY = {
    "pydantic",
    "pydantic_core",
    "yaml",
    "rich",
    "jinja2",
    "networkx",
    "ruamel",
    "jsonschema",
    "kubernetes",
}


def modules(statement):
    """The modules that a statement leaves loaded."""
    code = f"import json, sys\n{statement}\nprint(json.dumps(sorted(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    return set(json.loads(done.stdout.splitlines()[-1]))


def tops(names):
    return {name.partition(".")[0] for name in names}


def test_help_imports_click_and_the_command_line_alone():
    run = "from click.testing import CliRunner\nfrom kohort.cli.main import cli\nCliRunner().invoke(cli, ['--help'])"
    loaded = modules(run)
    assert tops(loaded) & HEAVY == set()
    ours = {name for name in loaded if name.startswith("kohort.")}
    assert ours <= {
        "kohort.cli",
        "kohort.cli.main",
        "kohort.cli.exits",
        "kohort.engine",
        "kohort.engine.usage",
    }


@pytest.mark.parametrize(
    ("statement", "absent"),
    [
        ("import kohort", HEAVY | {"click"}),
        ("import kohort.cli.check", HEAVY - {"yaml"}),
        # the models are imported when a document has to be validated, so not where all are known
        ("import kohort.engine.repository", HEAVY - {"yaml", "networkx"}),
    ],
)
def test_heavy_libraries_wait_until_they_are_needed(statement, absent):
    assert tops(modules(statement)) & absent == set()


def test_one_document_imports_the_model_of_its_kind_alone():
    run = (
        "from kohort.model.take import take\n"
        "from kohort.source.document import Document\n"
        "value = {'apiVersion': 'kohort.dev/v1alpha1', 'kind': 'Size', 'metadata': {'name': 's'}, 'spec': {'gpus': 1}}\n"
        "assert take(Document('a.yaml', 0, value)).declared.name == 's'"
    )
    kinds = {name.rpartition(".")[2] for name in modules(run) if name.startswith("kohort.model.kinds.")}
    assert "size" in kinds
    assert kinds & {"team", "cluster", "inventory", "template"} == set()
