"""A repository that is named by a path: findings, fixes and excerpts point at its files, never at others."""

import errno
import io
import json
import os
import sys

import pytest
from click.testing import CliRunner

from kohort.cli import main as entry
from kohort.cli.main import cli

RAW = "clusters/lab/raw/more.yaml"
QUEUE = """apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: {name: more}
spec:
  namespaceSelector: {}
  resourceGroups:
  - coveredResources: [cpu]
    flavors: [{name: cpu, resources: [{name: cpu, nominalQuota: 1000m}]}]  # kept
"""


def run(*arguments, **more):
    return CliRunner().invoke(cli, list(arguments), **more)


@pytest.fixture
def elsewhere(repository, tmp_path_factory, monkeypatch):
    """A working directory that is a repository itself, with a file of the same name."""
    (repository / RAW).parent.mkdir()
    (repository / RAW).write_text(QUEUE)
    other = tmp_path_factory.mktemp("other")
    (other / RAW).parent.mkdir(parents=True)
    (other / "kohort.yaml").write_text((repository / "kohort.yaml").read_text())
    (other / RAW).write_text("# another repository's file\n")
    monkeypatch.chdir(other)
    return other


def test_a_fix_is_written_where_the_finding_is(repository, elsewhere):
    result = run("fix", os.path.relpath(repository))
    assert result.exit_code == 0, result.output
    assert (repository / RAW).read_text() == QUEUE.replace("1000m", '"1"')
    assert (elsewhere / RAW).read_text() == "# another repository's file\n"


def test_reports_name_files_as_seen_from_here(repository, elsewhere):
    typed = os.path.relpath(repository)
    text = run("check", typed, "--format", "json", "-q").stdout
    findings = [f for f in json.loads(text)["findings"] if f["code"] == "UNT604"]
    places = [f["primary"]["place"] for f in findings] + [f["fix"]["edits"][0]["place"] for f in findings]
    assert [(place["file"], place["span"]["line"]) for place in places] == [(f"{typed}/{RAW}", 8)] * 2
    full = run("check", typed, "-q").stdout
    assert f"--> {typed}/{RAW}:8:65\n" in full
    assert "8 |     flavors: [{name: cpu" in full  # the excerpt was read from there


def test_a_baseline_does_not_depend_on_where_it_was_written(repository, elsewhere, monkeypatch):
    file = elsewhere / "known.json"
    assert run("check", os.path.relpath(repository), "--write-baseline", str(file)).exit_code == 0
    monkeypatch.chdir(repository)
    assert "UNT604" not in run("check", "--baseline", str(file), "-q").stdout


def test_a_sub_folder_of_a_repository_names_it(repository, monkeypatch):
    monkeypatch.chdir(repository / "teams")
    result = entered(["check"])
    assert result == (
        2,
        f"kohort: no PATH given and the working directory has no kohort.yaml; the repository is {repository}\n",
    )


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["check", ""], 2, "kohort: no such file or folder: ''\n"),
        (["check", "nowhere"], 2, "kohort: no such file or folder: nowhere\n"),
        (["tree", "nowhere"], 2, "kohort: no such file or folder: nowhere\n"),
        (
            ["check", "a.yaml", "--kueue", "0.19.1.2"],
            2,
            "kohort: Kueue 0.19.1.2 is not known; supported are ",
        ),
        (["check", "a.yaml", "--kueue", "0.19.²"], 2, "kohort: Kueue 0.19.² is not known; supported are "),
        (
            ["check", "a.yaml", "--write-baseline", "no/b.json"],
            2,
            "Error: cannot write no/b.json: No such file",
        ),
        (["schema", "--out", "a.yaml/x"], 2, "Error: cannot write a.yaml/x: Not a directory\n"),
        (["check", "empty.yaml", "-q"], 4, "kohort: nothing to check: no Kubernetes object was found\n"),
        (["check", "-", "-q"], 4, "kohort: nothing to check: no Kubernetes object was found\n"),
        (["check", "folder", "-q"], 4, "kohort: nothing to check: no YAML or JSON file was found\n"),
    ],
)
def test_what_cannot_be_judged_has_its_exit_code(tmp_path, monkeypatch, arguments, code, message):
    (tmp_path / "a.yaml").write_text("apiVersion: v1\nkind: Namespace\nmetadata: {name: a}\n")
    (tmp_path / "empty.yaml").write_text("# nothing yet\n")
    (tmp_path / "folder").mkdir()
    monkeypatch.chdir(tmp_path)
    found, text = entered(arguments)
    assert (found, text[: len(message)]) == (code, message), text


class FullDisk(io.StringIO):
    """Standard output on a disk without room."""

    def write(self, _):
        raise OSError(errno.ENOSPC, "No space left on device")


def test_a_full_disk_is_no_defect_of_kohort():
    assert entered(["version"], out=FullDisk()) == (
        2,
        "kohort: cannot write the output: No space left on device\n",
    )


def test_infos_are_announced_only_where_they_are_left_out(tmp_path, monkeypatch):
    (tmp_path / "a.yaml").write_text(
        QUEUE.replace("1000m", "1").replace("spec:", "spec:\n  stopPolicy: Hold")
    )
    monkeypatch.chdir(tmp_path)
    hint, gap = "`--show info` shows the infos too", "not checked: capacity: "
    for arguments, hints in (([], 1), (["--show", "info"], 0), (["--format", "json"], 0)):
        result = run("check", "a.yaml", *arguments)
        assert result.stderr.count(hint) == hints, (arguments, result.stderr)
    concise = run("check", "a.yaml", "--format", "concise")
    assert (concise.stdout.count(gap), concise.stderr.count(gap)) == (1, 0)


def entered(arguments, out=None):
    """Exit code and standard error of the real entry point."""
    kept, error = (sys.argv, sys.stdout, sys.stderr, sys.stdin), io.StringIO()
    sys.argv = ["kohort", *arguments]
    sys.stdout, sys.stderr, sys.stdin = out or io.StringIO(), error, io.TextIOWrapper(io.BytesIO())
    try:
        with pytest.raises(SystemExit) as stopped:
            entry.main()
    finally:
        sys.argv, sys.stdout, sys.stderr, sys.stdin = kept
    return int(stopped.value.code), error.getvalue()


def test_only_source_that_cannot_be_read_is_a_finding(repository, monkeypatch):
    monkeypatch.chdir(repository)
    for folder in ("docs", "teams/blue"):
        (repository / folder).mkdir(exist_ok=True)
        (repository / folder / "gone.yaml").symlink_to("nowhere")
    os.mkfifo(repository / "docs/pipe.yaml")
    found = [
        line.partition(": ")[0] for line in run("check", "-q", "--format", "concise").stdout.splitlines()
    ]
    assert [place for place in found if "gone" in place or "pipe" in place] == ["teams/blue/gone.yaml:1:1"]
