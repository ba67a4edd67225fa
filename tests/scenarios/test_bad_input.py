"""Bad input through the real command: a clear word, the documented exit code, bounded time and memory, no defect."""

from __future__ import annotations

import os
import random
import re

import pytest
from bounded import FLAVOR, KUEUE, check, kohort, queue

from kohort.cli.exits import Exit

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
        "d/zero.yaml:1:1: warning[YAM027] d/zero.yaml links out of what was named and is not read",
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
