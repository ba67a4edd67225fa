"""`kohort render` and `kohort where` as typed: what goes to which stream, and the exit code."""

import pytest
import yaml
from click.testing import CliRunner

from kohort.cli.main import cli

JOB = ("--set", "image=example.com/job:1", "--set", "command=run")


@pytest.fixture
def run(repository, monkeypatch):
    monkeypatch.chdir(repository)

    def invoke(*arguments, stdin=None):
        result = CliRunner().invoke(cli, arguments, input=stdin, standalone_mode=False)
        return result.return_value, result.stdout, result.stderr, result.exception

    return invoke


def test_the_object_alone_goes_to_stdout(run):
    code, out, err, _ = run("render", "batch-job", "--team", "blue", "--name", "one", *JOB)
    assert code == 0
    assert err == ""
    (obj,) = yaml.safe_load_all(out)
    assert (obj["kind"], obj["metadata"]["name"]) == ("AppWrapper", "one")
    assert out.startswith("# Rendered by kohort from workloads/templates/batch-job.yaml for team blue")


def test_values_from_standard_input(run):
    stdin = "image: example.com/job:1\ncommand: run\npods: 3\n"
    code, out, _, _ = run("render", "batch-job", "--team", "blue", "--values", "-", stdin=stdin)
    assert code == 0
    assert "completions: 3" in out


def test_what_does_not_fit_goes_to_stderr_with_exit_code_1(run):
    code, out, err, _ = run("render", "batch-job", "--team", "blue", *JOB, "--set", "pods=0")
    assert (code, out) == (1, "")
    assert "error[SRC142]: work batch-job: pods: `0` is below 1" in err
    assert "--> --set pods" in err
    assert "help: pods: Number of pods." in err


def test_a_missing_value_lists_the_parameters(run):
    code, out, err, _ = run("render", "batch-job", "--team", "blue", "--set", "image=example.com/job:1")
    assert (code, out) == (1, "")
    assert "parameter command of template batch-job needs a value" in err
    assert "  command       string, required" in err


def test_parameters_on_request_need_no_team(run):
    code, out, err, _ = run("render", "pytorch-fsdp", "--help-parameters")
    assert (code, err) == (0, "")
    assert "  program          string, required" in out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("render", "batch-job"), "name the team that runs it: --team NAME"),
        (("render", "btch-job", "--team", "blue"), "there is no template btch-job; did you mean batch-job?"),
        (
            ("render", "batch-job", "--team", "blue", "--values", "none.yaml"),
            "cannot read none.yaml: No such file",
        ),
        (("where", "teams/blue/none.yaml:1"), "there is no file teams/blue/none.yaml in the repository"),
        (("where", "teams/blue/team.yaml"), "is not FILE:LINE"),
    ],
)
def test_names_that_are_not_there_are_usage_errors(run, arguments, message):
    code, out, _, error = run(*arguments)
    assert code is None
    assert out == ""
    assert type(error).__name__ == "UsageError"
    assert message in str(error)


def test_where_prints_lines(run):
    code, out, err, _ = run("where", "./teams/blue/team.yaml:13")
    assert (code, err) == (0, "")
    assert out.splitlines()[0] == "teams/blue/team.yaml  spec.queues[0].quota.lab[0] decides 6 fields:"
