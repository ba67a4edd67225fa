"""Strange names, amounts, trees and repositories through the real command: a clear word and bounded time."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from bounded import FLAVOR, KUEUE, check, kohort, queue

from kohort.cli.exits import Exit
from kohort.diagnostics.render import FORMATS

# Names


def test_two_names_that_differ_in_case(tmp_path):
    done = check(tmp_path, FLAVOR + queue("Train") + queue("train"))
    assert done.code == Exit.FINDINGS
    assert 'error[KUE206]: ClusterQueue Train: metadata.name: "Train" is no valid name' in done.out
    assert 'warning[REF415]: ClusterQueue "train" and ClusterQueue "Train"' in done.out


def test_letters_that_look_alike(tmp_path):
    done = check(tmp_path, FLAVOR + queue("train") + queue("tr\u0430in"))
    assert done.code == Exit.FINDINGS
    assert "(U+0430 CYRILLIC SMALL LETTER A, looks like 'a') at position 3 is not allowed" in done.out


TERMINAL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\u200e\u200f]")
ESCAPES = r'"a\e[31mred\a\r\b\u202e\u009b2J\x00\x7f::error::b##[command]"'


@pytest.mark.parametrize("name", sorted(FORMATS))
def test_terminal_escapes_in_names_are_never_printed_raw(tmp_path, name):
    flavor = FLAVOR.replace("name: f", f"name: {ESCAPES}")
    pod = f"---\napiVersion: v1\nkind: Pod\nmetadata: {{name: {ESCAPES}, namespace: {ESCAPES}, labels: {{{ESCAPES}: {ESCAPES}}}}}\n"
    (tmp_path / "bad.yaml").write_text(flavor + queue(ESCAPES, cohort=ESCAPES) + pod)
    done = kohort(tmp_path, "check", "bad.yaml", "--show", "info", "--format", name)
    assert done.code == Exit.FINDINGS
    assert "KUE206" in done.out
    assert TERMINAL.findall(done.said.replace("\r\n", "\n")) == []
    if name in {"json", "sarif", "gitlab"}:
        json.loads(done.out)
    if name == "github":
        assert all(
            line.startswith(("::error ", "::warning ", "::notice ")) for line in done.out.splitlines() if line
        )


def test_terminal_escapes_in_a_file_name(tmp_path):
    (tmp_path / "a\x1b[31m\u202e.yaml").write_text("a: [\n")
    done = kohort(tmp_path, "check", ".")
    assert done.code == Exit.FINDINGS
    assert TERMINAL.findall(done.said) == []


# Amounts


def test_quantities_beyond_all_reason(tmp_path):
    huge = {
        "a": f'"{10**30}"',
        "b": '"' + "9" * 300 + '"',
        "c": "9" * 300,
        "d": '"1e1000000000"',
        "e": "1e999",
    }
    text = FLAVOR + "".join(queue(name, value) for name, value in huge.items())
    (tmp_path / "bad.yaml").write_text(text)
    done = kohort(tmp_path, "check", "bad.yaml", "--format", "concise", "--show", "info")
    assert done.code == Exit.FINDINGS
    said = dict(re.findall(r"^bad\.yaml:\d+:63: (\w+\[\w+\] ClusterQueue \w): (.*)$", done.out, re.MULTILINE))
    where = "spec.resourceGroups[0].flavors[0].resources[0].nominalQuota"
    assert said == {
        "warning[UNT605] ClusterQueue a": f"cpu nominalQuota {10**30} is stored as 1, another amount",
        "info[UNT606] ClusterQueue b": f"cpu nominalQuota {'9' * 40} counts as unlimited",
        "info[UNT606] ClusterQueue c": "cpu nominalQuota 1e+300 counts as unlimited",
        "error[KUE202] ClusterQueue d": f"{where}: the exponent 1000000000 is out of range; at most 512 is supported",
        "error[KUE202] ClusterQueue e": f"{where}: the exponent 999 is out of range; at most 512 is supported",
    }


@pytest.mark.parametrize(
    ("value", "word"),
    [
        ("-.inf", "-.inf is infinite, which JSON and so Kubernetes cannot say"),
        (".nan", ".nan is not a number, which JSON and so Kubernetes cannot say"),
        ("1_000", "1_000 reads as 1000 in YAML 1.1"),
        ("0x1F", "0x1F reads as 31 in YAML 1.1"),
        ("[8]", "nominalQuota: must be "),
        ("{a: 8}", "nominalQuota: must be "),
        ('""', "nominalQuota: "),
        ('"8 GPUs"', "nominalQuota: "),
    ],
)
def test_amounts_that_are_none(tmp_path, value, word):
    done = check(tmp_path, FLAVOR + queue("a", value))
    assert re.search(rf"^(error|warning)\[\w+\]: .*{re.escape(word)}", done.out, re.MULTILINE), done.out
    assert "--> bad.yaml:13:63\n" in done.out


# Trees and nodes


def test_a_plain_cohort_tree_1000_deep(tmp_path):
    cohorts = "".join(
        f"---\napiVersion: {KUEUE}\nkind: Cohort\nmetadata: {{name: c{i}}}\n"
        f"spec: {{{f'parentName: c{i - 1}' if i else ''}}}\n"
        for i in range(1000)
    )
    done = check(tmp_path, FLAVOR + cohorts + queue("leaf", cohort="c999"))
    assert done.code == Exit.CLEAN
    assert "no findings in 1 file, 1002 objects" in done.err.replace(",002", "002")
    done = kohort(tmp_path, "tree", "bad.yaml")
    assert done.code == Exit.CLEAN
    assert "c999" in done.out
    ring = cohorts.replace("spec: {}", "spec: {parentName: c999}")
    done = check(tmp_path, FLAVOR + ring + queue("leaf", cohort="c999"))
    assert done.code == Exit.FINDINGS
    assert "error[REF4" in done.out
    assert len(done.out) < 200_000


def declared(kind: str, name: str, spec: str) -> str:
    return f"apiVersion: kohort.dev/v1alpha1\nkind: {kind}\nmetadata: {{name: {name}}}\nspec: {spec}\n"


def repository(root: Path, pools: str, depth: int = 1000) -> Path:
    files = {
        "kohort.yaml": declared("Organisation", "org", "{access: {admins: {groups: [admins]}}}"),
        "queues/kinds.yaml": declared("Flavor", "cpu", "{}")
        + "---\n"
        + declared("QueueClass", "batch", "{}"),
        "queues/cohorts.yaml": "---\n".join(
            declared("Cohort", f"c{i}", f"{{parent: c{i - 1}}}" if i else "{}") for i in range(depth)
        ),
        "clusters/lab/cluster.yaml": declared(
            "Cluster", "lab", f"{{versions: {{kubernetes: 1.36.2, kueue: 0.19.1}}, nodePools: [{pools}]}}"
        ),
        "teams/blue/team.yaml": declared(
            "Team",
            "blue",
            "{namespaces: [blue], access: {admins: {groups: [leads]}, members: {groups: [devs]}}, queues: [{name: q, "
            f"class: batch, cohort: c{depth - 1}, quota: {{lab: [{{flavor: cpu, nodes: 1}}]}}}}]}}",
        ),
    }
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    return root


POOL = (
    "{name: cpu, flavor: cpu, nodes: %d, labels: {pool: cpu}, perNode: {cpu: 64, memory: 256Gi, pods: 110}}"
)


def test_a_declared_cohort_tree_1000_deep(tmp_path):
    root = repository(tmp_path, POOL % 2)
    for arguments in (("check",), ("compile",), ("compile", "--check"), ("tree",), ("explain", "teams/blue")):
        done = kohort(root, *arguments)
        assert done.code == Exit.CLEAN, done.said
    text = (root / "clusters/lab/manifests/cohorts.yaml").read_text()
    assert text.count("kind: Cohort\n") == 1000


@pytest.mark.parametrize("pools", ["", POOL % 0])
def test_a_cluster_without_nodes(tmp_path, pools):
    root = repository(tmp_path, pools, depth=2)
    done = kohort(root, "check")
    assert done.code == Exit.FINDINGS
    assert re.search(r"^error\[(SRC122|CAP9\d\d)\]: ", done.out, re.MULTILINE), done.out
    assert "nothing was written, since errors stand" in kohort(root, "compile").err
    assert not (root / "clusters/lab/manifests").exists()


def test_plain_queues_with_an_empty_list_of_nodes(tmp_path):
    (tmp_path / "nodes.yaml").write_text("apiVersion: v1\nkind: List\nitems: []\n")
    (tmp_path / "queues.yaml").write_text(FLAVOR + queue("a"))
    done = kohort(tmp_path, "check", "queues.yaml", "--nodes", "nodes.yaml")
    assert done.code in {Exit.CLEAN, Exit.FINDINGS}
    assert "no Node objects were given" in done.said or "no nodes" in done.said


# Repositories that are none


def test_an_empty_folder(tmp_path):
    done = kohort(tmp_path, "check")
    assert done.code == Exit.USAGE
    assert "no PATH given and the working directory has no kohort.yaml" in done.err
    done = kohort(tmp_path, "check", ".")
    assert done.code == Exit.NOTHING
    assert "nothing to check: no YAML or JSON file was found" in done.err
    done = kohort(tmp_path, "compile")
    assert done.code == Exit.USAGE
    assert "is not a Kohort repository (no kohort.yaml); `kohort init` makes one" in done.err


def test_a_repository_of_an_organisation_alone(tmp_path):
    (tmp_path / "kohort.yaml").write_text(
        declared("Organisation", "org", "{access: {admins: {groups: [admins]}}}")
    )
    assert kohort(tmp_path, "check").code == Exit.CLEAN
    assert kohort(tmp_path, "compile").code == Exit.CLEAN
    assert [path.name for path in tmp_path.iterdir() if not path.name.startswith(".")] == ["kohort.yaml"]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "SRC110"),
        ("# to be written\n", "SRC110"),
        ("[a, b]\n", "SRC110"),
        ("just a text\n", "SRC110"),
        ("\0\0", "YAM006"),
        ("a: [\n", "YAM001"),
        ("apiVersion: kohort.dev/v1alpha1\nkind: Organisation\nmetadata: {name: org}\nspec: [1]\n", "SRC102"),
        ("apiVersion: kohort.dev/v9\nkind: Organisation\nmetadata: {name: org}\n", "SRC108"),
    ],
)
def test_a_kohort_yaml_that_declares_nothing(tmp_path, text, code):
    root = repository(tmp_path, POOL % 2, depth=2)
    (root / "kohort.yaml").write_text(text)
    for command in ("check", "compile"):
        done = kohort(root, command)
        assert done.code == Exit.USAGE, done.said
        assert re.findall(r"^error\[(\w+)\]: .*\n\s*--> kohort\.yaml:", done.out, re.MULTILINE) == [code]
    assert "nothing was written, since errors stand" in done.err
    assert not (root / "clusters/lab/manifests").exists()


@pytest.mark.parametrize(
    "command", ["tree", "fix", "where kohort.yaml:1", "explain teams/blue", "render batch-job --team blue"]
)
def test_other_commands_on_a_kohort_yaml_that_is_a_list(tmp_path, command):
    root = repository(tmp_path, POOL % 2, depth=2)
    (root / "kohort.yaml").write_text("[a]\n")
    done = kohort(root, *command.split())
    assert done.code in {Exit.CLEAN, Exit.FINDINGS, Exit.USAGE}
