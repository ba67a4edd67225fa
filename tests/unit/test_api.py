"""The Python API: what it gives, and what importing it and starting the command line does not cost."""

import subprocess
import sys
from datetime import date
from pathlib import Path

import pytest

import kohort

ROOT = Path(__file__).resolve().parents[2]
HEAVY = ("pydantic", "yaml", "rich", "jinja2", "networkx", "ruamel", "kubernetes", "jsonschema", "click")
QUEUE = """\
apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: {name: train}
spec:
  namespaceSelector: {}
  resourceGroups:
  - coveredResources: [cpu]
    flavors: [{name: h100, resources: [{name: cpu, nominalQuota: "8"}]}]
"""
NODE = """\
apiVersion: v1
kind: Node
metadata: {name: n}
status: {allocatable: {cpu: "4"}, capacity: {cpu: "4"}, conditions: [{type: Ready, status: "True"}]}
"""
FLAVOR = "apiVersion: kueue.x-k8s.io/v1beta2\nkind: ResourceFlavor\nmetadata: {name: h100}\nspec: {}\n"


def imported(statement: str) -> set[str]:
    """The top-level packages in memory after a statement in a new process."""
    code = f"{statement}\nimport sys\nprint(*{{name.partition('.')[0] for name in sys.modules}})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_importing_the_package_imports_nothing_heavy():
    assert not imported("import kohort") & set(HEAVY)


def test_the_command_line_starts_with_click_alone():
    assert imported("import kohort.cli.main") & set(HEAVY) == {"click"}


def test_plain_manifests_are_read_without_models():
    loaded = imported("from kohort.engine import checking")
    assert loaded & {"pydantic", "rich", "jinja2", "networkx", "ruamel", "kubernetes"} == set()


def test_every_name_is_there_and_no_other():
    assert dir(kohort) == sorted(kohort.__all__)
    for name in kohort.__all__:
        assert getattr(kohort, name) is not None
    with pytest.raises(AttributeError, match="module 'kohort' has no attribute 'lint'"):
        kohort.lint  # noqa: B018 - looking it up is the test


def test_the_version_is_that_of_the_distribution():
    assert f'version = "{kohort.__version__}"' in (ROOT / "pyproject.toml").read_text()


def test_a_repository_is_loaded_checked_and_built():
    repo = kohort.load(ROOT)
    assert repo.findings == ()
    assert {"pokprod", "vela"} == set(repo.clusters)
    bundle = kohort.build(repo)
    assert bundle.findings == ()
    assert "clusters/vela/manifests/slack.yaml" in bundle.clusters["vela"].files


def test_checking_a_repository_gives_its_report():
    report = kohort.check(ROOT, at=date(2026, 4, 29))
    assert isinstance(report, kohort.Report)
    assert not report.fails(kohort.Severity.WARNING)
    assert any("inventory of 2026-03-30 (30 days old on 2026-04-29)" in line for line in report.summary)


def test_a_session_answers_again_after_one_file_changed():
    class Tree:
        def files(self):
            return [str(p.relative_to(ROOT)) for p in sorted(ROOT.glob("*/**/*.yaml"))] + ["kohort.yaml"]

        def read(self, file):
            return (ROOT / file).read_bytes()

    session = kohort.Session(Tree())
    assert not session.outcome.report.fails(kohort.Severity.ERROR)
    file = "teams/blue/team.yaml"
    more = (ROOT / file).read_bytes().replace(b"gpus: 8}", b"gpus: 16}")
    again = session.update(file, more)
    assert [f.code for f in again.report.findings if f.severity is kohort.Severity.ERROR] == ["CAP901"]


def test_manifests_are_one_cluster_with_their_nodes(tmp_path):
    for name, text in (("queue.yaml", QUEUE), ("flavor.yaml", FLAVOR), ("nodes.yaml", NODE)):
        (tmp_path / name).write_text(text)
    alone = kohort.check(tmp_path / "queue.yaml", tmp_path / "flavor.yaml")
    assert "CAP901" not in {finding.code for finding in alone.findings}
    whole = kohort.check(
        str(tmp_path / "queue.yaml"), tmp_path / "flavor.yaml", nodes=(tmp_path / "nodes.yaml",)
    )
    (over,) = [finding for finding in whole.findings if finding.code == "CAP901"]
    assert isinstance(over, kohort.Finding)
    assert over.severity is kohort.Severity.ERROR
    assert over.primary.origin.file == str(tmp_path / "queue.yaml")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"kueue": "0.14"}, "Kueue 0.14 is not known; supported are 0.15, 0.16, 0.17, 0.18, 0.19"),
        ({"kueue": "newest"}, "Kueue newest is not known"),
        ({}, "no such file or folder: nowhere"),
    ],
)
def test_what_cannot_be_judged_is_a_usage_problem(arguments, message):
    with pytest.raises(kohort.UsageProblem, match=message):
        kohort.check("nowhere", **arguments)
