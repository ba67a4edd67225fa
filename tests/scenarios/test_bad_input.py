"""Bad input through the real command: a clear word, the documented exit code, bounded time and memory, no defect.

Time is the processor's, since the machine may be busy; memory is what the process really held.
"""

from __future__ import annotations

import json
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import pytest

from kohort.cli.exits import Exit
from kohort.diagnostics.render import FORMATS

SECONDS = 10.0  # of the processor; the interpreter and all imports take about one
MEGABYTES = 400  # a child counts the memory of the process that it came from too
WALL = 240.0
KUEUE = "kueue.x-k8s.io/v1beta2"
FLAVOR = f"apiVersion: {KUEUE}\nkind: ResourceFlavor\nmetadata: {{name: f}}\n"


@dataclass
class Done:
    code: int
    out: str
    err: str
    seconds: float
    megabytes: float

    @property
    def said(self):
        return self.out + self.err


def kohort(
    folder: Path, *arguments: str, stdin: Path | None = None, seconds=SECONDS, megabytes=MEGABYTES
) -> Done:
    """Run the command in a folder; every run is held to its bounds and to saying no word of a defect."""
    command = [sys.executable, "-c", "from kohort.cli.main import main; main()", *arguments]
    environment = {**os.environ, "NO_COLOR": "1", "PYTHONUTF8": "1"}
    environment.pop("KOHORT_DEBUG", None)
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        with (stdin or Path(os.devnull)).open("rb") as given:
            process = subprocess.Popen(
                command, cwd=folder, env=environment, stdin=given, stdout=out, stderr=err
            )
        end = time.monotonic() + WALL
        while True:
            pid, status, usage = os.wait4(process.pid, os.WNOHANG)
            if pid:
                break
            if time.monotonic() > end:
                os.kill(process.pid, signal.SIGKILL)
                os.wait4(process.pid, 0)
                raise AssertionError(f"kohort {' '.join(arguments)} runs for more than {WALL:.0f} s")
            time.sleep(0.01)
        process.returncode = os.waitstatus_to_exitcode(status)
        texts = []
        for stream in (out, err):
            stream.seek(0)
            texts.append(stream.read().decode("utf-8"))  # whatever was read, what is said is UTF-8
    done = Done(process.returncode, *texts, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)
    assert "internal error" not in done.err, done.err
    assert "Traceback" not in done.said
    assert done.code in {Exit.CLEAN, Exit.FINDINGS, Exit.USAGE, Exit.NOTHING}, done.err
    assert done.seconds < seconds, done.seconds
    assert done.megabytes < megabytes, done.megabytes
    return done


def check(folder: Path, data: bytes | str, name: str = "bad.yaml", **bounds) -> Done:
    (folder / name).write_bytes(data.encode() if isinstance(data, str) else data)
    return kohort(folder, "check", name, **bounds)


def queue(name: str, quota: str = '"8"', cohort: str = "") -> str:
    return (
        f"---\napiVersion: {KUEUE}\nkind: ClusterQueue\nmetadata: {{name: {name}}}\nspec:\n"
        f"  namespaceSelector: {{}}\n{cohort and f'  cohortName: {cohort}'}\n  resourceGroups:\n"
        f"  - coveredResources: [cpu]\n"
        f"    flavors: [{{name: f, resources: [{{name: cpu, nominalQuota: {quota}}}]}}]\n"
    )


# Bytes that are no YAML


def test_random_bytes(tmp_path):
    done = check(tmp_path, random.Random(7).randbytes(200_000))
    assert done.code == Exit.FINDINGS
    assert re.search(
        r"^error\[YAM004\]: not UTF-8 \(byte 0x[0-9a-f]{2} at offset \d+, line 1\)$", done.out, re.MULTILINE
    )


@pytest.mark.parametrize("seed", range(3))
def test_random_text_and_damaged_yaml(tmp_path, seed):
    rng = random.Random(seed)
    printable = "".join(rng.choice(" \n:-{}[]&*!|>'\"%@`#,?abc0\t") for _ in range(50_000))
    assert check(tmp_path, printable).code in {Exit.CLEAN, Exit.FINDINGS}
    sound = bytearray((FLAVOR + queue("a") * 50).encode())
    for _ in range(40):
        sound[rng.randrange(len(sound))] = rng.randrange(256)
    assert check(tmp_path, bytes(sound)).code == Exit.FINDINGS


def test_nul_bytes(tmp_path):
    done = check(tmp_path, "a: b\0c\n")
    assert done.code == Exit.FINDINGS
    assert "error[YAM006]: NUL character (U+0000) is not allowed in YAML\n --> bad.yaml:1:5\n" in done.out
    assert "\0" not in done.said


# Size


@pytest.mark.slow
def test_a_file_of_100_megabytes_is_refused_unread(tmp_path):
    big = tmp_path / "big.yaml"
    with big.open("wb") as file:
        for _ in range(100):
            file.write(b"---\na: 1\n" * ((1 << 20) // 9))
    for arguments, stdin, size in ((("big.yaml",), None, "100 MiB"), (("-",), big, "more than 64 MiB")):
        done = kohort(tmp_path, "check", *arguments, stdin=stdin)
        assert done.code == Exit.FINDINGS
        assert re.search(
            rf"error\[YAM022\]: .*too large to be read \({size}; at most 64 MiB a file", done.out
        )


@pytest.mark.slow
def test_one_value_of_40_megabytes(tmp_path):
    done = check(tmp_path, b"a: " + b"x" * (40 << 20))
    assert done.code == Exit.FINDINGS
    assert (
        "error[YAM022]: too large to be read (40 MiB; at most 64 MiB a file and 32 MiB a document)"
        in done.out
    )
    assert len(done.out) < 2000


@pytest.mark.slow
def test_50_000_documents_in_one_file(tmp_path):
    flavors = "".join(
        f"---\napiVersion: {KUEUE}\nkind: ResourceFlavor\nmetadata: {{name: f{i}}}\n" for i in range(50_000)
    )
    done = check(tmp_path, flavors, seconds=60)
    assert done.code == Exit.CLEAN
    assert "no findings in 1 file, 50,000 objects" in done.err.replace("50000", "50,000")
    done = check(tmp_path, "---\na: 1\n" * 50_000, seconds=60)
    assert done.code == Exit.FINDINGS
    assert "error[OBJ001]: not a Kubernetes object: no apiVersion\n --> bad.yaml:2:1\n" in done.out
    assert re.search(r"50,?000 errors in 1 file", done.err)


# Depth and growth

DEEP = {
    "flow list": "[" * 10_000 + "]" * 10_000,
    "flow mapping": "{a: " * 10_000 + "1" + "}" * 10_000,
    "never closed": "[" * 10_000,
    "json": '{"a":' * 10_000 + "1" + "}" * 10_000,
    "block list": "- " * 10_000 + "a\n",
    "question marks": "? " * 10_000 + "a\n",
}


@pytest.mark.parametrize("shape", DEEP)
def test_10_000_levels_of_nesting(tmp_path, shape):
    done = check(tmp_path, DEEP[shape])
    assert done.code == Exit.FINDINGS
    assert "error[YAM010]: nested more than 200 levels deep\n --> bad.yaml:1:" in done.out


def test_thousands_of_levels_of_block_mappings(tmp_path):
    """Each level is deeper, so the file grows with the square: 12 MB of spaces."""
    done = check(tmp_path, "\n".join(" " * i + "a:" for i in range(5000)))
    assert done.code == Exit.FINDINGS
    assert "error[YAM010]: nested more than 200 levels deep\n   --> bad.yaml:201:201\n" in done.out


def test_a_billion_laughs(tmp_path):
    lines = ["a0: &a0 [lol, lol]"]
    lines += [f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 10)}]" for i in range(1, 12)]
    done = check(tmp_path, "\n".join(lines))
    assert done.code == Exit.FINDINGS
    assert re.search(
        r"error\[YAM008\]: aliases expand to more than 100,\d{3} values\n --> bad\.yaml:6:", done.out
    )
    merges = ["a0: &a0 {k0: 1, l0: 1}"]
    merges += [f"a{i}: &a{i} {{<<: [*a{i - 1}, *a{i - 1}], k{i}: 1}}" for i in range(1, 200)]
    assert check(tmp_path, "\n".join(merges)).code in {Exit.CLEAN, Exit.FINDINGS}


def test_an_alias_of_itself(tmp_path):
    done = check(tmp_path, FLAVOR + "spec: &s {nodeLabels: *s}\n")
    assert done.code == Exit.FINDINGS
    assert "error[YAM" in done.out


HARD_TO_SEARCH = {
    "spaces": "a: }\n" + " " * 1_000_000 + "b",
    "escaped quotes": 'a: "' + '\\"' * 300_000,
    "quotes": "a: [" + '"\\' * 200_000,
    "openings of templates": "a: }\n" + "{{" * 300_000,
    "openings of statements": "a: }\n" + "{%" * 300_000,
    "openings of variables": "a: }\n" + "${a" * 300_000,
    "suppressions": FLAVOR + "# kohort: allow\n" * 20_000,
    "one long comment": FLAVOR + "#" * 1_000_000 + " kohort: allow x\n",
    "line breaks of all kinds": "a: }\n" + "\r\n\x85\u2028" * 100_000,
    "digits": FLAVOR + "spec: {nodeLabels: {a: " + "0" * 500_000 + "_}}\n",
}


@pytest.mark.parametrize("kind", HARD_TO_SEARCH)
def test_what_makes_careless_searches_quadratic(tmp_path, kind):
    done = check(tmp_path, HARD_TO_SEARCH[kind])
    assert done.code in {Exit.CLEAN, Exit.FINDINGS}
    assert len(done.out) < 20_000_000


# The file system


def test_links_pipes_folders_and_devices(tmp_path):
    folder = tmp_path / "d"
    (folder / "sub").mkdir(parents=True)
    (folder / "ok.yaml").write_text(FLAVOR)
    (folder / "sub" / "loop").symlink_to(folder)
    (folder / "self.yaml").symlink_to("self.yaml")
    (folder / "gone.yaml").symlink_to("nowhere.yaml")
    (folder / "zero.yaml").symlink_to("/dev/zero")
    (folder / "dir.yaml").mkdir()
    os.mkfifo(folder / "pipe.yaml")
    done = kohort(tmp_path, "check", "d", "--format", "concise")
    assert done.code == Exit.FINDINGS
    assert [line for line in done.out.splitlines() if "[YAM" in line] == [
        "d/gone.yaml:1:1: error[YAM026] d/gone.yaml links to nothing",
        "d/pipe.yaml:1:1: error[YAM024] d/pipe.yaml is a pipe, not a file",
        "d/self.yaml:1:1: warning[YAM025] d/self.yaml links to itself",
        "d/sub/loop:1:1: warning[YAM025] d/sub/loop links to a folder that is read already",
        "d/zero.yaml:1:1: error[YAM024] d/zero.yaml is a device, not a file",
    ]
    assert "in 1 file, 1 object" in done.err  # the sound one was read, once


@pytest.mark.parametrize("name", ["pipe.yaml", "gone.yaml", "zero.yaml"])
def test_the_same_named_directly(tmp_path, name):
    os.mkfifo(tmp_path / "pipe.yaml")
    (tmp_path / "gone.yaml").symlink_to("nowhere.yaml")
    (tmp_path / "zero.yaml").symlink_to("/dev/zero")
    done = kohort(tmp_path, "check", name)
    assert done.code == Exit.FINDINGS
    assert f"{name} is a " in done.out or "gone.yaml links to nothing" in done.out


def test_a_file_without_permission(tmp_path):
    (tmp_path / "secret.yaml").write_text(FLAVOR)
    (tmp_path / "secret.yaml").chmod(0)
    if os.access(tmp_path / "secret.yaml", os.R_OK):
        pytest.skip("this user may read every file")
    done = kohort(tmp_path, "check", "secret.yaml")
    assert done.code == Exit.FINDINGS
    assert "secret.yaml cannot be read (permission denied)" in done.out


def test_a_path_that_does_not_exist(tmp_path):
    done = kohort(tmp_path, "check", "nowhere")
    assert done.code == Exit.USAGE
    assert "no such file or folder: nowhere" in done.err
    assert done.out == ""


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
